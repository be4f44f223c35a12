/** The main job, as a person does it: a note, the demo agent beside it, one server, one page or two. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {inEachEngine} from './desk.js';

const TODO = 'Add a to-do list of the open tasks';
const LONG = 'Write a long answer';
/** What the demo agent finds to be done in the sample note. */
const ADDED = '- [ ] Get two new quotes for larch';
/** Slow enough, in ms a piece, to be met while it writes. */
const SLOW = 8;

inEachEngine((open) => {
  test('a change that is approved is in the editor and in the file', async (context) => {
    const desk = await open(context);
    const person = await desk.page();
    await person.prompt(TODO);
    await person.click('button', 'Allow');
    const turn = await person.ended(1);
    assert.equal(turn.terminal, 'completed');
    assert.deepEqual(turn.artifacts.length, 1);
    await person.until('the editor shows the list', person.note, (note) => note.includes(ADDED));
    assert.equal(await person.note(), await desk.file());
    assert.ok(await person.isFollowing(), 'who clicks an answer still follows the end');
    await person.assertReconciled();
    desk.assertSilent();
  });

  test('a change that is refused, by keys, touches nothing', async (context) => {
    const desk = await open(context);
    const person = await desk.page();
    const before = await desk.file();
    await person.prompt(TODO);
    await person.press('button', 'Reject');
    const turn = await person.ended(1);
    assert.match(turn.answer ?? '', /I leave the note as it is/);
    assert.deepEqual([await desk.file(), await person.note()], [before, before]);
    await person.assertReconciled();
    desk.assertSilent();
  });

  test('a run that is stopped keeps what it wrote', async (context) => {
    const desk = await open(context, {pace: SLOW});
    const person = await desk.page();
    await person.prompt(LONG);
    await person.until('it writes', person.said, (said) => said.includes('Part 2 of'));
    await person.click('button', 'Stop');
    const turn = await person.ended(1);
    assert.equal(turn.terminal, 'cancelled');
    assert.match(await person.said(), /Part 2 of/);
    await person.assertReconciled();
    desk.assertSilent();
  });

  test('a second prompt waits in the queue and goes when the first is done', async (context) => {
    const desk = await open(context, {pace: 2});
    const person = await desk.page();
    await person.prompt(LONG);
    await person.turn('it runs', ({status}) => status !== 'settled');
    await person.prompt('Summarise this note');
    await person.until(
      'it waits',
      () => person.texts('[part=queued]'),
      (all) => all.length === 1,
    );
    const turn = await person.ended(2);
    assert.deepEqual([turn.terminal, (await person.texts('[part=queued]')).length], ['completed', 0]);
    assert.match(turn.answer ?? '', /Garden shed/);
    await person.assertReconciled();
    desk.assertSilent();
  });

  test('a page that is loaded anew in the middle of a run goes on with the same turn', async (context) => {
    const desk = await open(context, {pace: SLOW});
    const person = await desk.page();
    await person.prompt(LONG);
    await person.until('it writes', person.said, (said) => said.includes('Part 2 of'));
    const {id} = (await person.last())!;
    await person.reload();
    const again = await person.turn('the turn is there again', ({status}) => status !== 'created');
    assert.ok([again.id, ...again.aliases].includes(id));
    assert.equal(again.terminal, null, 'it still runs');
    const turn = await person.ended(1);
    assert.equal(turn.terminal, 'completed');
    const said = await person.said();
    for (const part of [1, 2, 3, 40])
      assert.equal(said.split(`Part ${part} of 40`).length, 2, `part ${part} once`);
    await person.assertReconciled();
    desk.assertSilent();
  });

  test('another runtime counts for the next conversation, and this one says so', async (context) => {
    const second = {name: 'second', runtimeType: 'demo'};
    const desk = await open(context, {profiles: [{name: 'demo', env: {HERMES_DEMO_PACE: '0'}}, second]});
    const person = await desk.page();
    await person.prompt('Summarise this note');
    await person.ended(1);
    const first = await person.talk();
    await person.choose('Agent', 'second');
    await person.until(
      'it is said',
      () => person.texts('[role=status]'),
      (all) => all.includes('This conversation stays with demo; the next one gets second.'),
    );
    await person.click('button', 'New');
    await person.prompt('Summarise this note');
    await person.ended(1);
    const {sessions} = (await desk.ask('/sessions')) as {sessions: {id: string; profile: string}[]};
    const profileOf = (id: string | null) => sessions.find((session) => session.id === id)?.profile;
    assert.deepEqual([profileOf(first), profileOf(await person.talk())], ['demo', 'second']);
    // And back to the one before.
    await person.choose('Conversation', first!);
    await person.until('the first is shown', person.talk, (id) => id === first);
    await person.ended(1);
    await person.assertReconciled();
    desk.assertSilent();
  });

  test('two pages in one conversation see what is asked on the other', async (context) => {
    const desk = await open(context);
    const ann = await desk.page();
    await ann.prompt('Summarise this note');
    await ann.ended(1);
    const ben = await desk.page();
    await ben.ended(1);
    await ben.prompt('What can you do?');
    await ben.ended(2);
    await ann.front();
    await ann.ended(2);
    await ann.prompt(TODO);
    await ben.front();
    await ben.click('button', 'Allow');
    await ann.front();
    for (const person of [ann, ben]) {
      const turn = await person.ended(3);
      assert.deepEqual([turn.terminal, turn.artifacts.length], ['completed', 1]);
      await person.assertReconciled();
    }
    assert.deepEqual(await ann.turns(), await ben.turns());
    desk.assertSilent();
  });
});
