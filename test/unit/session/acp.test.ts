import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {loadModel, Session} from '../../../src/session/index.js';
import {loadAcp} from '../../../src/session/load-acp.js';

await loadModel();

const recorded = (name: string) =>
  readFileSync(new URL(`../../fixtures/acp/${name}.ndjson`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');

/** A relay that sends lines as frames, a chunk a line, and says nothing more until it is told to end. */
function relay() {
  let control!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({start: (controller) => void (control = controller)});
  const fetch = () => Promise.resolve(new Response(body, {headers: {'content-type': 'text/event-stream'}}));
  const send = async (lines: readonly string[]) => {
    for (const line of lines) control.enqueue(new TextEncoder().encode(`data: ${line}\n\n`));
    await settled();
  };
  return {fetch, send, end: () => control.close()};
}

/** Until every chunk that is there has been read. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that stands until it is told to go on. */
function standingClock() {
  let now = 0;
  let timers: {at: number; run: () => void}[] = [];
  return {
    now: () => now,
    setTimeout: (run: () => void, ms: number) => {
      const timer = {at: now + ms, run};
      timers.push(timer);
      return timer;
    },
    clearTimeout: (timer: unknown) => void (timers = timers.filter((each) => each !== timer)),
    pass(ms: number) {
      now += ms;
      const due = timers.filter(({at}) => at <= now);
      timers = timers.filter(({at}) => at > now);
      for (const {run} of due) run();
    },
  };
}

function open(wire: string | undefined) {
  const clock = standingClock();
  const {fetch, send, end} = relay();
  const session = new Session({clock, page: null, storage: null});
  session.open({src: '/lines', wire, fetch});
  const turns = () =>
    session.transcript.turns.map(({answer, terminal, status}) => ({
      answer: answer.toString(),
      terminal,
      status,
    }));
  return {session, clock, send, end, turns};
}

const HELLO = 'Hello — this is the **mock** model. 你好 🌍';

for (const wire of ['acp', undefined]) {
  test(`raw lines are read, and loaded for, when ${wire ? 'the wire is named' : 'the first frame tells'}`, async () => {
    const {clock, send, turns} = open(wire);
    await send(recorded('reasonix-text'));
    await loadAcp();
    await settled();
    assert.deepEqual(turns(), [{answer: HELLO, terminal: null, status: 'running'}]);
    clock.pass(499);
    assert.equal(turns()[0]!.terminal, null);
    clock.pass(1);
    assert.deepEqual(turns(), [{answer: HELLO, terminal: 'completed', status: 'settled'}]);
  });
}

test('a line in the grace window begins it again, and its text is not lost', async () => {
  await loadAcp();
  const {clock, send, turns} = open('acp');
  const lines = recorded('reasonix-text');
  const last = lines.findIndex((line) => line.includes('🌍'));
  await send([...lines.slice(0, last), lines.at(-1)!]);
  clock.pass(400);
  await send([lines[last]!]);
  clock.pass(400);
  assert.deepEqual(turns(), [{answer: HELLO, terminal: null, status: 'running'}]);
  clock.pass(100);
  assert.equal(turns()[0]!.terminal, 'completed');
});

test('the next prompt ends the run before it', async () => {
  await loadAcp();
  const {send, turns} = open('acp');
  const lines = recorded('reasonix-cancel-stream');
  const second = lines.findIndex((line) => line.includes('HELLO again'));
  await send(lines.slice(0, second + 1));
  assert.deepEqual(
    turns().map(({terminal}) => terminal),
    ['cancelled', null],
  );
});

test('the end of the body ends the run, and nothing was lost', async () => {
  await loadAcp();
  const {session, send, end, turns} = open('acp');
  await send(recorded('reasonix-tool-allow'));
  end();
  await settled();
  assert.deepEqual(turns(), [
    {answer: 'Done: the tool result was received. ✅', terminal: 'completed', status: 'settled'},
  ]);
  assert.equal(session.connection.phase, 'ended');
  assert.equal(session.connection.error, null);
});

test('a body that ends in the middle of a run is a lost connection', async () => {
  await loadAcp();
  const {session, send, end, turns} = open('acp');
  await send(recorded('reasonix-crash-midstream'));
  end();
  await settled();
  assert.equal(turns()[0]!.status, 'running');
  assert.equal(session.connection.phase, 'lost');
});

test('a relay that begins anew gives the same runs, not more of them', async () => {
  await loadAcp();
  const {clock, send, turns} = open('acp');
  const lines = recorded('reasonix-cancel-stream');
  await send(lines.slice(0, 20));
  await send(lines);
  clock.pass(500);
  assert.deepEqual(turns(), [
    {answer: 'tick 0 tick 1 tick 2 tick 3 ', terminal: 'cancelled', status: 'settled'},
    {answer: HELLO, terminal: 'completed', status: 'settled'},
  ]);
});
