/**
 * What every journal promises, as tests that any implementation runs through. A store opens an empty journal; `reopen`
 * closes it and opens what it left.
 */
import assert from 'node:assert/strict';
import {getEventListeners} from 'node:events';
import {describe, test} from 'node:test';
import fc from 'fast-check';
import {
  JournalError,
  type Fence,
  type Journal,
  type JournalErrorCode,
  type JournalFrame,
  type JournalScope,
} from '../../../../src/gateway/journal/journal.js';
import type {RunEvent} from '../../../../src/protocol/index.js';
import {sessionRecord, Speaker} from './run-events.js';

export interface JournalStore {
  readonly journal: Journal;
  reopen(): Promise<Journal>;
  remove(): Promise<void>;
}

export const refuses = (code: JournalErrorCode) => (error: unknown) =>
  error instanceof JournalError && error.code === code && /[.?]$/.test(error.message);

export const entry = (events: readonly RunEvent[], source: string | null = null, at = 5) => ({
  events,
  source,
  at,
});

export const ids = (frames: readonly JournalFrame[]) => frames.map(({run, seq}) => `${run}:${seq}`);

/** Reads a follower until it ends or has `enough`. */
export async function follow(
  journal: Journal,
  scope: JournalScope,
  after: string | null,
  enough = Infinity,
): Promise<JournalFrame[]> {
  const end = new AbortController();
  const frames: JournalFrame[] = [];
  if (enough === 0) return frames;
  for await (const batch of journal.follow(scope, after, end.signal)) {
    frames.push(...batch);
    if (frames.length >= enough) break;
  }
  return frames;
}

export function journalContract(name: string, openStore: () => Promise<JournalStore>): void {
  type Body = (journal: Journal, fence: Fence, store: JournalStore) => Promise<void>;
  const promise = (fact: string, body: Body): void =>
    void test(fact, async () => {
      const store = await openStore();
      try {
        await store.journal.createSession(sessionRecord('s1'));
        await body(store.journal, await store.journal.claim('s1'), store);
      } finally {
        await store.remove();
      }
    });

  describe(`${name}: writing`, () => {
    promise('positions count all frames of a session, seq those of each run', async (journal, fence) => {
      const [run, own] = [new Speaker('s1', 'r1'), new Speaker('s1', 's.s1')];
      await journal.append(fence, entry([run.say(), own.say(), run.say()]));
      await journal.append(fence, entry([own.say(), run.end()]));
      const frames = await journal.read({session: 's1'}, null, 100);
      assert.deepEqual(ids(frames), ['r1:1', 's.s1:1', 'r1:2', 's.s1:2', 'r1:3']);
      assert.deepEqual(
        frames.map(({position}) => position),
        [1, 2, 3, 4, 5],
      );
    });

    promise('what was left out is a gap, and nothing of that entry is kept', async (journal, fence) => {
      const run = new Speaker('s1', 'r1');
      await journal.append(fence, entry([run.say()]));
      await assert.rejects(journal.append(fence, entry([run.say(), run.skip()])), refuses('gap'));
      await assert.rejects(journal.append(fence, entry([new Speaker('s1', 'r2').skip()])), refuses('gap'));
      assert.deepEqual(ids(await journal.read({session: 's1'}, null, 9)), ['r1:1']);
      const again = new Speaker('s1', 'r1');
      again.say();
      await journal.append(fence, entry([again.say()]));
      await assert.rejects(journal.append(fence, entry([new Speaker('s1', 'r1').say()])), refuses('gap'));
    });

    promise(
      'a run says nothing after its terminal event, also after a restart',
      async (journal, fence, store) => {
        const run = new Speaker('s1', 'r1');
        await journal.append(fence, entry([run.say(), run.end()]));
        const late = run.say();
        await assert.rejects(journal.append(fence, entry([late])), refuses('gap'));
        const reopened = await store.reopen();
        await assert.rejects(reopened.append(await reopened.claim('s1'), entry([late])), refuses('gap'));
      },
    );

    promise('a run belongs to one session', async (journal, fence) => {
      await journal.createSession(sessionRecord('s2'));
      const other = await journal.claim('s2');
      const run = new Speaker('s1', 'r1');
      await journal.append(fence, entry([run.say()]));
      await assert.rejects(journal.append(other, entry([run.say()])), refuses('gap'));
      await assert.rejects(journal.append(other, entry([new Speaker('s1', 's.s1').say()])), refuses('gap'));
    });

    promise(
      'a new claim fences the earlier ones, before and after a restart',
      async (journal, old, store) => {
        const run = new Speaker('s1', 'r1');
        const promised = journal.append(old, entry([run.say()]));
        const fence = await journal.claim('s1');
        await promised;
        const next = run.say();
        await assert.rejects(journal.append(old, entry([next])), refuses('fenced'));
        await journal.append(fence, entry([next]));
        const reopened = await store.reopen();
        const newest = await reopened.claim('s1');
        await assert.rejects(reopened.append(fence, entry([run.say()])), refuses('fenced'));
        const speaker = new Speaker('s1', 'r9');
        await reopened.append(newest, entry([speaker.say()]));
        assert.deepEqual(ids(await reopened.read({session: 's1'}, null, 9)), ['r1:1', 'r1:2', 'r9:1']);
      },
    );

    promise('nothing is read before its append is durable', async (journal, fence) => {
      const run = new Speaker('s1', 'r1');
      const appended = journal.append(fence, entry([run.say()]));
      assert.deepEqual(await journal.read({session: 's1'}, null, 9), []);
      await appended;
      assert.equal((await journal.read({session: 's1'}, null, 9)).length, 1);
    });

    promise('appends of many sessions at once resolve in the order of the calls', async (journal) => {
      const order: number[] = [];
      const appended = await Promise.all(
        Array.from({length: 20}, async (_, n) => {
          await journal.createSession(sessionRecord(`many${n}`));
          return journal.claim(`many${n}`);
        }),
      );
      await Promise.all(
        appended.map((fence, n) =>
          journal
            .append(fence, entry([new Speaker(fence.session, `r.${n}`).say()]))
            .then(() => order.push(n)),
        ),
      );
      assert.deepEqual(order, [...order.keys()]);
    });
  });

  describe(`${name}: reading`, () => {
    promise('a run is read without the rest of its session', async (journal, fence) => {
      const [one, two, own] = ['r1', 'r2', 's.s1'].map((run) => new Speaker('s1', run));
      await journal.append(
        fence,
        entry([one!.say(), own!.say(), one!.end(), two!.say(), own!.say(), two!.end()]),
      );
      assert.deepEqual(ids(await journal.read({run: 'r1'}, null, 9)), ['r1:1', 'r1:2']);
      assert.deepEqual(ids(await journal.read({run: 'r2'}, 'r2:1', 9)), ['r2:2']);
      assert.deepEqual(ids(await journal.read({run: 's.s1'}, 's.s1:1', 9)), ['s.s1:2']);
      assert.deepEqual(ids(await journal.read({session: 's1'}, 'r1:2', 2)), ['r2:1', 's.s1:2']);
      assert.deepEqual(ids(await follow(journal, {run: 'r2'}, null)), ['r2:1', 'r2:2']);
      assert.deepEqual(ids(await follow(journal, {run: 'r1'}, 'r1:2')), []);
    });

    promise('an unknown cursor reads from the start', async (journal, fence) => {
      const run = new Speaker('s1', 'r1');
      await journal.append(fence, entry([run.say(), run.end()]));
      for (const cursor of [
        'r1:9',
        'r1:0',
        'r7:1',
        'nonsense',
        ':',
        '',
        's.s1:1',
        's.s2:1',
        'r1:1e9',
        '__proto__:1',
      ]) {
        assert.equal((await journal.read({run: 'r1'}, cursor, 9)).length, 2, cursor);
        assert.equal((await follow(journal, {run: 'r1'}, cursor)).length, 2, cursor);
      }
    });

    promise('what is not there is refused with a sentence', async (journal) => {
      await assert.rejects(follow(journal, {run: 'r9'}, null), refuses('unknown-run'));
      await assert.rejects(follow(journal, {session: 's9'}, null), refuses('unknown-session'));
      await assert.rejects(journal.read({run: 's.s9'}, null, 1), refuses('unknown-session'));
      await assert.rejects(journal.claim('s9'), refuses('unknown-session'));
      await assert.rejects(journal.append({session: 's9', token: 1}, entry([])), refuses('unknown-session'));
      await assert.rejects(journal.updateSession('s9', {title: 'x'}), refuses('unknown-session'));
      assert.equal(await journal.session('s9'), null);
      assert.equal(await journal.run('r9'), null);
      assert.equal(await journal.run('s.s9'), null);
    });

    promise('a replay is the bytes that were live, whatever the text', async (journal, fence, store) => {
      const run = new Speaker('s1', 'r1');
      const texts = ['', '\0', '\ud800 alone', '  \r\n', '"\\', '😀', 'é'.repeat(70_000), '<!--'];
      const live = follow(journal, {run: 'r1'}, null);
      // The run must be there to be followed; its reader then waits.
      await assert.rejects(live, refuses('unknown-run'));
      await journal.append(fence, entry([run.say('first')]));
      const following = follow(journal, {run: 'r1'}, null);
      for (const text of texts) await journal.append(fence, entry([run.say(text)]));
      await journal.append(fence, entry([run.end()]));
      const seen = await following;
      assert.equal(seen.length, texts.length + 2);
      assert.deepEqual(await journal.read({run: 'r1'}, null, 99), seen);
      const reopened = await store.reopen();
      assert.deepEqual(await reopened.read({run: 'r1'}, null, 99), seen);
      for (const {run: id, seq} of seen) {
        assert.deepEqual(
          await follow(reopened, {run: 'r1'}, `${id}:${seq}`),
          seen.slice(seq),
          `after ${seq}`,
        );
      }
    });

    promise('readers that keep up get one and the same batch', async (journal, fence) => {
      const run = new Speaker('s1', 'r1');
      await journal.append(fence, entry([run.say()]));
      const end = new AbortController();
      const readers = Array.from({length: 5}, () => journal.follow({run: 'r1'}, 'r1:1', end.signal));
      const batches = readers.map((reader) => reader.next());
      await journal.append(fence, entry([run.say(), run.say()]));
      const values = new Set((await Promise.all(batches)).map(({value}) => value as unknown));
      assert.equal(values.size, 1);
      end.abort();
      for (const reader of readers) assert.equal((await reader.next()).done, true);
    });

    promise('a reader that does not ask holds nothing back and misses nothing', async (journal, fence) => {
      const run = new Speaker('s1', 'r1');
      await journal.append(fence, entry([run.say()]));
      const end = new AbortController();
      const slow = journal.follow({session: 's1'}, null, end.signal);
      const first = await slow.next();
      for (let n = 0; n < 40; n++) {
        await journal.append(fence, entry(Array.from({length: 50}, () => run.say())));
      }
      await journal.append(fence, entry([run.end()]));
      const seen = [...(first.value as readonly JournalFrame[])];
      for await (const batch of slow) {
        seen.push(...batch);
        if (seen.length === 2002) break;
      }
      assert.deepEqual(
        ids(seen),
        Array.from({length: 2002}, (_, n) => `r1:${n + 1}`),
      );
    });

    promise('a follower that is aborted ends, also while it waits', async (journal, fence) => {
      await journal.append(fence, entry([new Speaker('s1', 'r1').say()]));
      const end = new AbortController();
      const reader = journal.follow({session: 's1'}, 'r1:1', end.signal);
      const next = reader.next();
      end.abort();
      assert.deepEqual(await next, {done: true, value: undefined});
      assert.deepEqual(ids(await follow(journal, {session: 's1'}, null, 1)), ['r1:1']);
      const aborted = journal.follow({session: 's1'}, null, AbortSignal.abort());
      assert.equal((await aborted.next()).done, true);
    });

    promise('a follower leaves nothing on its signal, however it ends', async (journal, fence) => {
      const run = new Speaker('s1', 'r1');
      await journal.append(fence, entry([run.say()]));
      const end = new AbortController();
      const listeners = () => getEventListeners(end.signal, 'abort').length;
      const left = journal.follow({session: 's1'}, null, end.signal);
      const waiting = journal.follow({session: 's1'}, 'r1:1', end.signal);
      const ending = journal.follow({run: 'r1'}, null, end.signal);
      await left.next();
      await ending.next();
      const last = Promise.all([waiting.next(), ending.next()]);
      await left.return(undefined);
      await journal.append(fence, entry([run.end()]));
      await last;
      assert.equal((await ending.next()).done, true);
      assert.equal(listeners(), 1, 'only the one that goes on');
      end.abort();
      assert.equal((await waiting.next()).done, true);
      assert.equal(listeners(), 0);
    });

    promise(
      'any interleaving of appends and followers: each sees all after its cursor, once, in order',
      async () => {
        const step = fc.oneof(
          fc.record({
            do: fc.constant('append' as const),
            runs: fc.array(fc.nat(2), {minLength: 1, maxLength: 6}),
          }),
          fc.record({
            do: fc.constant('follow' as const),
            cursor: fc.option(fc.nat(40)),
            of: fc.option(fc.nat(2)),
          }),
          fc.record({do: fc.constant('wait' as const)}),
        );
        await fc.assert(
          fc.asyncProperty(fc.array(step, {maxLength: 30}), async (steps) => {
            const store = await openStore();
            try {
              await interleave(store, steps);
            } finally {
              await store.remove();
            }
          }),
          {numRuns: 60},
        );
      },
    );
  });

  describe(`${name}: records`, () => {
    promise('a session is what was said of it', async (journal, _fence, store) => {
      await journal.updateSession('s1', {
        title: 'Notes',
        agentSessionId: 'a1',
        settings: {mode: 'plan'},
        updatedAt: 7,
      });
      await journal.createSession(sessionRecord('s2', 'me', 3));
      await journal.createSession(sessionRecord('s3', 'you', 9));
      const reopened = await store.reopen();
      const changed = {title: 'Notes', agentSessionId: 'a1', settings: {mode: 'plan'}, updatedAt: 7};
      assert.deepEqual(await reopened.session('s1'), {...sessionRecord('s1'), ...changed});
      assert.deepEqual(
        (await reopened.sessions('me')).map(({id}) => id),
        ['s1', 's2'],
      );
    });

    promise(
      'runs are open until their terminal event; s.<session> is none of them',
      async (journal, fence, store) => {
        const [one, two, own] = ['r1', 'r2', 's.s1'].map((run) => new Speaker('s1', run));
        const empty = {id: 's.s1', session: 's1', lastSeq: 0, ended: false};
        assert.deepEqual(await journal.run('s.s1'), empty);
        await journal.append(
          fence,
          entry([one!.say(), own!.say(), own!.say(), one!.end(), two!.say(), two!.say()]),
        );
        const first = {id: 'r1', session: 's1', lastSeq: 2, ended: true};
        const second = {id: 'r2', session: 's1', lastSeq: 2, ended: false};
        const reopened = await store.reopen();
        assert.deepEqual(await reopened.runs('s1'), [first, second]);
        assert.deepEqual(await reopened.openRuns(), [second]);
        assert.deepEqual(await reopened.run('r1'), first);
        assert.deepEqual(await reopened.run('s.s1'), {...empty, lastSeq: 2});
      },
    );

    promise(
      'sources stand in their order, with events and without, and are bounded',
      async (journal, fence) => {
        const run = new Speaker('s1', 'r1');
        await journal.append(fence, entry([], 'noise'));
        await journal.append(fence, entry([run.say(), run.say()], 'two events', 6));
        await Promise.all([
          journal.append(fence, entry([], 'between', 7)),
          journal.append(fence, entry([run.end()], 'the end', 8)),
        ]);
        const sources = await journal.sources('s1', 9);
        assert.deepEqual(
          sources.map(({at, source}) => `${at} ${source}`),
          ['5 noise', '6 two events', '7 between', '8 the end'],
        );
        assert.deepEqual(await journal.sources('s1', 2), sources.slice(2));
        await Promise.all(Array.from({length: 1500}, (_, n) => journal.append(fence, entry([], `${n}`))));
        await journal.append(fence, entry([new Speaker('s1', 'r2').say()], 'x'.repeat(3_000_000)));
        assert.ok((await journal.sources('s1', 1))[0]!.source.length <= 1024 * 1024);
        const kept = (await journal.sources('s1', 10_000)).slice(0, -1);
        assert.equal(kept.at(-1)!.source, '1499');
        assert.ok(kept.length <= 1010, `${kept.length} kept`);
      },
    );

    promise('pruning removes old sessions, and none with an open run', async (journal, fence, store) => {
      await journal.createSession(sessionRecord('s2', 'me', 1));
      await journal.createSession(sessionRecord('s3', 'me', 90));
      const other = await journal.claim('s2');
      await journal.append(fence, entry([new Speaker('s1', 'r1').say()]));
      const run = new Speaker('s2', 'r2');
      await journal.append(other, entry(Array.from({length: 5000}, () => run.say())));
      await journal.append(other, entry([run.end()], 'x'));
      assert.equal(await journal.prune(50), 1);
      const reopened = await store.reopen();
      assert.deepEqual(
        (await reopened.sessions('me')).map(({id}) => id),
        ['s3', 's1'],
      );
      await reopened.createSession(sessionRecord('s2'));
      assert.deepEqual(await reopened.read({session: 's2'}, null, 9), []);
      assert.equal((await reopened.run('s.s2'))!.lastSeq, 0);
    });

    promise('a removed session ends its readers and refuses its writers', async (journal, fence) => {
      const run = new Speaker('s1', 'r1');
      await journal.append(fence, entry([run.say()]));
      const reading = follow(journal, {session: 's1'}, 'r1:1');
      const refused = assert.rejects(reading, refuses('closed'));
      await journal.removeSession('s1');
      await refused;
      await assert.rejects(journal.append(fence, entry([run.say()])), refuses('unknown-session'));
      assert.deepEqual(await journal.openRuns(), []);
      assert.equal(await journal.run('r1'), null);
    });

    promise('a closed journal refuses, and its readers end', async (journal, fence) => {
      const run = new Speaker('s1', 'r1');
      const written = journal.append(fence, entry([run.say()]));
      const reading = assert.rejects(follow(journal, {session: 's1'}, null), refuses('closed'));
      await journal.close();
      await written;
      await reading;
      await assert.rejects(journal.append(fence, entry([run.say()])), refuses('closed'));
      await assert.rejects(journal.session('s1'), refuses('closed'));
      await journal.close();
    });
  });
}

type Step =
  | {readonly do: 'append'; readonly runs: readonly number[]}
  | {readonly do: 'follow'; readonly cursor: number | null; readonly of: number | null}
  | {readonly do: 'wait'};

/** Carries the steps out, then says what every follower should have seen. Run 0 is the session's own. */
async function interleave({journal}: JournalStore, steps: readonly Step[]): Promise<void> {
  const names = ['s.s1', 'r1', 'r2'];
  const speakers = names.map((run) => new Speaker('s1', run));
  await journal.createSession(sessionRecord('s1'));
  const fence = await journal.claim('s1');
  const said: RunEvent[] = [];
  const end = new AbortController();
  const readers: {readonly expected: () => RunEvent[]; readonly seen: Promise<JournalFrame[]>}[] = [];
  let appended: Promise<unknown> = journal.append(
    fence,
    entry(speakers.map((speaker) => note(speaker.say()))),
  );
  function note(event: RunEvent): RunEvent {
    said.push(event);
    return event;
  }
  await appended;
  for (const step of steps) {
    if (step.do === 'append') {
      appended = journal.append(fence, entry(step.runs.map((run) => note(speakers[run]!.say()))));
    } else if (step.do === 'wait') {
      await appended;
    } else {
      const known = await journal.read({session: 's1'}, null, 1000);
      const at = step.cursor === null ? undefined : known[step.cursor % known.length];
      const cursor = at ? `${at.run}:${at.seq}` : null;
      const of = step.of === null ? null : names[step.of]!;
      const scope = of === null ? {session: 's1'} : {run: of};
      readers.push({
        expected: () => said.slice(at?.position ?? 0).filter(({run_id}) => of === null || run_id === of),
        seen: collect(journal, scope, cursor, end.signal),
      });
    }
  }
  for (const speaker of speakers.slice(1)) appended = journal.append(fence, entry([note(speaker.end())]));
  await appended;
  const all = await journal.read({session: 's1'}, null, 1000);
  assert.deepEqual(
    all.map(({data}) => data),
    said.map((event) => JSON.stringify(event)),
  );
  await new Promise((resolve) => setImmediate(resolve));
  end.abort();
  for (const {expected, seen} of readers) {
    const wanted = expected().map((event) => JSON.stringify(event));
    assert.deepEqual(
      (await seen).map(({data}) => data),
      wanted,
    );
  }
}

async function collect(
  journal: Journal,
  scope: JournalScope,
  after: string | null,
  signal: AbortSignal,
): Promise<JournalFrame[]> {
  const frames: JournalFrame[] = [];
  for await (const batch of journal.follow(scope, after, signal)) frames.push(...batch);
  return frames;
}
