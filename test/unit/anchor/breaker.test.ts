/** What someone who tried to break the model found, each as a test. */
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  applySettled,
  applySnapshot,
  applyTurnEvents,
  beginTurn,
  createTranscript,
  stripPrototypeKeys,
  toSnapshot,
  unrelatedSessions,
  type ControlEvent,
  type Json,
  type TurnEvent,
} from '../../../src/anchor/index.js';
import {
  call,
  control,
  end,
  message,
  result,
  run,
  session,
  text,
  thought,
  token,
  tool,
  toolEnd,
} from './turn-events.js';

const ids = (events: readonly TurnEvent[]) =>
  toSnapshot(applyTurnEvents(createTranscript(), events)).turns[0]!.items.map(({id}) => id);

const named = (sessionId: string, events: TurnEvent[]) => events.map((event) => ({...event, sessionId}));

describe('ownership', () => {
  test('a run of text alone names its session as well as any', () => {
    const other = named('s2', run('r9', token('Hello '), token('there.')));
    for (const events of [other, other.toReversed()]) {
      const transcript = applyTurnEvents(createTranscript({sessionId: 's1'}), events);
      assert.deepEqual([transcript.turns.length, unrelatedSessions(transcript)], [0, ['s2']]);
    }
  });

  test('events of the session itself are told once and in their order', () => {
    const note: TurnEvent = {
      type: 'notice',
      run: 's.s1',
      seq: 1,
      name: 'notice',
      text: 'Moved.',
      topic: null,
    };
    const title = (seq: number, value: string): TurnEvent => ({
      type: 'meta',
      run: 's.s1',
      seq,
      name: 'session.info',
      title: value,
    });
    for (const events of [
      [note, title(2, 'A'), title(3, 'B'), note],
      [title(3, 'B'), note, title(2, 'A')],
    ]) {
      const {session: facts, turns} = applyTurnEvents(createTranscript({sessionId: 's1'}), events);
      assert.deepEqual([facts.title, facts.notices.length, turns.length], ['B', 1, 0]);
    }
  });
});

describe('turns', () => {
  test('two runs begun within one second find their own messages', () => {
    const messages = [
      message('prompt', 100, text('Q1')),
      message('assistant', 101, text('A1')),
      message('prompt', 100, text('Q2')),
      message('assistant', 102, text('A2')),
    ];
    let transcript = createTranscript();
    transcript = beginTurn(transcript, {runId: 'r2', startedAtSeconds: 100.8});
    transcript = beginTurn(transcript, {runId: 'r1', startedAtSeconds: 100.2});
    transcript = applyTurnEvents(transcript, [
      ...run('r1', token('A1'), end()),
      ...run('r2', token('A2'), end()),
    ]);
    const turns = toSnapshot(applySettled(transcript, session(messages))).turns;
    assert.deepEqual(
      turns.map(({id, answer}) => [id, answer]),
      [
        ['r1', 'A1'],
        ['r2', 'A2'],
      ],
    );
  });

  test('two runs of one turn, the later with a hole: the messages give the items, enriched by call id', () => {
    const messages = [
      message('prompt', 10, text('Go')),
      message('assistant', 11, text('Working.'), call('c1')),
      message('tool', 11, result('c1', 'one')),
      message('assistant', 12, call('c2')),
      message('tool', 12, result('c2', 'two')),
      message('assistant', 13, text('Final.')),
    ];
    let transcript = createTranscript();
    for (const id of ['a', 'b']) transcript = beginTurn(transcript, {runId: id, startedAtSeconds: 10});
    transcript = applyTurnEvents(transcript, [
      ...run('a', end('interrupted')),
      tool('c1')('b', 1),
      end()('b', 8),
    ]);
    const turn = toSnapshot(applySettled(transcript, session(messages))).turns[0]!;
    assert.deepEqual(
      [turn.items.map(({id}) => id), turn.answer, turn.degraded],
      [['prose:0:0', 'tool:c1', 'tool:c2'], 'Final.', false],
    );
  });

  test('a run that a server gave a made-up end takes what it missed from the messages', () => {
    const messages = [
      message('prompt', 10, text('Go')),
      message('assistant', 11, call('c1'), call('c2', 'terminal')),
      message('tool', 11, result('c1', 'one')),
      message('tool', 11, result('c2', 'two')),
      message('assistant', 12, text('Done.')),
    ];
    const made = {
      ...end('interrupted')('r', 9),
      seq: null,
      borrows: true,
      strength: 'synthetic',
    } as TurnEvent;
    const begun = beginTurn(createTranscript(), {runId: 'r', startedAtSeconds: 10});
    const heard = applyTurnEvents(begun, [...run('r', tool('c1'), toolEnd('c1')), made]);
    const turn = toSnapshot(applySettled(heard, session(messages))).turns[0]!;
    assert.deepEqual(
      [turn.items.map(({id}) => id), turn.answer, turn.terminal],
      [['tool:c1', 'tool:c2'], 'Done.', 'completed'],
    );
  });

  test('a pending turn shows what was saved of it, and then what is heard since', () => {
    const messages = [
      message('prompt', 10, text('Go')),
      message('assistant', 11, text('Looking.'), call('c1')),
      message('tool', 11, result('c1', 'one')),
    ];
    const pending = session(messages, {pending: {prompt: 'Go', startedAt: 10}, activeRun: 'r'});
    const saved = applySettled(createTranscript(), pending);
    const first = toSnapshot(saved).turns;
    assert.deepEqual(
      [first.length, first[0]!.status, first[0]!.items.map(({id}) => id)],
      [1, 'running', ['prose:0:0', 'tool:c1']],
    );
    const later = toSnapshot(applyTurnEvents(saved, [token('And now.')('r', 9)])).turns[0]!;
    assert.deepEqual([later.items.map(({id}) => id), later.answer], [['prose:0:0', 'tool:c1'], 'And now.']);
  });
});

describe('identity', () => {
  test('no two items share an id, whatever a producer calls its calls', () => {
    const odd = run(
      'r',
      tool(null),
      tool('#0'),
      tool('x'),
      toolEnd('x'),
      tool('x~2'),
      tool('x'),
      toolEnd('x'),
      tool('x'),
    );
    const all = ids(odd);
    assert.equal(new Set(all).size, all.length, all.join());
  });

  test('an approval without an id never meets one whose id looks like ours', () => {
    const anonymous = {...control('')('r', 1), controlId: null} as ControlEvent;
    const all = ids([anonymous, control('permission:0')('r', 2), control('#permission:0')('r', 3)]);
    assert.equal(all.length, 3);
  });

  test('background tasks without an id are each a fact', () => {
    const done = (label: string, seq: number | null): TurnEvent => ({
      type: 'side-effect',
      run: 'r',
      seq,
      name: 'bg_task_complete',
      borrows: true,
      kind: 'background',
      action: 'finished',
      label,
    });
    for (const seq of [null, 1]) {
      const events = [...run('r', token('a')), done('p1', seq), done('p2', seq)];
      const {sideEffects} = toSnapshot(applyTurnEvents(createTranscript(), events)).turns[0]!;
      assert.deepEqual(
        sideEffects.map(({name}) => name),
        ['p1', 'p2'],
      );
    }
  });

  test('a thought said again is known by the deltas before it, not by its text', () => {
    const again = (value: string) => (id: string, seq: number) =>
      ({...thought(value)(id, seq), claim: 'already-streamed'}) as TurnEvent;
    const shown = (...events: Parameters<typeof run> extends [string, ...infer E] ? E : never) =>
      toSnapshot(applyTurnEvents(createTranscript(), run('r', ...events))).turns[0]!.items.map(
        (item) => item.text,
      );
    assert.deepEqual(shown(thought('I doubt it is ok'), again('I doubt')), ['I doubt it is ok']);
    assert.deepEqual(shown(again('One.'), again('One.')), ['One.One.']);
    assert.deepEqual(shown(thought('A'), again('A'), thought('B'), again('B')), ['AB']);
  });

  test('a prompt that is asked again waits again', () => {
    const asked = control('q1', 'until-next', 'clarify');
    const states = toSnapshot(applyTurnEvents(createTranscript(), run('r', asked, tool('c'), asked)))
      .turns[0]!;
    assert.equal(states.items.find(({kind}) => kind === 'control')!.control!.status, 'pending');
  });
});

describe('cost', () => {
  /** Steps counted, not time: a list that is read whole each time would be read n² times. */
  test('one batch in reverse is joined in one go', () => {
    const events = run('r', ...Array.from({length: 20_000}, () => token('a'))).toReversed();
    const turn = applyTurnEvents(createTranscript(), events).turns[0]!;
    assert.equal(turn.answer.length, 20_000);
    assert.equal(turn.cursor, 'r:20000');
  });

  test('an event behind the end of a long turn looks for no shifted ids', () => {
    const work = run('r', ...Array.from({length: 400}, (_, n) => tool(`c${n}`)));
    const before = applyTurnEvents(createTranscript(), work);
    const after = applyTurnEvents(before, [toolEnd('c0')('r', 401)]);
    assert.equal(after.turns[0]!.renamed, null);
  });

  test('what waits behind a hole holds no session', () => {
    const messages = [message('prompt', 1, text('x'.repeat(1000)))];
    const held = applyTurnEvents(createTranscript(), [end('completed', session(messages))('r', 5)]);
    const waiting = JSON.stringify(held.evidence.runs.get('r')!.facts);
    assert.ok(!waiting.includes('xxx'));
  });
});

describe('snapshots of anybody', () => {
  const wrong: readonly Json[] = [null, 1, 'x', [], [null], {}, true];
  const keys = Object.keys(
    toSnapshot(applyTurnEvents(createTranscript(), run('r', token('a'), tool('c')))).turns[0]!,
  );
  for (const key of keys.filter((name) => name !== 'id')) {
    test(`whatever stands under ${key}, the rest is shown`, () => {
      for (const value of wrong) {
        const json = {
          format: 'hermes.transcript.v1',
          session: {[key]: value},
          turns: [{id: 'r1', answer: 'Hello.', [key]: value}],
        };
        for (const rank of ['history', 'cache'] as const) {
          const transcript = applySnapshot(createTranscript(), json, rank);
          assert.equal(transcript.turns[0]!.id, 'r1');
          assert.doesNotThrow(() => toSnapshot(applyTurnEvents(transcript, run('r1', token('b'), end()))));
        }
      }
    });
  }

  test('the same snapshot again and again is the same evidence', () => {
    const json = {
      format: 'hermes.transcript.v1',
      session: {id: 'new', aliases: ['old']},
      turns: [{id: 'r1', answer: 'Hi.'}],
    };
    let transcript = createTranscript();
    for (let n = 0; n < 50; n++) transcript = applySnapshot(transcript, json, 'history');
    assert.equal(transcript.evidence.payloadLinks.length, 1);
    assert.equal(transcript.turns.length, 1);
  });

  test('arguments nested deeper than anything can print are cut, not fatal', () => {
    let deep: Json = 'end';
    for (let n = 0; n < 20_000; n++) deep = {a: deep};
    const kept = stripPrototypeKeys(deep);
    assert.match(JSON.stringify(kept), /\[MaxDepth\]/);
  });
});
