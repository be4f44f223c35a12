/** Sessions: creating, listing, opening and closing them, and who may see them. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {ContentBlock} from '../../../../src/protocol/index.js';
import {bench, reader, settled, TIMES, type Bench} from './session-bench.js';

const refused = (code: string) => ({code});

test('a session is made in the agent with the host tools, and its token is not journaled', async () => {
  const b = await bench();
  const id = await b.create();
  const [made] = b.agent.heard;
  assert.equal(made?.method, 'session/new');
  assert.match(JSON.stringify(made?.params), /Bearer secret/);
  const lines = await b.journal.sources(id, 100);
  assert.ok(lines.some(({source}) => source.includes('session/new')));
  assert.ok(!lines.some(({source}) => source.includes('secret')));
  assert.deepEqual([...b.tools], [id]);
});

test('a run starts with its event in the journal, streams, and ends after the grace window', async () => {
  const b = await bench();
  const {session, run, agent} = await b.running('Say hello');
  assert.equal(run, `${session}.1`);
  assert.equal(await b.sketch(run), 'run.started Say hello');
  agent.text('Hello.');
  agent.answers({stopReason: 'end_turn'});
  await settled();
  assert.equal(await b.active(session), run);
  await b.afterGrace();
  assert.equal(await b.sketch(run), 'run.started Say hello\nmessage.delta Hello.\nrun.completed Hello.');
  assert.equal(await b.active(session), null);
  assert.equal(await b.start(session), `${session}.2`);
});

test('E1 updates after the answer belong to the run while the grace window lasts, and each makes it last', async () => {
  const b = await bench();
  const {run, session, agent} = await b.running();
  agent.text('He');
  agent.answers({stopReason: 'end_turn'});
  await b.clock.pass(TIMES.grace - 1);
  agent.text('llo');
  await b.clock.pass(TIMES.grace - 1);
  assert.match(await b.sketch(run), /message\.delta llo$/);
  await b.afterGrace();
  assert.match(await b.sketch(run), /run\.completed Hello$/);
  agent.text('too late');
  assert.match(await b.sketch(run), /run\.completed Hello$/);
  assert.match(await b.sketch(`s.${session}`), /notice message$/);
});

test('E1 an agent that never falls silent does not hold the grace window open for ever', async () => {
  const b = await bench();
  const {run, agent} = await b.running();
  agent.answers({stopReason: 'end_turn'});
  for (let n = 0; n < 20; n++) {
    agent.text('.');
    await b.clock.pass(TIMES.grace - 1);
  }
  assert.match(await b.sketch(run), /run\.completed \.{10,11}$/);
});

test('E27 updates before the answer to session/new are kept', async () => {
  const commands = [{name: 'plan', description: 'Plans'}];
  const b = await bench({
    scripts: [
      {
        answers: {
          'session/new': (_params, agent) => {
            agent.update({sessionUpdate: 'available_commands_update', availableCommands: commands});
            return {sessionId: agent.sessionId};
          },
        },
      },
    ],
  });
  const id = await b.create();
  assert.equal(await b.sketch(`s.${id}`), 'commands.updated');
  assert.deepEqual((await b.sessions.get(reader, id)).agent?.commands, commands);
});

test('E31 a second prompt is refused with the run that goes on, and never sent', async () => {
  const b = await bench();
  const {session, run, agent} = await b.running();
  await assert.rejects(b.start(session, 'And?'), {code: 'busy', details: {activeRunId: run}});
  agent.answers({stopReason: 'end_turn'});
  await settled();
  await assert.rejects(b.start(session, 'And?'), refused('busy'));
  assert.equal(agent.times('session/prompt'), 1);
});

test('two prompts at once: one starts, the other is refused', async () => {
  const b = await bench();
  const session = await b.create();
  const [one, two] = await Promise.allSettled([b.start(session, 'one'), b.start(session, 'two')]);
  assert.deepEqual([one.status, two.status], ['fulfilled', 'rejected']);
  assert.equal(b.agent.times('session/prompt'), 1);
});

test('the page context goes first, for the agent alone, and is not in the prompt that is shown', async () => {
  const b = await bench();
  const sessionId = await b.create();
  const {runId} = await b.sessions.start(reader, {sessionId, prompt: 'Shorten it', pageContext: '# Note'});
  const {prompt} = b.agent.heard.at(-1)!.params as {prompt: readonly object[]};
  assert.deepEqual(prompt, [
    {
      type: 'resource',
      resource: {uri: 'hermes:page-context', mimeType: 'text/markdown', text: '# Note'},
      annotations: {audience: ['assistant']},
      _meta: {'hermes.pageContext': true},
    },
    {type: 'text', text: 'Shorten it'},
  ]);
  assert.equal(await b.sketch(runId), 'run.started Shorten it');
});

test('the context a session was created with goes with its first prompt only', async () => {
  const b = await bench();
  const {sessionId} = await b.sessions.create(reader, {pageContext: '# Note'});
  await b.start(sessionId);
  b.agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  await b.start(sessionId);
  const lengths = b.agent.heard
    .filter(({method}) => method === 'session/prompt')
    .map(({params}) => (params['prompt'] as unknown[]).length);
  assert.deepEqual(lengths, [2, 1]);
});

test('blocks that are none, or that the agent cannot take, are refused with a sentence, and no run begins', async () => {
  const b = await bench();
  const sessionId = await b.create();
  const start = (prompt: string | readonly {type: string}[]) => b.sessions.start(reader, {sessionId, prompt});
  await assert.rejects(start(''), refused('invalid-request'));
  await assert.rejects(start([]), refused('invalid-request'));
  await assert.rejects(start([{type: 'hologram'}]), refused('invalid-request'));
  await assert.rejects(start([{type: 'image'}]), refused('invalid-request'));
  const image = {type: 'image', data: 'AA==', mimeType: 'image/png'};
  await assert.rejects(start([image]), {code: 'unsupported', message: /cannot take images/});
  assert.equal(await b.start(sessionId), `${sessionId}.1`);
});

test('the block that lacks something is named, by its place and its type', async () => {
  const b = await bench();
  const sessionId = await b.create();
  const start = (prompt: readonly ContentBlock[]) => b.sessions.start(reader, {sessionId, prompt});
  await assert.rejects(start([{type: 'text'}]), {
    message: 'Block 1 of the prompt is of the type text, which needs text.',
  });
  const text = {type: 'text', text: 'Hi'};
  await assert.rejects(start([text, {type: 'resource_link'}]), {
    message: 'Block 2 of the prompt is of the type resource_link, which needs uri and name.',
  });
  await assert.rejects(start([{type: 'text', text: ' '}]), {message: /^The prompt is empty/});
});

test('the run of a session itself can be neither stopped nor steered', async () => {
  const b = await bench();
  const {session} = await b.running();
  await assert.rejects(b.sessions.abort(reader, `s.${session}`), refused('not-found'));
  await assert.rejects(b.sessions.steer(reader, `s.${session}`, 'Left'), refused('not-found'));
});

test('what is no fault of the agent is not called one, and whoever runs the gateway hears of it', async () => {
  const b = await bench();
  const session = await b.create();
  const {agent} = b;
  const request = agent.request.bind(agent);
  const fault = new RangeError('Maximum call stack size exceeded');
  agent.request = () => Promise.reject(fault);
  await assert.rejects(b.start(session), fault);
  let fail = () => {};
  agent.request = (method, params) => {
    request(method, params).catch(() => {});
    return new Promise((_resolve, reject) => (fail = () => reject(fault)));
  };
  const run = await b.start(session);
  fail();
  assert.match(await b.sketch(run), /run\.failed internal interrupted$/);
  assert.deepEqual(b.faults, [fault]);
});

test('a session is seen by its owner alone: to others there is none', async () => {
  const b = await bench();
  const {session, run} = await b.running();
  const other = {subject: 'bob'};
  const none = refused('not-found');
  await assert.rejects(b.sessions.get(other, session), none);
  await assert.rejects(b.sessions.start(other, {sessionId: session, prompt: 'Hi'}), none);
  await assert.rejects(b.sessions.abort(other, run), none);
  await assert.rejects(b.sessions.answer(other, run, `${run}.p1`, 'a'), none);
  await assert.rejects(b.sessions.readable(other, {run}), none);
  await assert.rejects(b.sessions.readable(other, {session}), none);
  await assert.rejects(b.sessions.remove(other, session), none);
  await assert.rejects(b.sessions.diagnostics(other, session), none);
  assert.deepEqual(await b.sessions.list(other), []);
  assert.deepEqual(await b.sessions.readable(reader, {run}), {run});
  await assert.rejects(b.sessions.readable(reader, {run: `${session}.9`}), none);
});

test('the eleventh session of a profile that is at work is refused with a sentence; other profiles have room', async () => {
  const b = await bench();
  const running = [];
  for (let n = 0; n < 10; n++) running.push(await b.running());
  await assert.rejects(b.create(), {code: 'too-many-sessions', message: /10 sessions at work/});
  assert.equal((await b.sessions.list(reader)).length, 10);
  await b.create('two');
  await b.sessions.remove(reader, 's1');
  await b.create();
  const views = await b.sessions.profiles(reader);
  assert.deepEqual(
    views.map(({name, sessions}) => [name, sessions]),
    [
      ['one', 10],
      ['two', 1],
    ],
  );
});

/** Which sessions still have an agent. */
const living = (b: Bench, ids: readonly string[]) =>
  ids.filter((_id, n) => b.agents[n]!.exit === null).join(' ');

const answered = async (b: Bench, session: string, prompt: string) => {
  const run = await b.start(session, prompt);
  b.agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  return run;
};

test('where there is no place left, what was never prompted rests first, then what was used longest ago', async () => {
  const b = await bench({profile: {maxConcurrentSessions: 3}});
  const first = await b.create();
  await answered(b, first, 'One');
  await b.clock.pass(1);
  const ids = [first, await b.create(), await b.create()];
  for (const rest of ['s1 s3 s4', 's1 s4 s5']) {
    await b.clock.pass(1);
    ids.push(await b.create());
    assert.equal(living(b, ids), rest);
  }
  // The places of all are taken by sessions that were prompted: the first of them was used last.
  for (const id of ['s4', 's5', 's1']) {
    await b.clock.pass(1);
    const run = await b.start(id, 'More');
    for (const agent of b.agents)
      if (agent.opens('session/prompt') > 0) agent.answers({stopReason: 'end_turn'});
    await b.afterGrace();
    assert.match(await b.sketch(run), /run\.completed/);
  }
  ids.push(await b.create());
  assert.equal(living(b, ids), 's1 s5 s6');
  assert.equal(b.tools.size, 3);
});

test('a session that was put to rest for another goes on at its next prompt, in the stream that is open', async () => {
  const b = await bench({profile: {maxConcurrentSessions: 1}});
  const session = await b.create();
  await answered(b, session, 'One');
  const read: string[] = [];
  const reading = async () => {
    for await (const frames of b.journal.follow({session}, null, new AbortController().signal))
      read.push(...frames.map(({data}) => (JSON.parse(data) as {event: string}).event));
  };
  const removed = assert.rejects(reading());
  const other = await b.create();
  assert.equal(b.agents[0]!.exit?.reason, 'stopped');
  const run = await answered(b, session, 'Two');
  assert.equal(run, `${session}.2`);
  assert.equal(b.agents[1]!.exit?.reason, 'stopped');
  assert.deepEqual(
    b.agent.heard.map(({method}) => method),
    ['session/load', 'session/prompt'],
  );
  assert.deepEqual(
    read.filter((name) => name.startsWith('run.')),
    ['run.started', 'run.completed', 'run.started', 'run.completed'],
  );
  await b.sessions.remove(reader, session);
  await removed;
  assert.equal(await b.start(other), `${other}.1`);
});

test('a session that somebody reads rests only when no other can, and one that is asked or asks does not', async () => {
  const b = await bench({profile: {maxConcurrentSessions: 2}});
  const read = await b.create();
  const leave = b.sessions.reads({session: read});
  const ids = [read, await b.create(), await b.create()];
  assert.equal(living(b, ids), 's1 s3');
  const run = await b.start('s3');
  ids.push(await b.create());
  assert.equal(living(b, ids), 's3 s4');
  void b.agents[3]!.asks(1, {toolCallId: 't'});
  await assert.rejects(b.create(), refused('too-many-sessions'));
  leave();
  await b.sessions.abort(reader, run);
  b.agents[2]!.answers({stopReason: 'cancelled'});
  await b.afterGrace();
  ids.push(await b.create());
  assert.equal(living(b, ids), 's4 s6');
});

test('many sessions asked for at once where places are few are made one for the other', async () => {
  const b = await bench({profile: {maxConcurrentSessions: 2}});
  const ids = [await b.create(), await b.create()];
  ids.push(...(await Promise.all([b.create(), b.create()])));
  assert.equal(living(b, ids), 's3 s4');
});

test('an idle session rests after a while: no process, tools or timer is left, and a prompt opens it again', async () => {
  const b = await bench();
  const {session, run, agent} = await b.running();
  agent.text('Hello');
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  await b.clock.pass(TIMES.keep + 1);
  assert.equal(agent.exit?.reason, 'stopped');
  assert.equal(b.tools.size, 0);
  assert.equal(b.clock.waiting, 0);
  assert.match(await b.sketch(run), /run\.completed Hello$/);
  assert.equal((await b.sessions.list(reader))[0]?.activeRunId, null);
  const next = await b.start(session, 'Again');
  assert.equal(next, `${session}.2`);
  assert.equal(b.agents.length, 2);
  assert.deepEqual(
    b.agent.heard.map(({method}) => method),
    ['session/load', 'session/prompt'],
  );
  assert.equal(b.agent.heard[0]?.params['sessionId'], agent.sessionId);
});

test('a session keeps its profile when another one is chosen, and new ones take the new one', async () => {
  const b = await bench();
  const old = await b.create();
  await b.sessions.selectProfile(reader, 'two');
  const young = await b.create();
  const profileOf = async (id: string) => (await b.sessions.get(reader, id)).agent?.profile;
  assert.deepEqual([await profileOf(old), await profileOf(young)], ['one', 'two']);
});

test('a removed session is gone with its run, its agent and its tools; the agent is told', async () => {
  const b = await bench();
  const {session, agent} = await b.running();
  await b.sessions.remove(reader, session);
  assert.equal(agent.times('session/close'), 1);
  assert.equal(agent.exit?.reason, 'stopped');
  assert.equal(b.tools.size, 0);
  assert.equal(b.clock.waiting, 0);
  await assert.rejects(b.sessions.get(reader, session), refused('not-found'));
});

test('an agent that wants a sign-in refuses with what to do, and nothing is left', async () => {
  const {RpcError} = await import('./scripted-agent.js');
  const b = await bench({
    profile: {bin: '/opt/bin/reasonix'},
    scripts: [
      {
        authMethods: [{id: 'setup', name: 'Set up', type: 'terminal', args: ['setup']}],
        answers: {
          'session/new': () => {
            throw new RpcError(-32000, 'Authentication required');
          },
        },
      },
    ],
  });
  await assert.rejects(b.create(), {code: 'auth-required', message: /run `reasonix setup` in a terminal/});
  assert.equal(b.agent.exit?.reason, 'stopped');
  assert.deepEqual(await b.sessions.list(reader), []);
  assert.equal(b.clock.waiting, 0);
  assert.equal(b.tools.size, 0);
});

test('an agent that does not answer session/new is given up after the start time', async () => {
  const b = await bench({scripts: [{answers: {'session/new': () => undefined}}]});
  const creating = assert.rejects(b.create(), {code: 'agent-failed', message: /within 10 s/});
  await b.asked('session/new');
  await b.clock.pass(TIMES.start + 1);
  await creating;
  assert.equal(b.agent.exit?.reason, 'stopped');
  assert.equal(b.clock.waiting, 0);
});

test('work happens below the roots of the profile only', async () => {
  const b = await bench({profile: {cwdRoots: ['/usr']}});
  await assert.rejects(b.sessions.create(reader, {cwd: '/etc'}), refused('invalid-request'));
  await assert.rejects(b.sessions.create(reader, {cwd: '../etc'}), refused('invalid-request'));
  await assert.rejects(b.sessions.create(reader, {cwd: '/nowhere'}), refused('invalid-request'));
  await b.sessions.create(reader, {cwd: 'lib'});
  assert.equal(b.agent.heard[0]?.params['cwd'], '/usr/lib');
});

test('a stop ends every run as interrupted and leaves no process, timer or session behind', async () => {
  const b = await bench();
  const one = await b.running();
  const two = await b.running();
  await b.create();
  const stopped = b.sessions.stop();
  await assert.rejects(b.create(), refused('stopping'));
  await assert.rejects(b.start(one.session), refused('stopping'));
  await stopped;
  for (const {run} of [one, two])
    assert.match(await b.sketch(run), /run\.failed gateway_stopping interrupted$/);
  assert.ok(b.agents.every(({exit}) => exit?.reason === 'stopped'));
  assert.equal(b.clock.waiting, 0);
  assert.equal(b.tools.size, 0);
  assert.deepEqual(
    {...(await b.sessions.health()), runtimes: null},
    {status: 'stopping', sessions: 0, runtimes: null},
  );
  assert.deepEqual(await b.journal.openRuns(), []);
});

test('a stop while a session is being opened ends its agent too', async () => {
  const b = await bench({scripts: [{answers: {'session/new': () => undefined}}]});
  const creating = assert.rejects(b.create());
  await b.asked('session/new');
  await b.sessions.stop();
  await creating;
  assert.equal(b.agent.exit?.reason, 'stopped');
  assert.equal(b.clock.waiting, 0);
});

test('sessions do not wait for each other', async () => {
  const b = await bench({
    scripts: [{answers: {'session/new': () => undefined}}, {}, {}],
  });
  const hanging = b.create();
  await b.asked('session/new');
  const one = await b.create();
  const two = await b.create();
  const runs = await Promise.all([b.start(one, '1'), b.start(two, '2')]);
  b.agents[2]!.text('second');
  assert.match(await b.sketch(runs[1]), /message\.delta second$/);
  b.agents[0]!.answers({sessionId: 'late'}, 'session/new');
  assert.equal(await hanging, 's1');
});

test('a journal that cannot keep what is said ends the session: nothing follows a hole', async () => {
  const b = await bench();
  const {session, agent} = await b.running();
  await b.journal.claim(session);
  agent.text('unheard');
  await settled();
  assert.equal(agent.exit?.reason, 'stopped');
  assert.equal(b.clock.waiting, 0);
  assert.equal(await b.active(session), null);
});

test('a prompt that is none opens nothing', async () => {
  const b = await bench();
  const session = await b.create();
  b.agent.exits({code: 0});
  await settled();
  await assert.rejects(b.start(session, '  '), refused('invalid-request'));
  assert.equal(b.agents.length, 1);
  assert.equal(((await b.sessions.health()) as {sessions: number}).sessions, 0);
});

test('an agent that cannot be started refuses the prompt, and nothing of it is left', async () => {
  const {GatewayError} = await import('../../../../src/gateway/gateway-error.js');
  let isThere = true;
  const launch = () =>
    isThere
      ? Promise.resolve({command: 'scripted', args: [], env: {}, cwd: '/'})
      : Promise.reject(new GatewayError('profile-missing', 'The program is gone.'));
  const b = await bench({parts: {launch}});
  const session = await b.create();
  b.agent.exits({code: 0});
  await settled();
  isThere = false;
  await assert.rejects(b.start(session), {code: 'profile-missing', message: 'The program is gone.'});
  assert.equal(((await b.sessions.health()) as {sessions: number}).sessions, 0);
  assert.equal(b.clock.waiting, 0);
  isThere = true;
  assert.equal(await b.start(session), `${session}.1`);
});

test('a question to the agent that it never answers does not hold the session for ever', async () => {
  const answers = {
    'session/new': (_params: object, agent: {sessionId: string}) => ({
      sessionId: agent.sessionId,
      modes: {
        currentModeId: 'a',
        availableModes: [
          {id: 'a', name: 'A'},
          {id: 'b', name: 'B'},
        ],
      },
    }),
    'session/set_mode': () => undefined,
  };
  const b = await bench({scripts: [{answers}]});
  const session = await b.create();
  const setting = assert.rejects(b.sessions.setMode(reader, session, 'b'), {code: 'agent-failed'});
  await b.asked('session/set_mode');
  await b.clock.pass(TIMES.start);
  await setting;
  assert.equal((await b.sessions.get(reader, session)).agent?.modes?.current, 'a');
});
