/** One session in several tabs, with frames late, lost or late to be told: every observer comes to the same. */
import assert from 'node:assert/strict';
import {createTranscript} from '../../../src/anchor/index.js';
import {loadModel, Session, type SessionSource} from '../../../src/session/index.js';
import {loadServer} from '../../../src/session/load-server.js';
import {encodeFrame} from '../../../src/protocol/index.js';
import {expected, foldRecording, observations, observe} from '../recordings/observations.js';
import {HandBody, pieces, ScriptedFetch, stream, type Answer} from '../transport/scripted-fetch.js';
import {ManualClock, settled} from '../transport/manual-clock.js';
import {family} from './family.js';
import {assistant, hear, only, run, session, settle, start, story, user} from './wire.js';

await Promise.all([loadModel(), loadServer()]);

const work = () =>
  run().thinks('Hm.').uses('c1', 'read_file', {path: 'a.md'}, 'A').says('It is ', 'dry.').done().end();
const messages = [user('Dry?', 100), assistant('It is dry.', 104)];
const bytes = (from = 0, to?: number) =>
  work()
    .frames.slice(from, to)
    .map((frame) => encodeFrame(frame))
    .join('');

family(
  15,
  'every tab is an observer of its own: one that came late ends with the same answer and end',
  () => {
    const {frames} = work();
    const early = settle(hear(frames), session(messages));
    for (const from of [1, 3, 4, 5]) {
      const late = only(settle(hear(frames.slice(from), start(createTranscript(), 'r1')), session(messages)));
      const {id, answer, terminal, status, prompt} = only(early);
      assert.deepEqual(
        [late.id, late.answer.toString(), late.terminal, late.status, late.prompt],
        [id, answer.toString(), terminal, status, prompt],
      );
    }
  },
);

family(6, 'recorded reconnects with every kind of cursor end where an undisturbed reader does', () => {
  for (const name of [
    'after-seq',
    'after-event-id',
    'last-event-id',
    'replay-1',
    'cursor-ahead',
    'cursor-malformed',
    'query-beats-header',
  ]) {
    const line = expected[`hermes-webui-real/reconnect-${name}`]!;
    const seen = observe(line);
    const {frames} = observations(seen, 'bare');
    const once = new Map(frames.flat().map((event) => [`${event.seq} ${event.name}`, event]));
    const undisturbed = [...once.values()].sort((a, b) => a.seq! - b.seq!);
    const turn = only(foldRecording(line, 'bare'));
    assert.equal(turn.status, 'settled', name);
    assert.equal(turn.cursor, `${turn.id}:${undisturbed.length}`, name);
    const prose = undisturbed.map((event) =>
      event.type === 'text' && event.channel === 'prose' ? event.text : '',
    );
    assert.ok(prose.join('').endsWith(turn.answer.toString()) && turn.answer.length > 0, name);
  }
});

/** A session whose server answers by script: history by `history`, the stream by the rest in turn. */
function page(source: SessionSource, streams: readonly Answer[], history?: Answer) {
  const server = new ScriptedFetch(...streams);
  const clock = new ManualClock();
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const url = input as string;
    asked.push(url);
    return /history|session_id/.test(url)
      ? history!({url, headers: new Headers(), init})
      : server.fetch(url, init);
  };
  const cell = new Session({clock, random: () => 0});
  const shown: string[][] = [];
  cell.subscribe(() => shown.push(cell.transcript.turns.map(({id, answer}) => `${id} ${answer.toString()}`)));
  cell.open({...source, fetch});
  return {cell, clock, server, shown, asked};
}

const src = '/stream?stream_id=r1';

/** Lets everything that can go on by itself go on, and half a minute pass with each step, until it is so. */
async function until(
  {clock}: {readonly clock: ManualClock},
  isSo: () => boolean,
  milliseconds = 30_000,
): Promise<void> {
  for (let step = 0; !isSo(); step++) {
    assert.ok(step < 100, 'it never came to that');
    await clock.pass(milliseconds);
  }
}

const isOver = (cell: Session) => cell.connection.phase === 'ended' || cell.connection.phase === 'lost';

family(10, 'a history that answers after the turn is over does not set it running again', async () => {
  const pending = {
    updated_at: 101,
    pending_user_message: 'Dry?',
    pending_started_at: 100,
    active_stream_id: 'r1',
  };
  let release = (_: Response) => {};
  const held = new Promise<Response>((resolve) => (release = resolve));
  const source = {base: '/hermes', sessionId: 'a1c0', wire: 'hermes-webui'};
  const here = page(source, [pieces([bytes()])], () => held);
  const {cell} = here;
  await until(here, () => here.asked.length === 1);
  cell.begin({runId: 'r1', streamId: 'r1'});
  // Sooner than a history is waited for.
  await until(here, () => isOver(cell), 100);
  release(Response.json({session: session([], pending)}));
  await until(here, () => cell.transcript.turns[0]?.prompt === 'Dry?');
  const [turn] = cell.transcript.turns;
  assert.deepEqual(story(turn!), ['reasoning Hm.', 'tool:c1 completed', 'answer It is dry.']);
  assert.deepEqual([cell.transcript.turns.length, turn!.terminal], [1, 'completed']);
});

family(10, 'what an earlier connection still brings after disconnect() is dropped', async () => {
  let release = (_: Response) => {};
  const held = new Promise<Response>((resolve) => (release = resolve));
  const here = page({history: '/history'}, [pieces([])], () => held);
  await until(here, () => here.asked.length === 1);
  here.cell.disconnect();
  const answer = Response.json({session: session(messages)});
  release(answer);
  await until(here, () => answer.bodyUsed);
  await settled();
  assert.deepEqual(here.cell.transcript.turns, []);
});

family(11, 'after a stream that ended without an end the session is asked, and decides', async () => {
  const part = bytes(0, 5) + encodeFrame({id: 'r1:9', name: 'stream_end', data: {}});
  const here = page({src, history: '/history'}, [pieces([part])], () =>
    Response.json({session: here.asked.length < 3 ? session([], {updated_at: 1}) : session(messages)}),
  );
  await until(here, () => here.cell.transcript.turns[0]?.status === 'settled');
  assert.deepEqual(here.asked, ['/history', src, '/history']);
  assert.equal(here.cell.transcript.turns[0]!.answer.toString(), 'It is dry.');
});

family(16, 'a page that comes back goes on after its last frame and keeps what it showed', async () => {
  const body = new HandBody();
  const here = page({src}, [() => stream(body.stream), pieces([bytes(4)])]);
  const {cell, server, shown} = here;
  body.write(bytes(0, 4));
  await until(here, () => cell.transcript.turns[0]?.cursor === 'r1:4');
  cell.disconnect();
  const kept = cell.transcript;
  cell.connect();
  assert.equal(cell.transcript, kept);
  await until(here, () => isOver(cell));
  assert.deepEqual(
    server.asked.map(({headers}) => headers.get('last-event-id')),
    [null, 'r1:4'],
  );
  assert.deepEqual(story(cell.transcript.turns[0]!), [
    'reasoning Hm.',
    'tool:c1 completed',
    'answer It is dry.',
  ]);
  assert.ok(shown.every((turns) => turns.length === 1));
});

family(62, 'between what a page showed and what it loads there is never nothing', async () => {
  const here = page({src}, [pieces([bytes()])]);
  const {cell, shown, clock} = here;
  await until(here, () => isOver(cell));
  shown.length = 0;
  cell.snapshot = session(messages);
  cell.disconnect();
  cell.connect();
  await clock.pass(60_000);
  assert.ok(shown.length > 0);
  for (const turns of shown) assert.deepEqual(turns, ['r1 It is dry.']);
});

family(46, 'a run whose end is known is not attached again', async () => {
  const here = page({src, history: '/history'}, [pieces([bytes()])], () =>
    Response.json({session: session(messages)}),
  );
  const {cell, asked, clock} = here;
  await until(here, () => isOver(cell));
  cell.disconnect();
  cell.connect();
  await until(here, () => asked.filter((url) => url === '/history').length === 2);
  await clock.pass(60_000);
  assert.deepEqual(asked, ['/history', src, '/history']);
});

family(12, 'a broken connection is a state beside the turn: nothing of the turn goes away', async () => {
  const down: Answer = () => new Response(null, {status: 502});
  const here = page({src}, [pieces([bytes(0, 5)], 'breaks'), down]);
  const {cell, shown} = here;
  await until(here, () => isOver(cell));
  assert.equal(cell.connection.phase, 'lost');
  const whole = shown.slice(shown.findIndex(([turn]) => turn === 'r1 It is dry.'));
  assert.ok(whole.length > 2, 'the reader is told of waiting and of the loss');
  for (const turns of whole) assert.deepEqual(turns, ['r1 It is dry.']);
  assert.equal(cell.transcript.turns[0]!.status, 'running');
});
