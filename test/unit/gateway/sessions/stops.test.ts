/** Stops: cancels, stalls, and agents that die, wedge or forget. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {RpcError, type AgentScript} from './scripted-agent.js';
import {bench, reader, settled, TIMES} from './session-bench.js';

test('a run whose agent heeds nothing ends when its time is over; the next prompt waits for the process to be gone', async () => {
  const b = await bench();
  const {session, run, agent} = await b.running();
  const {stop} = agent;
  let die = () => {};
  agent.stop = () => new Promise((resolve) => (die = () => resolve(stop.call(agent))));
  await b.sessions.abort(reader, run);
  await b.clock.pass(TIMES.cancel);
  assert.equal(await b.sketch(run), 'run.started Hello\nrun.cancelled');
  const own = await b.sketch(`s.${session}`);
  agent.text('Still here');
  assert.deepEqual(await agent.asks(7, {toolCallId: 't'}), {outcome: 'cancelled'});
  const next = b.start(session, 'Go on');
  await settled();
  assert.equal(b.agents.length, 1);
  assert.equal(await b.sketch(`s.${session}`), own);
  die();
  assert.equal(await next, `${session}.2`);
  assert.equal(b.agents.length, 2);
});

test('a stop is told to the agent, and the run ends as cancelled when it says so', async () => {
  const b = await bench();
  const {run, session, agent} = await b.running();
  agent.text('Lo');
  await b.sessions.abort(reader, run);
  assert.equal(agent.times('session/cancel'), 1);
  agent.answers({stopReason: 'cancelled'});
  await b.afterGrace();
  assert.match(await b.sketch(run), /message\.delta Lo\nrun\.cancelled$/);
  assert.equal(await b.active(session), null);
  assert.equal(agent.times('session/cancel'), 1);
  assert.equal(agent.exit, null);
});

test('E32 a cancel that nothing comes of is sent once more', async () => {
  const b = await bench();
  const {run, agent} = await b.running();
  await b.sessions.abort(reader, run);
  await b.sessions.abort(reader, run);
  await b.clock.pass(TIMES.cancel / 2);
  assert.equal(agent.times('session/cancel'), 2);
  agent.answers({stopReason: 'cancelled'});
  await b.afterGrace();
  assert.equal(agent.times('session/cancel'), 2);
});

test('E32 a cancel of turn 1 never reaches turn 2, and turn 2 waits until turn 1 has answered', async () => {
  const b = await bench();
  const {run, session, agent} = await b.running();
  await b.sessions.abort(reader, run);
  await assert.rejects(b.start(session, 'Two'), {code: 'busy'});
  agent.answers({stopReason: 'cancelled'});
  await b.afterGrace();
  const second = await b.start(session, 'Two');
  await b.sessions.abort(reader, run);
  await b.clock.pass(TIMES.cancel);
  assert.equal(agent.times('session/cancel'), 1);
  agent.text('Two it is');
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  assert.match(await b.sketch(second), /run\.completed Two it is$/);
});

test('E32 a cancel before the prompt is on its way goes after it', async () => {
  const b = await bench({scripts: [{answers: {'session/load': () => undefined}}]});
  const session = await b.create();
  const first = await b.start(session);
  b.agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  await b.clock.pass(TIMES.keep + 1);
  const starting = b.start(session, 'Two');
  await b.asked('session/load');
  await b.sessions.abort(reader, first.replace(/1$/, '2'));
  assert.equal(b.agent.times('session/cancel'), 0);
  b.agent.answers({}, 'session/load');
  await starting;
  assert.deepEqual(
    b.agent.heard.map(({method}) => method),
    ['session/load', 'session/prompt', 'session/cancel'],
  );
});

test('a cancel without an answer ends the process, and the run as cancelled; the next prompt starts a new one', async () => {
  const b = await bench();
  const {run, session, agent} = await b.running();
  await b.sessions.abort(reader, run);
  agent.text('never mind');
  await b.clock.pass(TIMES.cancel);
  assert.equal(agent.exit?.reason, 'stopped');
  assert.match(await b.sketch(run), /run\.cancelled$/);
  assert.equal(b.clock.waiting, 0);
  await b.start(session, 'Two');
  assert.equal(b.agents.length, 2);
});

test('E14 open calls are closed at once by a stop, and at the latest by the end of their turn', async () => {
  const b = await bench();
  const {run, session, agent} = await b.running();
  agent.update({sessionUpdate: 'tool_call', toolCallId: 't1', title: 'ls', status: 'in_progress'});
  await b.sessions.abort(reader, run);
  assert.match(await b.sketch(run), /tool\.completed t1 cancelled$/);
  agent.answers({stopReason: 'cancelled'});
  await b.afterGrace();
  const second = await b.start(session, 'Two');
  agent.update({sessionUpdate: 'tool_call', toolCallId: 't2', title: 'ls', status: 'in_progress'});
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  assert.match(await b.sketch(second), /tool\.completed t2 interrupted\nrun\.completed/);
});

test('E18 an agent that says nothing is stopped: cancel, then the end of its process, then a stalled run', async () => {
  const b = await bench();
  const {run, agent} = await b.running();
  await b.clock.pass(TIMES.idle - 1);
  agent.text('a sign of life');
  await b.clock.pass(TIMES.idle - 1);
  assert.equal(agent.times('session/cancel'), 0);
  await b.clock.pass(1);
  assert.equal(agent.times('session/cancel'), 1);
  await b.clock.pass(TIMES.cancel);
  assert.equal(agent.exit?.reason, 'stopped');
  assert.match(await b.sketch(run), /run\.failed stalled interrupted$/);
  assert.equal(b.clock.waiting, 0);
});

test('E18 a stalled agent that heeds the cancel has stalled all the same, and is started anew', async () => {
  const b = await bench();
  const {run, session, agent} = await b.running();
  await b.clock.pass(TIMES.idle);
  agent.answers({stopReason: 'cancelled'});
  await b.afterGrace();
  assert.match(await b.sketch(run), /run\.failed stalled interrupted$/);
  await b.start(session, 'Two');
  assert.equal(b.agents.length, 2);
});

test('E18 while the reader is asked, the silence is ours', async () => {
  const b = await bench();
  const {run, agent} = await b.running();
  const asked = agent.asks(0, {toolCallId: 't1'});
  await settled();
  await b.clock.pass(TIMES.idle * 10);
  assert.equal(agent.times('session/cancel'), 0);
  await b.sessions.answer(reader, run, `${run}.p1`, 'c');
  await asked;
  await b.clock.pass(TIMES.idle);
  assert.equal(agent.times('session/cancel'), 1);
});

test('E15 a process that dies in a turn ends the run as interrupted, with how it died; what it said is kept', async () => {
  const b = await bench();
  const {run, session, agent} = await b.running();
  agent.text('Half');
  agent.exits({signal: 'SIGSEGV', message: 'The agent was ended by SIGSEGV.'});
  assert.match(await b.sketch(run), /message\.delta Half\nrun\.failed agent_exited interrupted$/);
  assert.match(JSON.stringify((await b.events(run)).at(-1)), /SIGSEGV/);
  assert.equal(await b.active(session), null);
  assert.equal(b.clock.waiting, 0);
});

test('E16 an agent that ends well without an answer has not answered', async () => {
  const b = await bench();
  const {run, agent} = await b.running();
  agent.text('Half');
  agent.exits({code: 0});
  assert.match(await b.sketch(run), /run\.failed agent_exited interrupted$/);
});

test('a process that ends after its answer has answered', async () => {
  const b = await bench();
  const {run, agent} = await b.running();
  agent.text('Whole');
  agent.answers({stopReason: 'end_turn'});
  agent.exits({code: 0});
  assert.match(await b.sketch(run), /run\.completed Whole$/);
});

test('E17 a dead process is never used again: the next prompt starts one and loads the session', async () => {
  const b = await bench();
  const {session, agent} = await b.running();
  agent.exits({code: 1});
  await settled();
  await b.start(session, 'Two');
  assert.equal(b.agents.length, 2);
  assert.equal(agent.times('session/prompt'), 1);
  assert.deepEqual(
    b.agent.heard.map(({method}) => method),
    ['session/load', 'session/prompt'],
  );
});

test('E17 an idle process that dies is noticed at once', async () => {
  const b = await bench();
  const session = await b.create();
  b.agent.exits({code: 1});
  await settled();
  assert.equal(b.clock.waiting, 0);
  await b.start(session);
  assert.equal(b.agents.length, 2);
});

const chunk = (text: string) => ({sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}});

/** A session whose agent ended after one turn, with the prompt that opens it anew. */
async function reopened(script: AgentScript) {
  const b = await bench({scripts: [{}, script]});
  const {session, agent} = await b.running();
  agent.text('One');
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  agent.exits({code: 0});
  await settled();
  const run = await b.start(session, 'Two');
  return {b, session, run, agent: b.agent};
}

test('E28 what a load replays is not journaled again', async () => {
  const {b, session, run, agent} = await reopened({
    answers: {
      'session/load': ({sessionId}, loading) => {
        const old = String(sessionId);
        loading.update({sessionUpdate: 'user_message_chunk', content: {type: 'text', text: 'Hello'}}, old);
        loading.update(chunk('One'), old);
        loading.sessionId = old;
        return {};
      },
    },
  });
  agent.text('Second');
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  assert.equal(await b.sketch(run), 'run.started Two\nmessage.delta Second\nrun.completed Second');
  assert.doesNotMatch(await b.sketch(`s.${session}`), /notice/);
});

test('E29 a resume that replays although it may not is not journaled again', async () => {
  const {b, run, agent} = await reopened({
    capabilities: {sessionCapabilities: {resume: {}}},
    answers: {
      'session/resume': ({sessionId}, resuming) => {
        resuming.sessionId = String(sessionId);
        resuming.text('One');
        return {};
      },
    },
  });
  agent.text('Second');
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  assert.equal(await b.sketch(run), 'run.started Two\nmessage.delta Second\nrun.completed Second');
});

test('E30 an empty load is no proof: a refused first prompt is asked again in a new session, and that is said', async () => {
  const {b, session, run, agent} = await reopened({answers: {'session/load': () => ({})}});
  agent.answers({stopReason: 'refusal'});
  await settled();
  assert.deepEqual(
    agent.heard.map(({method}) => method),
    ['session/load', 'session/prompt', 'session/new', 'session/prompt'],
  );
  assert.deepEqual(agent.heard[3]?.params['prompt'], agent.heard[1]?.params['prompt']);
  agent.text('Second');
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  assert.equal(
    await b.sketch(run),
    'run.started Two\nnotice session\nmessage.delta Second\nrun.completed Second',
  );
  assert.equal((await b.journal.session(session))?.agentSessionId, agent.sessionId);
  assert.equal((await b.journal.runs(session)).length, 2);
});

test('E30 it is asked again once only', async () => {
  const {b, run, agent} = await reopened({answers: {'session/load': () => ({})}});
  agent.answers({stopReason: 'refusal'});
  await settled();
  agent.answers({stopReason: 'refusal'});
  await b.afterGrace();
  assert.equal(agent.times('session/prompt'), 2);
  assert.match(await b.sketch(run), /run\.failed refusal$/);
});

test('E30 a refusal of a session that was proven, or with words, is a refusal', async () => {
  const proven = await reopened({});
  proven.agent.answers({stopReason: 'refusal'});
  await proven.b.afterGrace();
  assert.equal(proven.agent.times('session/prompt'), 1);
  const worded = await reopened({answers: {'session/load': () => ({})}});
  worded.agent.update(chunk('I will not.'), String(worded.agent.heard[0]?.params['sessionId']));
  worded.agent.answers({stopReason: 'refusal'});
  await worded.b.afterGrace();
  assert.equal(worded.agent.times('session/prompt'), 1);
});

test('E30 a prompt for a session the agent does not know is asked again in a new one', async () => {
  const {b, run, agent} = await reopened({answers: {'session/load': () => ({})}});
  agent.refuses(-32603, 'Session not found');
  await settled();
  agent.text('Second');
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  assert.match(await b.sketch(run), /notice session\nmessage\.delta Second\nrun\.completed Second$/);
});

test('E30 a load that is refused makes a new session, and the turn says so', async () => {
  const {b, run, agent} = await reopened({
    answers: {
      'session/load': () => {
        throw new RpcError(-32602, 'unknown session');
      },
    },
  });
  agent.text('Second');
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  assert.equal(
    await b.sketch(run),
    'run.started Two\nnotice session\nmessage.delta Second\nrun.completed Second',
  );
});

test('E33 a live session is never loaded', async () => {
  const b = await bench();
  const {session, agent} = await b.running();
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  await b.start(session, 'Two');
  await b.sessions.get(reader, session);
  assert.equal(agent.times('session/load') + agent.times('session/resume'), 0);
});

test('E34 an agent that only queues after a stop is started anew, loaded, and asked again', async () => {
  const b = await bench({
    scripts: [
      {},
      {
        answers: {
          'session/load': ({sessionId}, agent) => {
            agent.sessionId = String(sessionId);
            return {modes: {currentModeId: 'a', availableModes: [{id: 'a', name: 'A'}]}};
          },
        },
      },
    ],
  });
  const {run, session, agent} = await b.running();
  await b.sessions.abort(reader, run);
  agent.answers({stopReason: 'cancelled'});
  await b.afterGrace();
  const second = await b.start(session, 'Two');
  agent.text('Queued for the next turn');
  agent.answers({stopReason: 'end_turn'});
  await settled();
  assert.equal(agent.exit?.reason, 'stopped');
  assert.deepEqual(
    b.agent.heard.map(({method}) => method),
    ['session/load', 'session/prompt'],
  );
  b.agent.text('Done.');
  b.agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  assert.match(await b.sketch(second), /notice session\nmessage\.delta Done\.\nrun\.completed/);
  assert.equal(b.agents.length, 2);
});

test('E34 a turn after a stop that does something is a turn', async () => {
  const b = await bench();
  const {run, session, agent} = await b.running();
  await b.sessions.abort(reader, run);
  agent.answers({stopReason: 'cancelled'});
  await b.afterGrace();
  const second = await b.start(session, 'Two');
  agent.update({sessionUpdate: 'tool_call', toolCallId: 't', title: 'Look', status: 'completed'});
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  assert.equal(b.agents.length, 1);
  assert.match(await b.sketch(second), /run\.completed/);
});

test('E37 what is said between turns goes to the session', async () => {
  const b = await bench();
  const session = await b.create();
  b.agent.text('A new version is out.');
  assert.equal(await b.sketch(`s.${session}`), 'notice message');
});

test('after a restart of the gateway a session goes on where its journal ends', async () => {
  const b = await bench();
  const {session, run, agent} = await b.running();
  agent.text('One');
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  const again = await bench({journal: b.journal});
  const second = await again.start(session, 'Two');
  assert.equal(second, `${session}.2`);
  assert.equal(again.agent.heard[0]?.method, 'session/load');
  again.agent.update(chunk('Two'), agent.sessionId);
  again.agent.answers({stopReason: 'end_turn'});
  await again.afterGrace();
  assert.match(await again.sketch(second), /run\.completed Two$/);
  assert.match(await again.sketch(run), /run\.completed One$/);
});

test('E30 a session that cannot be made anew ends the run and the process; the next prompt tries again', async () => {
  const {b, session, run, agent} = await reopened({
    answers: {
      'session/load': () => ({}),
      'session/new': () => {
        throw new RpcError(-32603, 'no room');
      },
    },
  });
  agent.answers({stopReason: 'refusal'});
  assert.match(await b.sketch(run), /run\.failed agent_failed interrupted$/);
  assert.equal(agent.exit?.reason, 'stopped');
  assert.equal(b.clock.waiting, 0);
  await b.start(session, 'Three');
  assert.equal(b.agents.length, 3);
});

test('E30 a stop while a session is made anew goes after the prompt', async () => {
  const {b, run, agent} = await reopened({
    answers: {'session/load': () => ({}), 'session/new': () => undefined},
  });
  agent.answers({stopReason: 'refusal'});
  await settled();
  await b.sessions.abort(reader, run);
  agent.answers({sessionId: agent.sessionId}, 'session/new');
  await settled();
  assert.equal(agent.heard.at(-1)?.method, 'session/cancel');
  agent.answers({stopReason: 'cancelled'});
  await b.afterGrace();
  assert.match(await b.sketch(run), /run\.cancelled$/);
});

test('an end of the gateway while a session is made anew ends the run once', async () => {
  const {b, run, agent} = await reopened({
    answers: {'session/load': () => ({}), 'session/new': () => undefined},
  });
  agent.answers({stopReason: 'refusal'});
  await settled();
  await b.sessions.stop();
  assert.match(await b.sketch(run), /^run\.started Two\nrun\.failed gateway_stopping interrupted$/);
  assert.equal(agent.exit?.reason, 'stopped');
  assert.equal(b.clock.waiting, 0);
});

test('a prompt that the agent answers with an error fails the run, and the session goes on', async () => {
  const b = await bench();
  const {run, session, agent} = await b.running();
  agent.refuses(-32603, 'The model is overloaded');
  await b.afterGrace();
  assert.match(await b.sketch(run), /run\.failed internal_error$/);
  await b.start(session, 'Two');
  assert.equal(b.agents.length, 1);
});

test('an agent that dies again and again is started less and less often; an answered prompt clears that', async () => {
  const b = await bench();
  const session = await b.create();
  const die = async () => {
    b.agent.exits({code: 1});
    await settled();
  };
  await die();
  await b.start(session, 'At once');
  await die();
  const waiting = b.start(session, 'After a second');
  await b.clock.pass(999);
  assert.equal(b.agents.length, 2);
  await b.clock.pass(1);
  await waiting;
  await die();
  const longer = b.start(session, 'After two');
  await b.clock.pass(2_000);
  await longer;
  b.agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  await die();
  await b.start(session, 'At once');
  assert.equal(b.agents.length, 5);
  await die();
  const never = assert.rejects(b.start(session, 'Not any more'), {code: 'stopping'});
  await settled();
  await b.sessions.stop();
  await never;
  assert.equal(b.clock.waiting, 0);
  assert.equal(b.agents.length, 5);
});
