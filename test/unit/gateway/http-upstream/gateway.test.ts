/** Hermes over HTTP through the whole gateway: from a prompt over its own routes to frames, and over a restart. */
import assert from 'node:assert/strict';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test, type TestContext} from 'node:test';
import {createGateway} from '../../../../src/gateway/gateway.js';
import {thisMachine} from '../../../../src/gateway/profiles/machine.js';
import type {RunEvent} from '../../../../src/protocol/index.js';
import {ScriptedHermes, type HermesScript} from '../../../support/scripted-hermes/scripted-hermes.js';

const base = 'http://127.0.0.1/api/hermes/client';

async function served(context: TestContext, script: HermesScript, env: Record<string, string> = {}) {
  const hermes = await new ScriptedHermes(script).open(context);
  const dataDir = await mkdtemp(join(tmpdir(), 'hermes-upstream-'));
  const machine = {...thisMachine(), env: {MNOTE_WEB_HERMES_UPSTREAM_URL: hermes.url, ...env}};
  const create = () => createGateway({dataDir, machine, hosts: 'any', profile: 'hermes_http'});
  let gateway = await create();
  context.after(async () => {
    await gateway.stop();
    await rm(dataDir, {recursive: true});
  });
  const ask = (method: string, path: string, body?: object) => {
    const headers = body ? {'content-type': 'application/json'} : {};
    const init = {method, headers, ...(body && {body: JSON.stringify(body)})};
    return gateway.fetch(new Request(path.startsWith('/') ? new URL(path, base) : `${base}/${path}`, init));
  };
  const post = async (path: string, body: object) => {
    const response = await ask('POST', path, body);
    return (await response.json()) as Record<string, string>;
  };
  return {
    hermes,
    ask,
    post,
    /** The events of a run, to its end. */
    async events(url: string, onEvent: (event: RunEvent) => void = () => {}): Promise<readonly RunEvent[]> {
      const events: RunEvent[] = [];
      let text = '';
      for await (const piece of (await ask('GET', url)).body!.pipeThrough(new TextDecoderStream())) {
        const frames = (text + piece).split('\n\n');
        text = frames.pop()!;
        for (const frame of frames) {
          const data = /^data: (.*)$/m.exec(frame)?.[1];
          if (data === undefined) continue;
          events.push(JSON.parse(data) as RunEvent);
          onEvent(events.at(-1)!);
        }
      }
      return events;
    },
    async restart() {
      await gateway.stop();
      gateway = await create();
    },
  };
}

/** What is expected is there; the rest is not looked at. */
const holds = (actual: object | undefined, expected: object) =>
  assert.deepEqual({...actual, ...expected}, actual);

const usage = {input_tokens: 900, output_tokens: 40, total_tokens: 940};

test('a run with a tool and an approval is journaled as any other, and remembered over a restart', async (context) => {
  const {hermes, post, events, ask, restart} = await served(
    context,
    {
      key: 'right',
      run: async (run) => {
        if (run.id !== 'run_1') return run.end('run.completed', {output: 'Again.', usage});
        run.send('message.delta', {delta: 'Let me look. '});
        run.send('tool.started', {tool: 'terminal', preview: 'rm -r build'});
        run.send('approval.request', {command: 'rm -r build', description: 'recursive delete'});
        const {choice} = await run.approved;
        run.send('approval.responded', {choice, resolved: 1});
        run.send('tool.completed', {tool: 'terminal', duration: 0.1, error: false});
        run.send('message.delta', {delta: 'Done.'}).end('run.completed', {output: 'Done.', usage});
      },
    },
    {API_SERVER_KEY: 'right'},
  );
  const {profiles} = (await (await ask('GET', 'profiles')).json()) as {profiles: {name: string}[]};
  holds(profiles.at(-1), {name: 'hermes_http', available: true, active: true});
  const {sessionId} = await post('sessions', {});
  const run = await post('runs', {sessionId, prompt: 'Clean up', pageContext: 'The page.'});
  const seen = await events(run['events']!, (event) => {
    if (event.event !== 'permission.requested') return;
    void post(`runs/${run['runId']}/permissions/${event.permission_id}`, {optionId: 'once'});
  });
  assert.deepEqual(
    seen.map(({event}) => event),
    [
      ...['run.started', 'message.delta', 'tool.started', 'permission.requested', 'permission.resolved'],
      ...['tool.completed', 'message.delta', 'run.completed'],
    ],
  );
  holds(seen[2], {tool: 'terminal', preview: 'rm -r build', tool_call_id: 'tool#1'});
  holds(seen[3], {
    tool_call_id: 'tool#1',
    title: 'recursive delete',
    kind: 'execute',
  });
  holds(seen[7], {output: 'Done.', stop_reason: 'end_turn', usage});
  assert.deepEqual(await events(run['events']!), seen);
  assert.match(String(hermes.runs[0]!.asked.body['input']), /The page\..*Clean up/s);

  await restart();
  const next = await post('runs', {sessionId, prompt: 'Once more'});
  const {output} = (await events(next['events']!)).at(-1) as RunEvent<'run.completed'>;
  assert.equal(output, 'Again.');
  assert.deepEqual(hermes.runs[1]!.asked.body, {
    input: 'Once more',
    session_id: sessionId,
    conversation_history: [
      {role: 'user', content: 'Clean up'},
      {role: 'assistant', content: 'Let me look. \n\nDone.'},
    ],
  });
});

test('a stop reaches Hermes, and a run it lost fails as a lost connection', async (context) => {
  const {hermes, post, events} = await served(context, {
    run: async (run) => {
      run.send('message.delta', {delta: 'Half'});
      if (run.id === 'run_2') {
        hermes.forget();
        return run.break();
      }
      await run.stopped;
      run.end('run.cancelled');
    },
  });
  const {sessionId} = await post('sessions', {});
  const first = await post('runs', {sessionId, prompt: 'One'});
  const stopped = await events(first['events']!, ({event}) => {
    if (event === 'message.delta') void post(`runs/${first['runId']}/abort`, {});
  });
  assert.equal(stopped.at(-1)!.event, 'run.cancelled');
  const second = await post('runs', {sessionId, prompt: 'Two'});
  const end = (await events(second['events']!)).at(-1);
  holds(end, {event: 'run.failed', terminal_state: 'connection_lost'});
});

test('a key that Hermes does not take is refused with what to do', async (context) => {
  const {post} = await served(context, {key: 'right'});
  const refusal = await post('sessions', {});
  assert.equal(refusal['code'], 'auth-required');
  assert.match(refusal['error']!, /name the variable that holds the API_SERVER_KEY/);
});
