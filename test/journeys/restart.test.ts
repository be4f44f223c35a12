/** The gateway dies by `kill -9` in the middle of a run, and is started again. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {inEachEngine} from './desk.js';

inEachEngine((open) => {
  test('a run that the gateway took with it reads as interrupted, and what was made is kept', async (context) => {
    const desk = await open(context, {pace: 8});
    const person = await desk.page();
    await person.prompt('Add a to-do list of the open tasks');
    await person.click('button', 'Allow');
    await person.ended(1);
    await person.prompt('Write a long answer');
    await person.until('it writes', person.said, (said) => said.includes('Part 2 of'));
    const {id} = (await person.last())!;
    desk.assertSilent();
    await desk.kill();
    await desk.start();
    const turn = await person.ended(2);
    assert.deepEqual([turn.id, turn.terminal], [id, 'interrupted']);
    await person.reload();
    await person.ended(2);
    const [first, second] = await person.turns();
    assert.deepEqual([first?.terminal, first?.artifacts.length], ['completed', 1]);
    assert.equal(second?.terminal, 'interrupted');
    assert.match(await person.said(), /Part 2 of/);
    await person.assertReconciled();
    // What a browser says of a server that is gone is no fault of the page.
    desk.complaints.length = 0;
    await person.prompt('Summarise this note');
    assert.equal((await person.ended(3)).terminal, 'completed');
    desk.assertSilent();
  });
});
