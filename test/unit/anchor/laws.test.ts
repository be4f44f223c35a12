/** The laws of the model, one table or sentence each; those about order are also proved on every recording. */
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  applySettled,
  applyTurnEvents,
  beginTurn,
  createTranscript,
  toSnapshot,
  unrelatedSessions,
  type FoldedTranscript,
  type TerminalState,
  type TurnEvent,
  type TurnJson,
} from '../../../src/anchor/index.js';
import {
  call,
  control,
  end,
  excluded,
  interim,
  message,
  meta,
  phase,
  result,
  run,
  session,
  text,
  thought,
  token,
  tool,
  toolEnd,
} from './turn-events.js';

function fold(events: readonly TurnEvent[], from = createTranscript()): FoldedTranscript {
  return applyTurnEvents(from, events);
}

function only(transcript: FoldedTranscript): TurnJson {
  const {turns} = toSnapshot(transcript);
  assert.equal(turns.length, 1);
  return turns[0]!;
}

/** Items and answer as lines a person can read. */
function sketch(turn: TurnJson): string {
  const lines = turn.items.map(({kind, text: said, tool: details, control: asked, status}) => {
    if (details) return `tool ${details.callId} ${details.status}`;
    if (asked) return `control ${asked.id} ${asked.status}`;
    return kind === 'lifecycle' || kind === 'terminal' ? `${kind} ${status}` : `${kind} ${said}`;
  });
  return [...lines, ...(turn.answer === '' ? [] : [`answer ${turn.answer}`])].join('\n');
}

describe('law 1, identity', () => {
  test('a name that borrows a position fills no hole and moves no cursor', () => {
    const events = run('r', token('a'), token('b'));
    const cancel: TurnEvent = {...end('cancelled')('r', 2), borrows: true};
    const turn = only(fold([events[0]!, cancel]));
    assert.equal(turn.cursor, 'r:1');
    assert.equal(turn.terminal, 'cancelled');
    assert.equal(only(fold([events[0]!, cancel, events[1]!])).answer, 'ab');
  });

  test('of two other names at one position the first stands, the other is counted as borrowed', () => {
    const turn = only(fold([...run('r', token('a'), token('b')), thought('late')('r', 2)]));
    assert.equal(turn.answer, 'ab');
    assert.equal(turn.stats.borrowed, 1);
  });

  test('frames without identity are appended and never dropped, however alike', () => {
    const loose: TurnEvent = {
      type: 'text',
      run: 'r',
      seq: null,
      name: 'message.delta',
      channel: 'prose',
      text: 'ha ',
    };
    assert.equal(only(fold([loose, loose, {...loose}])).answer, 'ha ha ha ');
  });

  test('two copies of one background task are one side effect, whatever their names', () => {
    const done = (name: string): TurnEvent => ({
      type: 'side-effect',
      run: 'r',
      seq: 1,
      name,
      borrows: true,
      kind: 'background',
      action: 'finished',
      label: 'p7',
      ownId: 'e1',
    });
    const turn = only(fold([...run('r', token('a')), done('bg_task_complete'), done('process_complete')]));
    assert.deepEqual(turn.sideEffects, [{kind: 'background', action: 'finished', name: 'p7'}]);
  });
});

describe('law 4, cost', () => {
  test('a duplicate leaves the transcript untouched', () => {
    const events = run('r', token('a'), tool('c'), toolEnd('c'), token('b'));
    const once = fold(events);
    assert.equal(fold(events, once), once);
    assert.equal(fold([events[1]!], once), once);
  });

  test('a token in one turn keeps the reference of every other turn', () => {
    const before = fold([...run('r1', token('a'), end()), ...run('r2', token('b'))]);
    const after = fold([token('c')('r2', 2)], before);
    assert.equal(after.turns[0], before.turns[0]);
    assert.notEqual(after.turns[1], before.turns[1]);
  });

  test('settled history that says the same again keeps every turn', () => {
    const payload = () =>
      session([message('prompt', 1, text('Hi')), message('assistant', 2, text('Hello.'))]);
    const once = applySettled(createTranscript(), payload());
    assert.equal(applySettled(once, {...payload(), updatedAt: 200}).turns[0], once.turns[0]);
  });

  test('an older transcript is not changed by what is folded after it', () => {
    const before = fold(run('r', token('a'), tool('c')));
    const kept = JSON.stringify(toSnapshot(before).turns[0]!.items);
    fold([toolEnd('c')('r', 3), token('b')('r', 4)], before);
    fold([token('other')('r', 3)], before);
    assert.equal(JSON.stringify(toSnapshot(before).turns[0]!.items), kept);
  });
});

describe('law 5, text has one owner', () => {
  const rows: readonly (readonly [string, TurnEvent[], string])[] = [
    ['neighbouring deltas are one item', run('r', token('a'), meta, token('b'), end()), 'answer ab'],
    [
      'a tool start ends the message',
      run('r', token('a'), tool('c'), toolEnd('c'), token('b')),
      'prose a\ntool c completed\nanswer b',
    ],
    [
      'a thought does not, its parts join in the answer',
      run('r', token('a'), thought('t'), token('b')),
      'reasoning t\nanswer ab',
    ],
    ['a new message id does', run('r', token('a', 'm1'), token('b', 'm2')), 'prose a\nanswer b'],
    ['an interim text does', run('r', token('a'), interim('a'), token('b')), 'prose a\nanswer b'],
    [
      'what a tool follows is worklog prose, also when the turn stops there',
      run('r', token('a'), tool('c'), end('cancelled')),
      'prose a\ntool c cancelled\nterminal cancelled',
    ],
    [
      'the last message is the answer also of a failed turn',
      run('r', token('a'), end('error')),
      'terminal error\nanswer a',
    ],
    [
      'a claim the open message does not end with is a message of its own',
      run('r', token('a'), interim('b'), token('c')),
      'prose a\nprose b\nanswer c',
    ],
    [
      'text that no delta carried stands by itself',
      run('r', interim('a', 'new'), tool('c'), toolEnd('c'), token('b')),
      'prose a\ntool c completed\nanswer b',
    ],
    ['equal sentences are two sentences', run('r', token('Wait. '), token('Wait. ')), 'answer Wait. Wait. '],
    [
      'an echo is cut from the thought before it',
      run('r', thought('Look. Checking.'), interim('Checking.', 'already-streamed', true), tool('c')),
      'reasoning Look.\nprose Checking.\ntool c running',
    ],
    [
      'an echo that is not there cuts nothing',
      run('r', thought('Look.'), interim('Other.', 'new', true), tool('c')),
      'reasoning Look.\nprose Other.\ntool c running',
    ],
    [
      "a tool's end parts prose",
      run('r', tool('c'), token('a'), toolEnd('c'), token('b')),
      'tool c completed\nanswer ab',
    ],
    [
      'a lifecycle row parts prose and keeps the message',
      run('r', token('a'), phase('running'), token('b')),
      'lifecycle completed\nanswer ab',
    ],
    [
      'a thought after the answer does not take it away',
      run('r', token('a'), interim('a'), thought('t'), end()),
      'reasoning t\nanswer a',
    ],
  ];
  for (const [fact, events, lines] of rows) {
    test(fact, () => assert.equal(sketch(only(fold(events))), lines));
  }

  test('in a message with a hole a claim replaces what is there', () => {
    const events = run(
      'r',
      token('Checking '),
      token('the '),
      token('build.'),
      interim('Checking the build.'),
      token('Done.'),
    );
    assert.equal(
      sketch(only(fold(events.filter(({seq}) => seq !== 2)))),
      'prose Checking the build.\nanswer Done.',
    );
  });

  test('items carry the ordinal of their message and their part, live and settled alike', () => {
    const events = run(
      'r',
      thought('t'),
      tool('c'),
      toolEnd('c'),
      token('a'),
      thought('u'),
      token('b'),
      tool('d'),
    );
    assert.deepEqual(
      only(fold(events)).items.map(({id}) => id),
      ['reasoning:0:0', 'tool:c', 'prose:1:0', 'reasoning:1:0', 'prose:1:1', 'tool:d'],
    );
  });
});

describe('law 6, tools', () => {
  test('parallel calls of one name stay apart and close by id in any order', () => {
    const events = run(
      'r',
      tool('a'),
      tool('b'),
      tool('c'),
      toolEnd('b'),
      toolEnd('c', 'read_file', {}, true),
      toolEnd('a'),
    );
    assert.equal(sketch(only(fold(events))), 'tool a completed\ntool b completed\ntool c error');
  });

  test('without ids an end closes the oldest open call of its name', () => {
    const events = run(
      'r',
      tool(null, 'x'),
      tool(null, 'y'),
      tool(null, 'x'),
      toolEnd(null, 'x', {output: '1'}),
    );
    const states = only(fold(events)).items.map((item) => `${item.id} ${item.tool!.status}`);
    assert.deepEqual(states, ['tool:#0 completed', 'tool:#1 running', 'tool:#2 running']);
  });

  test('a completion never takes richer arguments or bodies away', () => {
    const facts = {args: {path: 'a.md'}, output: 'long output'};
    const events = run('r', tool('c', 'x', facts), toolEnd('c', 'x', {args: {}, output: 'short'}));
    const {args, output} = only(fold(events)).items[0]!.tool!;
    assert.deepEqual({args, output}, facts);
  });

  test('an end whose start was lost stands at its own place', () => {
    const events = run('r', token('a'), tool('c'), toolEnd('c'), token('b'));
    assert.equal(
      sketch(only(fold(events.filter(({seq}) => seq !== 2)))),
      'prose a\ntool c completed\nanswer b',
    );
  });

  test('a finished call is not reopened by a producer that counts anew', () => {
    const events = run('r', tool('call_0'), toolEnd('call_0'), tool('call_0'));
    assert.deepEqual(
      only(fold(events)).items.map(({id, tool: details}) => `${id} ${details!.status}`),
      ['tool:call_0 completed', 'tool:call_0~2 running'],
    );
  });

  test('history replaces shown arguments by parsed ones, keeps the longer body, and finds errors', () => {
    const events = run(
      'r',
      tool('c', 'x', {args: {limit: '20'}}),
      toolEnd('c', 'x', {output: 'a long body'}),
      token('Done.'),
      end(),
    );
    const messages = [
      message('prompt', 1, text('Go')),
      message('assistant', 2, call('c', 'x', {args: {limit: 20}})),
      message('tool', 3, result('c', 'short', true)),
      message('assistant', 4, text('Done.')),
    ];
    const transcript = applySettled(fold(events), session(messages));
    const {args, output, status} = only(transcript).items[0]!.tool!;
    assert.deepEqual({args, output, status}, {args: {limit: 20}, output: 'a long body', status: 'error'});
  });

  test('a terminal closes what is open: cancelled when cancelled, else interrupted, never done', () => {
    for (const [state, status] of [
      ['cancelled', 'cancelled'],
      ['completed', 'interrupted'],
      ['error', 'interrupted'],
    ] as const) {
      assert.equal(only(fold(run('r', tool('c'), end(state)))).items[0]!.tool!.status, status);
    }
  });
});

describe('law 7, terminal states', () => {
  const states: readonly TerminalState[] = [
    'connection_lost',
    'degraded',
    'completed',
    'error',
    'no_response',
    'tool_limit_reached',
    'compression_exhausted',
    'interrupted',
    'cancelled',
  ];
  for (const first of states) {
    for (const second of states) {
      test(`${first} and ${second} give the more specific one in either order`, () => {
        const both = run('r', token('a'), end(first), end(second));
        const expected = states[Math.max(states.indexOf(first), states.indexOf(second))];
        assert.equal(only(fold(both)).terminal, expected);
        assert.equal(only(fold(both.toReversed())).terminal, expected);
      });
    }
  }

  test('what a server made up yields to what was observed', () => {
    const made: TurnEvent = {
      ...end('interrupted')('r', 2),
      borrows: true,
      strength: 'synthetic',
      name: 'apperror',
    } as TurnEvent;
    assert.equal(only(fold([...run('r', token('a')), made])).status, 'restoring');
    const turn = only(fold([made, ...run('r', token('a'), token('b'), end())]));
    assert.deepEqual([turn.terminal, turn.status, turn.answer], ['completed', 'settled', 'ab']);
  });

  test('completed without an answer is no response, unless something is missing', () => {
    assert.equal(only(fold(run('r', tool('c'), toolEnd('c'), end()))).terminal, 'no_response');
    assert.equal(only(fold(run('r', token('a'), token('b'), end()).slice(2))).terminal, 'completed');
  });

  test('the end of the transport proves nothing', () => {
    const closed: TurnEvent = {type: 'transport', run: 'r', seq: 2, name: 'stream_end'};
    const turn = only(fold([...run('r', token('a')), closed]));
    assert.deepEqual([turn.terminal, turn.status], [null, 'running']);
  });
});

describe('law 8, gates', () => {
  test('unknown names are counted by name and stand at their position', () => {
    const turn = only(fold(run('r', token('a'), excluded('__proto__'), excluded('novel'), token('b'))));
    assert.equal(turn.cursor, 'r:4');
    assert.deepEqual(Object.entries(turn.stats.excluded), [
      ['__proto__', 1],
      ['novel', 1],
    ]);
  });
});

describe('law 9, ownership', () => {
  const named = (id: string, seq: number, sessionId: string): TurnEvent => ({
    type: 'meta',
    run: id,
    seq,
    name: 'title',
    title: sessionId,
    sessionId,
  });

  test('two sessions interleaved: the one asked for is shown, the other refused and counted', () => {
    const mine = [named('r1', 1, 's1'), token('mine')('r1', 2), end()('r1', 3)];
    const other = [named('r2', 1, 's2'), token('other')('r2', 2), end()('r2', 3)];
    const alone = fold(mine, createTranscript({sessionId: 's1'}));
    for (const events of [
      [...mine, ...other],
      [...other, ...mine],
      mine.flatMap((event, n) => [other[n]!, event]),
    ]) {
      const transcript = fold(events, createTranscript({sessionId: 's1'}));
      assert.deepEqual(toSnapshot(transcript).turns, toSnapshot(alone).turns);
      assert.deepEqual(unrelatedSessions(transcript), ['s2']);
    }
  });

  test('a payload of another session is refused until a link relates it', () => {
    const payload = session([message('prompt', 1, text('Hi')), message('assistant', 2, text('Hello.'))], {
      sessionId: 's9',
      linkedIds: ['s9'],
    });
    const refused = applySettled(createTranscript({sessionId: 's1'}), payload);
    assert.deepEqual([refused.turns.length, unrelatedSessions(refused)], [0, ['s9']]);
    const rotated: TurnEvent = {
      ...phase('completed')('r', 1),
      sessionId: 's1',
      linksSessions: ['s1', 's9'],
    } as TurnEvent;
    const linked = fold([rotated], refused);
    assert.equal(linked.session.id, 's9');
    assert.deepEqual(linked.session.aliases, ['s1']);
    assert.equal(linked.turns[0]!.answer.toString(), 'Hello.');
  });

  test('a title that names another session does not become ours', () => {
    assert.equal(fold([named('r', 1, 's1'), named('r', 2, 's2')]).session.title, 's1');
  });
});

describe('law 10, settlement', () => {
  const prompt = message('prompt', 10.5, text('Go'));
  const answer = message('assistant', 12, text('Settled.'));

  test('settlement updates the one anchor: same id, same rows, the settled text', () => {
    const live = fold(
      run('r', token('Streamed.'), end()),
      beginTurn(createTranscript(), {runId: 'r', startedAtSeconds: 10.5}),
    );
    const settled = applySettled(live, session([prompt, answer]));
    const turn = only(settled);
    assert.deepEqual(
      [turn.id, turn.prompt, turn.answer, turn.finalMessageRef],
      ['r', 'Go', 'Settled.', 'm1'],
    );
    assert.ok(turn.aliases.includes('m0'));
    assert.equal(turn.answerId, 'prose:0:0');
  });

  test('an exact start time beats the whole second of an earlier message', () => {
    const messages = [
      message('prompt', 10, text('First')),
      message('assistant', 10, text('One.')),
      prompt,
      answer,
    ];
    const begun = beginTurn(createTranscript(), {runId: 'r', startedAtSeconds: 10.5});
    const turns = toSnapshot(
      applySettled(fold(run('r', token('Settled.'), end()), begun), session(messages)),
    ).turns;
    assert.deepEqual(
      turns.map(({id}) => id),
      ['m0', 'r'],
    );
  });

  test('a run whose user message was replaced is listed and shows nothing', () => {
    const old = session([message('prompt', 9, text('Go')), message('assistant', 9.5, text('Old.'))], {
      updatedAt: 50,
    });
    const transcript = applySettled(
      fold(run('r1', token('Old.'), end('completed', old))),
      session([prompt, answer]),
    );
    const turn = only(transcript);
    assert.deepEqual([turn.runIds, turn.answer, turn.items.length], [['r1'], 'Settled.', 0]);
  });

  test('a window lies over an older whole by absolute index', () => {
    const whole = session([prompt, message('assistant', 11, text('Old.'))], {updatedAt: 50});
    const window = session([answer], {updatedAt: 100, offset: 1, messageCount: 2, window: true});
    for (const order of [
      [whole, window],
      [window, whole],
    ]) {
      assert.equal(only(order.reduce(applySettled, createTranscript())).answer, 'Settled.');
    }
  });

  test('a payload without messages erases nothing', () => {
    const both = applySettled(
      applySettled(createTranscript(), session([prompt, answer])),
      session([], {updatedAt: 200, messageCount: 2, title: 'New'}),
    );
    assert.equal(only(both).answer, 'Settled.');
    assert.equal(both.session.title, 'New');
  });

  test('a pending payload adds the turn of its user message, under the active run', () => {
    const pending = session([], {messageCount: 0, pending: {prompt: 'Go', startedAt: 10.5}, activeRun: 'r'});
    const waiting = only(applySettled(createTranscript(), pending));
    assert.deepEqual([waiting.id, waiting.prompt, waiting.status], ['r', 'Go', 'running']);
    const live = applySettled(fold(run('r', token('a'))), pending);
    assert.deepEqual([only(live).prompt, only(live).answer], ['Go', 'a']);
  });

  test('a run with a hole takes its items from the messages, one without keeps its own', () => {
    const events = run(
      'r',
      token('Look.'),
      tool('c'),
      toolEnd('c', 'read_file', {output: 'body'}),
      token('Settled.'),
      end(),
    );
    const messages = [
      prompt,
      message('assistant', 11, text('Look.'), call('c')),
      message('tool', 11, result('c', 'b')),
      answer,
    ];
    const begun = beginTurn(createTranscript(), {runId: 'r', startedAtSeconds: 10.5});
    const whole = only(applySettled(fold(events, begun), session(messages)));
    const torn = only(
      applySettled(
        fold(
          events.filter(({seq}) => seq !== 1),
          begun,
        ),
        session(messages),
      ),
    );
    assert.equal(sketch(torn), sketch(whole));
    assert.equal(torn.items[1]!.tool!.output, 'body');
    assert.deepEqual([torn.status, torn.degraded], ['settled', false]);
  });

  test('calls without ids do not keep a history that has as many from mending a torn run', () => {
    const events = run('r', tool(null), toolEnd(null), tool(null), toolEnd(null), token('Settled.'), end());
    const calls = ['c1', 'c2'].flatMap((id) => [
      message('assistant', 11, call(id)),
      message('tool', 11, result(id, 'b')),
    ]);
    const begun = beginTurn(createTranscript(), {runId: 'r', startedAtSeconds: 10.5});
    const turn = only(applySettled(fold(events.slice(2), begun), session([prompt, ...calls, answer])));
    assert.equal(sketch(turn), 'tool c1 completed\ntool c2 completed\nanswer Settled.');
    assert.equal(turn.degraded, false);
  });

  test('tools that only the run knows are not lost to a history without them', () => {
    const events = run('r', token('Look.'), tool('c'), toolEnd('c'), token('Settled.'), end());
    const begun = beginTurn(createTranscript(), {runId: 'r', startedAtSeconds: 10.5});
    const turn = only(applySettled(fold(events.slice(1), begun), session([prompt, answer])));
    assert.equal(sketch(turn), 'tool c completed\nanswer Settled.');
    assert.equal(turn.degraded, true);
  });
});

describe('laws 11 to 13', () => {
  test('a call that ended well owns what it wrote, a failed one nothing', () => {
    const facts = {artifacts: [{path: 'a.md', change: 'modified'}]} as const;
    const events = run(
      'r',
      tool('c'),
      toolEnd('c', 'patch', facts),
      tool('d'),
      toolEnd('d', 'patch', facts, true),
    );
    assert.deepEqual(
      only(fold(events)).artifacts.map(({path, itemId}) => [path, itemId]),
      [['a.md', 'tool:c']],
    );
  });

  test('a hole without history is restoring, and is filled by what comes late', () => {
    const events = run('r', token('a'), token('b'), token('c'), end());
    const torn = fold(events.filter(({seq}) => seq !== 2));
    assert.deepEqual([only(torn).status, only(torn).answer, only(torn).cursor], ['restoring', 'ac', 'r:1']);
    const whole = fold([events[1]!], torn);
    assert.deepEqual([only(whole).status, only(whole).answer, only(whole).cursor], ['settled', 'abc', 'r:4']);
  });

  test('a replayed approval is pending only while it is the last activity; a terminal closes it', () => {
    const states = (...events: Parameters<typeof run> extends [string, ...infer E] ? E : never) =>
      only(fold(run('r', ...events))).items.find(({kind}) => kind === 'control')!.control!.status;
    assert.equal(states(tool('c'), control('a1')), 'pending');
    assert.equal(states(tool('c'), control('a1'), meta), 'pending');
    assert.equal(states(tool('c'), control('a1'), control('a1')), 'pending');
    assert.equal(states(tool('c'), control('a1'), toolEnd('c')), 'answered');
    assert.equal(states(tool('c'), control('a1'), end('cancelled')), 'stale');
    assert.equal(states(tool('c'), control('a1', 'until-resolved'), toolEnd('c')), 'pending');
  });
});
