/** What a panel sees of a session's agent and sets in it: modes, options, commands, steering. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {refusalStatus} from '../../../../src/gateway/http/refusals.js';
import {RpcError, type AgentScript, type Answers} from './scripted-agent.js';
import {bench, reader, settled, type Bench} from './session-bench.js';

const modes = {
  currentModeId: 'normal',
  availableModes: [
    {id: 'normal', name: 'Normal', description: 'As ever'},
    {id: 'plan', name: 'Plan'},
  ],
};

const select = (id: string, currentValue: string, values: readonly string[], category = id) => ({
  id,
  name: id,
  category,
  type: 'select',
  currentValue,
  options: values.map((value) => ({value, name: value})),
});

const effort = (value: string) => select('effort', value, ['low', 'high']);
const fast = (currentValue: boolean) => ({id: 'fast', name: 'Fast', type: 'boolean', currentValue});

const script: AgentScript = {
  capabilities: {
    loadSession: true,
    promptCapabilities: {image: true, embeddedContext: true},
    _meta: {'reasonix.io': {sessionSteer: {method: '_reasonix.io/session/steer'}}},
  },
  answers: {
    'session/new': (_params, agent) => ({
      sessionId: agent.sessionId,
      modes,
      configOptions: [effort('low'), fast(false)],
    }),
    'session/load': () => ({modes, configOptions: [effort('low'), fast(false)]}),
    'session/set_config_option': ({configId, value}) => {
      if (configId === 'fast') return {configOptions: [effort('low'), fast(value as boolean)]};
      return {configOptions: [effort(value as string), fast(false)]};
    },
    '_reasonix.io/session/steer': () => ({itemId: 'i', disposition: 'steer_accepted'}),
  },
};

test('a panel is told modes, options and abilities, also while the session rests', async () => {
  const b = await bench({scripts: [script]});
  const id = await b.create();
  const {agent} = await b.sessions.get(reader, id);
  assert.deepEqual(agent, {
    profile: 'one',
    runtimeType: 'generic',
    modes: {
      current: 'normal',
      available: [
        {id: 'normal', name: 'Normal', description: 'As ever'},
        {id: 'plan', name: 'Plan', description: null},
      ],
    },
    options: [effort('low'), fast(false)],
    commands: [],
    canSteer: true,
    accepts: ['image', 'resource'],
  });
  b.agent.exits({code: 0});
  await settled();
  assert.deepEqual((await b.sessions.get(reader, id)).agent, agent);
});

test('a mode is set in the agent, told by the stream, and set again in the next process', async () => {
  const b = await bench({scripts: [script]});
  const id = await b.create();
  await b.start(id);
  await b.sessions.setMode(reader, id, 'plan');
  assert.deepEqual(b.agent.heard.at(-1), {
    method: 'session/set_mode',
    params: {sessionId: b.agent.sessionId, modeId: 'plan'},
  });
  assert.match(await b.sketch(`s.${id}`), /mode\.updated$/);
  assert.equal((await b.sessions.get(reader, id)).agent?.modes?.current, 'plan');
  await assert.rejects(b.sessions.setMode(reader, id, 'nonsense'), {code: 'invalid-request'});
  b.agent.exits({code: 0});
  await settled();
  await b.start(id);
  assert.deepEqual(
    b.agent.heard.map(({method}) => method),
    ['session/load', 'session/set_mode', 'session/prompt'],
  );
});

test('an option takes one of its values; the agent answers with all options', async () => {
  const b = await bench({scripts: [script]});
  const id = await b.create();
  await b.sessions.setOption(reader, id, 'effort', 'high');
  await assert.rejects(b.sessions.setOption(reader, id, 'effort', 'huge'), {code: 'invalid-request'});
  await assert.rejects(b.sessions.setOption(reader, id, 'effort', true), {code: 'invalid-request'});
  await assert.rejects(b.sessions.setOption(reader, id, 'nothing', 'x'), {code: 'invalid-request'});
  assert.deepEqual((await b.sessions.get(reader, id)).agent?.options, [effort('high'), fast(false)]);
  await b.sessions.setOption(reader, id, 'fast', true);
  assert.deepEqual(b.agent.heard.at(-1)?.params, {
    sessionId: b.agent.sessionId,
    configId: 'fast',
    type: 'boolean',
    value: true,
  });
});

test('an agent that refuses an option says why', async () => {
  const refusing: AgentScript = {
    ...script,
    answers: {
      ...script.answers,
      'session/set_config_option': () => {
        throw new RpcError(-32602, 'stop background jobs first');
      },
    },
  };
  const b = await bench({scripts: [refusing]});
  const id = await b.create();
  await assert.rejects(b.sessions.setOption(reader, id, 'effort', 'high'), {
    code: 'invalid-request',
    message: /stop background jobs first/,
  });
});

const legacy: AgentScript = {
  answers: {
    'session/new': (_params, agent) => ({
      sessionId: agent.sessionId,
      models: {
        currentModelId: 'a:small',
        availableModels: [
          {modelId: 'a:small', name: 'Small'},
          {modelId: 'a:large', name: 'Large'},
        ],
      },
    }),
    'session/set_model': () => ({}),
  },
};

test('an older list of models is one more option, set in the older way', async () => {
  const b = await bench({scripts: [legacy]});
  const id = await b.create();
  await b.sessions.setOption(reader, id, 'model', 'a:large');
  assert.deepEqual(b.agent.heard.at(-1), {
    method: 'session/set_model',
    params: {sessionId: b.agent.sessionId, modelId: 'a:large'},
  });
  const [model] = (await b.sessions.get(reader, id)).agent?.options ?? [];
  assert.deepEqual([model?.['id'], model?.['currentValue']], ['model', 'a:large']);
  assert.match(await b.sketch(`s.${id}`), /config\.updated$/);
  await assert.rejects(b.sessions.setMode(reader, id, 'plan'), {code: 'unsupported'});
});

test('a new session takes the profile’s model', async () => {
  const b = await bench({scripts: [legacy], profile: {defaultModel: 'a:large'}});
  await b.create();
  assert.deepEqual(
    b.agent.heard.map(({method}) => method),
    ['session/new', 'session/set_model'],
  );
  const unknown = await bench({scripts: [legacy], profile: {defaultModel: 'b:none'}});
  await unknown.create();
  assert.equal(unknown.agent.times('session/set_model'), 0);
});

test('what the agent says while it takes a choice is not lost', async () => {
  const commands = [{name: 'plan', description: 'Make a plan'}];
  const saysMore =
    (answer: object): Answers[string] =>
    (_params, agent) => {
      agent.update({sessionUpdate: 'available_commands_update', availableCommands: commands});
      return answer;
    };
  const talking = (answers: Answers): AgentScript => ({answers: {...script.answers, ...answers}});
  const choices: readonly (readonly [string, AgentScript, (b: Bench, id: string) => Promise<void>])[] = [
    ['mode', talking({'session/set_mode': saysMore({})}), (b, id) => b.sessions.setMode(reader, id, 'plan')],
    [
      'option',
      talking({'session/set_config_option': saysMore({configOptions: [effort('high')]})}),
      (b, id) => b.sessions.setOption(reader, id, 'effort', 'high'),
    ],
    [
      'default model',
      {answers: {...legacy.answers, 'session/set_model': saysMore({})}},
      () => Promise.resolve(),
    ],
  ];
  for (const [what, talker, choose] of choices) {
    const b = await bench({scripts: [talker], profile: {defaultModel: 'a:large'}});
    const id = await b.create();
    await choose(b, id);
    assert.deepEqual((await b.sessions.get(reader, id)).agent?.commands, commands, what);
  }
});

test('what the agent changes by itself is what the panel is told', async () => {
  const b = await bench({scripts: [script]});
  const id = await b.create();
  b.agent.update({sessionUpdate: 'current_mode_update', currentModeId: 'plan'});
  b.agent.update({sessionUpdate: 'config_option_update', configOptions: [effort('high')]});
  b.agent.update({sessionUpdate: 'session_info_update', title: 'Of notes'});
  await settled();
  const {agent, title} = await b.sessions.get(reader, id);
  assert.equal(agent?.modes?.current, 'plan');
  assert.deepEqual(agent?.options, [effort('high')]);
  assert.equal(title, 'Of notes');
});

test('a session without a title is named by its first prompt', async () => {
  const b = await bench();
  const {session} = await b.running('Shorten the second part\nand keep its links');
  await settled();
  assert.equal((await b.sessions.list(reader))[0]?.title, 'Shorten the second part');
  assert.equal((await b.sessions.get(reader, session)).title, 'Shorten the second part');
});

test('a turn is steered where the agent takes that, and the text is shown', async () => {
  const b = await bench({scripts: [script]});
  const {run, agent} = await b.running();
  await b.sessions.steer(reader, run, 'Only the first part');
  assert.deepEqual(agent.heard.at(-1), {
    method: '_reasonix.io/session/steer',
    params: {sessionId: agent.sessionId, prompt: [{type: 'text', text: 'Only the first part'}]},
  });
  assert.match(await b.sketch(run), /notice steer$/);
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  await assert.rejects(b.sessions.steer(reader, run, 'Too late'), {code: 'run-over'});
  assert.equal(refusalStatus['run-over'], 409);
  await b.sessions.abort(reader, run);
  assert.equal((await b.sketch(run)).match(/run\.cancelled/), null, 'one that is over needs no stopping');
});

test('a turn that is about to stop takes no more instructions', async () => {
  const b = await bench({scripts: [script]});
  const {run} = await b.running();
  await b.sessions.abort(reader, run);
  await assert.rejects(b.sessions.steer(reader, run, 'Too late'), {
    code: 'run-over',
    message: /about to stop/,
  });
});

test('an agent that cannot be steered says so', async () => {
  const b = await bench();
  const {run} = await b.running();
  await assert.rejects(b.sessions.steer(reader, run, 'Left'), {
    code: 'unsupported',
    message: /cannot be steered/,
  });
});
