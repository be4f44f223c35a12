/** The bug families of ACP clients that the fold holds; `docs/bug-families.md` lists them by their tag. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Talk, text} from './talk.js';

test('E1 updates after the answer belong to the run until its end is told, then to the session', () => {
  const talk = Talk.begun().says('All').answer().says(' of it.').fact({type: 'grace-over'});
  assert.deepEqual(talk.messages, ['All of it.']);
  assert.equal(talk.of('run.completed')[0]!.output, 'All of it.');
  talk.says('Too late.').goesOn('c1', {status: 'completed'});
  assert.equal(talk.events.filter(({run_id}) => run_id === 'one.1').at(-1)!.event, 'run.completed');
  assert.deepEqual(
    talk.events.slice(-2).map(({run_id, event}) => [run_id, event]),
    [
      ['s.one', 'notice'],
      ['s.one', 'agent.update'],
    ],
  );
});

test('E2 a whole text that comes again with a first id gives the message its id and adds nothing', () => {
  const talk = Talk.begun()
    .says('Hello ')
    .says('there.')
    .says('Hello there.', 'm1')
    .says(' More.', 'm1')
    .answer()
    .end();
  assert.deepEqual(talk.messages, ['Hello there. More.']);
});

test('E2 a whole text that was streamed and comes again with another id is not shown twice', () => {
  const talk = Talk.begun()
    .says('Hello ', 'm1')
    .says('there.', 'm1')
    .says('Hello there.', 'm2')
    .answer()
    .end();
  assert.deepEqual(talk.messages, ['Hello there.']);
  assert.equal(talk.of('run.completed')[0]!.output, 'Hello there.');
});

test('E2 a text without any id that says all again is dropped if the answer follows, kept if not', () => {
  const streamed = () => Talk.begun().says('Hello ').says('there.').says('Hello there.');
  assert.deepEqual(streamed().answer().end().messages, ['Hello there.']);
  assert.deepEqual(streamed().says(' Again.').answer().end().messages, ['Hello there.Hello there. Again.']);
  assert.deepEqual(streamed().calls('c1').says('Done.').answer().end().messages, [
    'Hello there.Hello there.',
    'Done.',
  ]);
});

test('E2 the same holds for a message that says all again under its own id', () => {
  const streamed = () => Talk.begun().says('Hello ', 'm1').says('there.', 'm1').says('Hello there.', 'm1');
  assert.deepEqual(streamed().answer().end().messages, ['Hello there.']);
  assert.deepEqual(streamed().says(' Again.', 'm1').answer().end().messages, [
    'Hello there.Hello there. Again.',
  ]);
});

test('E2 replies that are alike, short repetitions, and deltas of one id are all said', () => {
  assert.deepEqual(Talk.begun().says('Done.', 'm1').says('Done.', 'm2').answer().end().messages, [
    'Done.',
    'Done.',
  ]);
  assert.deepEqual(Talk.begun().says('ha').says('ha').says('haha').answer().end().messages, ['hahahaha']);
  assert.deepEqual(
    Talk.begun().says('ha', 'm1').says('ha', 'm1').says('haha', 'm1').answer().end().messages,
    ['hahahaha'],
  );
  assert.deepEqual(
    Talk.begun().says('Well ').says('done.').calls('c1').says('Well done.').answer().end().messages,
    ['Well done.', 'Well done.'],
  );
});

test('E2 a thought that comes again whole is not thought twice', () => {
  const talk = Talk.begun()
    .thinks('Hm, ')
    .thinks('yes.')
    .thinks('Hm, yes.', 't1')
    .says('Yes.')
    .answer()
    .end();
  assert.deepEqual(
    talk.of('thought.delta').map(({delta}) => delta),
    ['Hm, ', 'yes.'],
  );
});

test('E3 the prompt in flight that comes back, whole or in pieces, is no event; another prompt is one', () => {
  const back = (said: string) => ({sessionUpdate: 'user_message_chunk', content: text(said)});
  const talk = Talk.begun().update(back('Well?')).update(back('We')).update(back('ll?'));
  assert.deepEqual(talk.names, ['run.started']);
  talk.says('One.').update(back('And now?')).says('Two.').answer().end();
  assert.equal(talk.of('agent.update').length, 1);
  assert.deepEqual(talk.messages, ['One.', 'Two.']);
});

test('E4 without ids a new message begins at a tool, a plan and a turn, not at a thought', () => {
  const talk = Talk.begun()
    .says('One ')
    .thinks('Hm.')
    .says('piece.')
    .calls('c1')
    .says('Two.')
    .update({sessionUpdate: 'plan', entries: []})
    .says('Three.')
    .answer()
    .prompt('More?')
    .says('Four.')
    .answer()
    .end();
  assert.deepEqual(talk.messages, ['One piece.', 'Two.', 'Three.', 'Four.']);
  const ids = talk.of('message.delta').map(({message_id}) => message_id);
  assert.equal(new Set(ids).size, 4);
});

test('E4 with ids a plan parts nothing, and an id that changes does', () => {
  const talk = Talk.begun()
    .says('One ', 'm1')
    .update({sessionUpdate: 'plan', entries: []})
    .says('piece.', 'm1')
    .says('Two.', 'm2')
    .says(' Also two.')
    .answer()
    .end();
  assert.deepEqual(talk.messages, ['One piece.', 'Two. Also two.']);
});

test('E4 ids of thoughts do not part an answer', () => {
  const talk = Talk.begun()
    .thinks('Hm.', 'p1')
    .says('One ', 'm1')
    .thinks('Hm?', 'p2')
    .says('piece.', 'm1')
    .answer()
    .end();
  assert.deepEqual(talk.messages, ['One piece.']);
  assert.deepEqual(
    talk.of('thought.delta').map(({message_id}) => message_id),
    [undefined, undefined],
  );
});

test('E5 an update for a call that was never announced starts it', () => {
  const talk = Talk.begun()
    .goesOn('c1', {title: 'read', kind: 'read', status: 'in_progress'})
    .goesOn('c1', {status: 'completed'});
  assert.deepEqual(talk.names, ['run.started', 'tool.started', 'tool.completed']);
  assert.deepEqual(Talk.begun().goesOn('c1', {status: 'failed'}).names, [
    'run.started',
    'tool.started',
    'tool.completed',
  ]);
});

test('E5 a call that is announced twice is one', () => {
  const talk = Talk.begun()
    .calls('c1', {rawInput: {}})
    .calls('c1', {rawInput: {path: 'a'}});
  assert.deepEqual(talk.names, ['run.started', 'tool.started', 'tool.updated']);
  assert.deepEqual(talk.of('tool.updated')[0]!.input, {path: 'a'});
});

test('E6 lists of an update replace, null and nothing leave as it was, and every event says all that is known', () => {
  const one = [{type: 'content', content: text('one')}];
  const two = [{type: 'content', content: text('two')}];
  const talk = Talk.begun()
    .calls('c1', {kind: 'read', content: one, locations: [{path: 'a'}]})
    .goesOn('c1', {content: two, locations: null})
    .goesOn('c1', {status: 'completed', content: null});
  const {content, locations, kind, title, status} = talk.of('tool.completed')[0]!;
  assert.deepEqual(
    {content, locations, kind, title, status},
    {content: two, locations: [{path: 'a'}], kind: 'read', title: 'read', status: 'completed'},
  );
});

test('E7 a permission is joined to its call by id, by the same input or title, or to the only one of its kind', () => {
  const callOf = (toolCall: object) =>
    Talk.begun()
      .calls('old', {kind: 'execute', rawInput: {command: 'ls'}, status: 'completed'})
      .calls('c1', {title: 'bash: ls', kind: 'execute', rawInput: {command: 'ls'}})
      .asks(1, toolCall)
      .of('permission.requested')[0]!.tool_call_id;
  assert.equal(callOf({toolCallId: 'c1'}), 'c1');
  assert.equal(callOf({toolCallId: 'gate-1', rawInput: {command: 'ls'}}), 'c1');
  assert.equal(callOf({toolCallId: 'gate-1', title: 'bash: ls'}), 'c1');
  assert.equal(callOf({toolCallId: 'gate-1', title: 'ls', kind: 'execute'}), 'c1');
  assert.equal(callOf({toolCallId: 'gate-1', kind: 'edit'}), 'gate-1');
});

test('E8 public ids do not repeat where the agent counts its requests anew', () => {
  const talk = Talk.begun().asks(0, {}).chooses(0, 'yes').answer().prompt('More?').asks(0, {}).asks('0', {});
  assert.deepEqual(
    talk.of('permission.requested').map(({permission_id}) => permission_id),
    ['one.1.p1', 'one.2.p1', 'one.2.p2'],
  );
});

test('E8 a gateway names a permission and its deadline', () => {
  const talk = Talk.begun()
    .fact({type: 'permission', requestId: 0, permissionId: 'p_x', expiresAt: 5000})
    .asks(0, {});
  const {permission_id, expires_at} = talk.of('permission.requested')[0]!;
  assert.deepEqual({permission_id, expires_at}, {permission_id: 'p_x', expires_at: 5});
  assert.deepEqual(
    [...talk.facts.permissions.values()].map(({requestId}) => requestId),
    [0],
  );
});

test('E9 two permissions for one call are answered each for itself', () => {
  const talk = Talk.begun()
    .calls('c1')
    .asks(1, {toolCallId: 'c1'})
    .asks(2, {toolCallId: 'c1'})
    .chooses(2, 'no');
  assert.deepEqual([...talk.facts.permissions.keys()], ['one.1.p1']);
  assert.equal(talk.of('permission.resolved')[0]!.permission_id, 'one.1.p2');
});

test('E10 a permission without title, kind and input is filled from its call', () => {
  const talk = Talk.begun()
    .calls('c1', {title: 'ls', kind: 'execute', rawInput: {command: 'ls'}})
    .asks(1, {toolCallId: 'c1'});
  const {title, kind, input} = talk.of('permission.requested')[0]!;
  assert.deepEqual({title, kind, input}, {title: 'ls', kind: 'execute', input: {command: 'ls'}});
});

test('E10 a call is filled from a permission that came before it', () => {
  const talk = Talk.begun().asks(1, {
    toolCallId: 'c1',
    title: 'ls',
    kind: 'execute',
    rawInput: {command: 'ls'},
  });
  assert.deepEqual(talk.of('tool.started'), []);
  assert.deepEqual(talk.facts.openTools, []);
  const [started] = talk.goesOn('c1', {status: 'in_progress'}).of('tool.started');
  assert.deepEqual({title: started!.title, input: started!.input}, {title: 'ls', input: {command: 'ls'}});
});

test('E11 a permission that nobody answered is closed before the run ends', () => {
  for (const end of [
    (talk: Talk) => talk.answer('cancelled').end(),
    (talk: Talk) => talk.fact({type: 'failed', error: 'gone'}),
  ]) {
    const talk = end(Talk.begun().calls('c1').asks(1, {toolCallId: 'c1'}));
    assert.deepEqual(talk.names.slice(3, -1), ['permission.resolved', 'tool.completed']);
    assert.deepEqual(
      [talk.of('permission.resolved')[0]!.outcome, talk.of('permission.resolved')[0]!.by],
      ['cancelled', 'cancel'],
    );
    assert.equal(talk.facts.permissions.size, 0);
  }
});

test('E13 a timeout is told as one, with the option that was taken, and the turn goes on', () => {
  const talk = Talk.begun()
    .asks(1, {})
    .fact({type: 'permission-by', permissionId: 'one.1.p1', by: 'timeout'})
    .chooses(1, 'no');
  const {outcome, option_id, option_kind, by} = talk.of('permission.resolved')[0]!;
  assert.deepEqual(
    {outcome, option_id, option_kind, by},
    {outcome: 'selected', option_id: 'no', option_kind: 'reject_once', by: 'timeout'},
  );
  assert.equal(talk.facts.ended, false);
});

test('E14 a cancel closes open calls at once, and what the agent says of them later does not open them', () => {
  const talk = Talk.begun().calls('c1').cancel();
  assert.equal(talk.of('tool.completed')[0]!.status, 'cancelled');
  talk.goesOn('c1', {status: 'failed', content: [{type: 'content', content: text('aborted')}]});
  assert.equal(talk.of('tool.updated')[0]!.status, 'cancelled');
  assert.equal(talk.of('tool.completed').length, 1);
});

test('E14 the end of a turn closes what is open: interrupted, or cancelled, or denied where the reader refused it', () => {
  const statuses = (talk: Talk) =>
    talk
      .end()
      .of('tool.completed')
      .map(({status}) => status);
  assert.deepEqual(statuses(Talk.begun().calls('c1').answer()), ['interrupted']);
  assert.deepEqual(statuses(Talk.begun().calls('c1').answer('cancelled')), ['cancelled']);
  const asked = Talk.begun().calls('c1').asks(1, {toolCallId: 'c1'}).chooses(1, 'no');
  assert.deepEqual(statuses(asked.answer('cancelled')), ['denied']);
});

for (const fact of [
  'E15 a process that dies ends the run with a failure that says so, after its open calls',
  'E16 an agent that leaves without an answer ends the run with a failure that says so',
  'E18 a stalled agent ends the run with a failure that says so',
]) {
  test(fact, () => {
    const talk = Talk.begun()
      .says('So ')
      .calls('c1')
      .fact({type: 'failed', error: 'It went away.', code: 'exit', hint: 'Again.'});
    assert.deepEqual(talk.names.slice(-2), ['tool.completed', 'run.failed']);
    const {error, code, hint, terminal_state} = talk.of('run.failed')[0]!;
    assert.deepEqual(
      {error, code, hint, terminal_state},
      {error: 'It went away.', code: 'exit', hint: 'Again.', terminal_state: 'interrupted'},
    );
    assert.equal(talk.facts.activeRun, null);
  });
}

test('E15 an answer that is in stays the answer when the process dies after it', () => {
  const talk = Talk.begun().says('Done.').answer().fact({type: 'failed', error: 'gone'});
  assert.deepEqual(talk.names.slice(-1), ['run.completed']);
});

test('E27 what comes before the answer to session/new belongs to the session it will name', () => {
  const talk = new Talk().client({id: 1, method: 'session/new', params: {}});
  talk.update({sessionUpdate: 'available_commands_update', availableCommands: [{name: 'help'}]});
  talk.agent({id: 1, result: {sessionId: 'one'}});
  assert.deepEqual(talk.of('commands.updated')[0]!.run_id, 's.one');
  assert.equal(talk.facts.acpSessionId, 'one');
});

for (const [fact, method] of [
  ['E28 what is said between a load and its answer was said before, and is no event', 'session/load'],
  ['E29 what is said between a resume and its answer was said before, and is no event', 'session/resume'],
] as const) {
  test(fact, () => {
    const talk = new Talk()
      .client({id: 7, method, params: {sessionId: 'one'}})
      .says('Old.')
      .calls('c1');
    assert.deepEqual(talk.events, []);
    talk.agent({id: 7, result: {}}).prompt('Well?').says('New.').answer().end();
    assert.deepEqual(talk.messages, ['New.']);
  });
}

test('E28 a gateway may say what is a replay; commands, mode and options hold all the same', () => {
  const talk = new Talk({sessionId: 'pub', acpSessionId: 'one'})
    .fact({type: 'replay', active: true})
    .says('Old.');
  talk
    .update({sessionUpdate: 'current_mode_update', currentModeId: 'plan'})
    .fact({type: 'replay', active: false});
  assert.deepEqual(talk.names, ['mode.updated']);
  assert.equal(talk.prompt('Well?').says('New.').messages[0], 'New.');
});

test('E28 a load that failed proves no session: the next one that is made is ours', () => {
  const talk = new Talk().client({id: 7, method: 'session/load', params: {sessionId: 'gone'}});
  talk
    .agent({id: 7, error: {code: -32002, message: 'no'}})
    .made('one')
    .prompt('Well?')
    .says('Yes.');
  assert.deepEqual(talk.messages, ['Yes.']);
});

test('E30 a refusal without a word says that the session may be lost; one with words is an answer', () => {
  const lost = Talk.begun().answer('refusal').end().of('run.failed')[0]!;
  assert.equal(lost.code, 'refusal');
  assert.match(lost.hint!, /session/);
  const refused = Talk.begun().says('I will not.').answer('refusal').end().of('run.completed')[0]!;
  assert.equal(refused.stop_reason, 'refusal');
});

test('E31 a prompt that is refused while another one goes on fails for itself', () => {
  const talk = Talk.begun()
    .says('One ')
    .prompt('And?')
    .refuse({code: -32600, message: 'busy'})
    .says('piece.');
  const failed = talk.of('run.failed')[0]!;
  assert.deepEqual([failed.run_id, failed.seq, failed.code], ['one.2', 2, 'busy']);
  assert.deepEqual(talk.messages, ['One piece.']);
  assert.equal(talk.facts.activeRun, 'one.1');
});

test('E32 a cancel stays with the turn it was meant for', () => {
  const talk = Talk.begun()
    .says('One')
    .cancel()
    .answer('cancelled')
    .prompt('And?')
    .calls('c1')
    .says('Two.')
    .answer()
    .end();
  assert.deepEqual(
    talk.events.filter(({event}) => event.startsWith('run.')).map(({event}) => event),
    ['run.started', 'run.cancelled', 'run.started', 'run.completed'],
  );
  assert.equal(talk.of('tool.completed')[0]!.status, 'interrupted');
});

test('E36 a permission of a child session that nobody announced is one of the run', () => {
  const talk = Talk.begun().asks(1, {title: 'ls'}, 'child');
  assert.equal(talk.of('permission.requested')[0]!.run_id, 'one.1');
  assert.equal([...talk.facts.permissions.values()][0]!.acpSessionId, 'child');
});

test('E37 what is said between turns is a notice of the session, and of no turn', () => {
  const talk = Talk.begun().answer().end().says('A new version is out.');
  const notice = talk.of('notice')[0]!;
  assert.deepEqual([notice.run_id, notice.text], ['s.one', 'A new version is out.']);
});

test('E38 kinds, statuses, options and reasons newer than us are passed on as they are', () => {
  const newer = {sessionUpdate: 'hologram', depth: 3};
  const talk = Talk.begun()
    .update(newer)
    .calls('c1', {kind: 'levitate', status: 'hovering'})
    .answer('enlightened')
    .end();
  assert.deepEqual(talk.of('agent.update')[0]!.update, newer);
  assert.deepEqual(
    [talk.of('tool.started')[0]!.kind, talk.of('tool.started')[0]!.status],
    ['levitate', 'hovering'],
  );
  assert.equal(talk.of('run.completed')[0]!.stop_reason, 'enlightened');
});

test('E39 a call is named by toolCallId; what has none is counted and is no event', () => {
  const talk = Talk.begun().update({sessionUpdate: 'tool_call', id: 'c1', title: 'read'});
  assert.deepEqual(talk.names, ['run.started']);
  assert.equal(talk.facts.malformed, 1);
});
