/**
 * The fake agent: an ACP agent over stdio that does what its scenario says, well-behaved or not. See README.md.
 *
 *   node fake-agent.mjs SCENARIO        JSON, or the path of a file of it; FAKE_AGENT_CONTROL names the test's socket
 */
import {spawn} from 'node:child_process';
import {closeSync, existsSync, readFileSync, watch, writeFileSync, writeSync} from 'node:fs';
import {connect, createServer} from 'node:net';
import {dirname} from 'node:path';
import process from 'node:process';
import {setInterval} from 'node:timers';
import {fileURLToPath} from 'node:url';

const [argument = '{}', role = 'agent'] = process.argv.slice(2);
const scenario = JSON.parse(argument.trimStart().startsWith('{') ? argument : readFileSync(argument, 'utf8'));

// --- The test: a socket that tells where we are, lets us go on, and closes when we die.

const waiting = new Map();
const released = new Set();
const controlPath = process.env.FAKE_AGENT_CONTROL;
const control = controlPath ? connect(controlPath) : null;
control?.on('error', () => {});
control?.unref();
let heard = '';
control?.setEncoding('utf8').on('data', (text) => {
  const lines = (heard + text).split('\n');
  heard = lines.pop();
  for (const label of lines) release(label);
});

function release(label) {
  const resolve = waiting.get(label);
  if (resolve) waiting.delete(label);
  else released.add(label);
  resolve?.();
}

const report = (label, value) =>
  control?.write(`${JSON.stringify({role, pid: process.pid, label, value})}\n`);

/** Tells the test where we are and waits until it says the same label. */
function pause(label) {
  report(label);
  if (released.delete(label)) return Promise.resolve();
  return new Promise((resolve) => waiting.set(label, resolve));
}

// --- The client: lines in, lines out.

/** Requests of ours that wait, by the JSON of their ids. */
const asked = new Map();
const answers = {};
/** Who waits for the next message of the client. */
const expecting = new Set();
const received = [];
const sessions = [];
let ownId = 0;
let calls = {};
let prompting = 0;
let queue = Promise.resolve();
let output = process.stdout;

/** Resolves when it was written: writes to a pipe are synchronous here, so each may be a chunk of its own. */
const bytes = (data) => new Promise((resolve) => output.write(data, () => resolve()));
const line = (message) => bytes(`${JSON.stringify(message)}\n`);

function hear(text) {
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    report('bad-line', text);
    return;
  }
  received.push(message);
  report('received', message);
  if (Object.hasOwn(message, 'id') && !message.method) {
    const key = JSON.stringify(message.id);
    answers[key] = message.result ?? message.error;
    asked.get(key)?.(message);
    asked.delete(key);
  }
  for (const resolve of expecting) resolve();
  expecting.clear();
  if (message.method) void handle(message);
}

/** Waits for a message after the one at hand and after the last waited for; with `seen`, for any there ever was. */
async function expected({method, id, seen}, context) {
  for (let at = seen ? 0 : (context.read ?? 0); ; at++) {
    if (at === received.length) await new Promise((resolve) => expecting.add(resolve));
    const message = received[at];
    if (method !== undefined && message.method !== method) continue;
    if (id !== undefined && JSON.stringify(message.id) !== JSON.stringify(id)) continue;
    context.read = at + 1;
    return;
  }
}

// --- What it does with what it hears.

async function handle(message) {
  const {method, params} = message;
  const session = params?.sessionId ?? sessions.at(-1) ?? 'no-session';
  const context = {message, session, answered: false, read: received.length};
  if (method === 'session/prompt') return prompt(context);
  const steps = stepsFor(method);
  if (steps) await run(steps, context);
  if (!context.answered && Object.hasOwn(message, 'id')) await answerAsUsual(context);
}

async function prompt(context) {
  if (prompting > 0 && scenario.busy === 'refuse') {
    return line({
      jsonrpc: '2.0',
      id: context.message.id,
      error: {code: -32600, message: 'a prompt is running'},
    });
  }
  const turn = async () => {
    prompting++;
    const steps = stepsFor('session/prompt');
    try {
      if (steps) await run(steps, context);
      if (!context.answered) await answerAsUsual(context);
    } finally {
      prompting--;
    }
  };
  // By default as most agents do: one after the other, the next unanswered until then.
  queue = scenario.busy === 'parallel' ? turn() : queue.then(turn);
  return queue;
}

/** The steps of the n-th call of a method: `on[method]` is a list of steps, or of lists, the last of which stays. */
function stepsFor(method) {
  const on = scenario.on?.[method];
  if (!on) return null;
  const nth = (calls[method] = (calls[method] ?? -1) + 1);
  return Array.isArray(on[0]) ? on[Math.min(nth, on.length - 1)] : on;
}

const usual = {
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: {loadSession: true, sessionCapabilities: {list: {}, resume: {}, close: {}}},
    agentInfo: {name: 'fake-agent', version: '1.0.0'},
    authMethods: [],
    ...scenario.initialize,
  }),
  'session/new': () => {
    sessions.push(`fake-session-${sessions.length + 1}`);
    return {sessionId: sessions.at(-1)};
  },
  'session/load': () => ({}),
  'session/resume': () => ({}),
  'session/close': () => ({}),
  'session/list': () => ({sessions: sessions.map((sessionId) => ({sessionId, cwd: '/'}))}),
  'session/set_mode': () => ({}),
  'session/set_config_option': () => ({configOptions: []}),
  authenticate: () => ({}),
  'session/prompt': async ({session, message}) => {
    const text = message.params.prompt?.map((block) => block.text ?? '').join('') ?? '';
    await update(session, {
      sessionUpdate: 'agent_message_chunk',
      content: {type: 'text', text: `You said: ${text}`},
    });
    return {stopReason: 'end_turn'};
  },
};

async function answerAsUsual(context) {
  const {message} = context;
  const make = usual[message.method];
  context.answered = true;
  if (make) return line({jsonrpc: '2.0', id: message.id, result: await make(context)});
  return line({
    jsonrpc: '2.0',
    id: message.id,
    error: {code: -32601, message: `"Method not found": ${message.method}`},
  });
}

const update = (sessionId, body) =>
  line({jsonrpc: '2.0', method: 'session/update', params: {sessionId, update: body}});

async function run(steps, context) {
  for (const step of steps) {
    const [name] = Object.keys(step);
    const act = acts[name];
    if (!act) throw new Error(`fake-agent: no step "${name}"`);
    await act(fill(step[name], context), context, fill(step, context));
  }
}

/** Puts in `$session`, `$id`, `$prompt`, and `$text` of the prompt. */
function fill(value, context) {
  if (value === '$session') return context.session;
  if (value === '$id') return context.message?.id;
  if (value === '$prompt') return context.message?.params?.prompt;
  if (value === '$cwd') return process.cwd();
  if (Array.isArray(value)) return value.map((one) => fill(one, context));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, context)]));
}

const never = () => {
  setInterval(() => {}, 1 << 30);
  return new Promise(() => {});
};

/** One row a step; README.md explains each. */
const acts = {
  update: (body, {session}) => update(session, body),
  text: (text, {session}) =>
    update(session, {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}}),
  thought: (text, {session}) =>
    update(session, {sessionUpdate: 'agent_thought_chunk', content: {type: 'text', text}}),
  send: (message) => line(message),
  sendAll: (messages) => bytes(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
  notify: ({method, params}) => line({jsonrpc: '2.0', method, params}),
  raw: (text) => bytes(text),
  base64: (data) => bytes(Buffer.from(data, 'base64')),
  bytewise: async (message) => {
    for (const byte of Buffer.from(`${JSON.stringify(message)}\n`)) await bytes(Buffer.of(byte));
  },
  longLine: (length, {session}) =>
    update(session, {
      sessionUpdate: 'agent_message_chunk',
      content: {type: 'text', text: 'x'.repeat(length)},
    }),
  stderr: (text) => void writeAll(2, text),
  stderrFlood: (length) => {
    const row = `${'e'.repeat(99)}\n`;
    for (let left = length; left > 0; left -= row.length * 100) writeAll(2, row.repeat(100));
  },
  ask: async ({id = `ask-${ownId++}`, method, params, wait = true}) => {
    const key = JSON.stringify(id);
    const answer = new Promise((resolve) => asked.set(key, resolve));
    await line({jsonrpc: '2.0', id, method, params});
    if (wait) report('answer', await answer);
    else void answer.then((message) => report('answer', message));
  },
  permission: ({id, wait, sessionId, options = usualOptions, ...rest}, context) =>
    acts.ask({
      ...(id === undefined ? {} : {id}),
      wait,
      method: 'session/request_permission',
      params: {sessionId: sessionId ?? context.session, options, ...rest},
    }),
  answer: (result, context) => {
    context.answered = true;
    return line({jsonrpc: '2.0', id: context.message.id, result});
  },
  error: (error, context) => {
    context.answered = true;
    return line({jsonrpc: '2.0', id: context.message.id, error});
  },
  usual: (_, context) => answerAsUsual(context),
  answered: (_, context) => void (context.answered = true),
  never,
  pause,
  waitFor: expected,
  waitFile: (path) => fileAppears(path),
  waitCancel: (_, context) => expected({method: 'session/cancel'}, context),
  report: (value) => void report('report', value),
  reportProcess: () =>
    void report('process', {pid: process.pid, ppid: process.ppid, cwd: process.cwd(), env: process.env}),
  reportStdin: () => void report('received-all', received),
  file: ({path, text}) => writeFileSync(path, text),
  exit: (code) => process.exit(code),
  die: (signal) => {
    process.kill(process.pid, signal);
    return never();
  },
  closeOutput: () => closeSync(1),
  closeInput: () => {
    setInterval(() => {}, 1 << 30);
    process.stdin.destroy();
    // Streams leave the descriptor open.
    closeSync(0);
  },
  stopReading: () => {
    setInterval(() => {}, 1 << 30);
    process.stdin.pause();
  },
  child: (options) => startChild(options),
  repeat: async ({times, steps}, context) => {
    for (let n = 0; n < times; n++)
      await run(JSON.parse(JSON.stringify(steps).replaceAll('$n', String(n))), context);
  },
  together: (lists, context) => Promise.all(lists.map((steps) => run(steps, context))),
  meanwhile: (steps, context) => void run(steps, context),
};

const usualOptions = [
  {optionId: 'yes', name: 'Allow', kind: 'allow_once'},
  {optionId: 'no', name: 'Reject', kind: 'reject_once'},
];

function writeAll(fd, text) {
  const data = Buffer.from(text);
  for (let written = 0; written < data.length;) {
    try {
      written += writeSync(fd, data, written);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

function fileAppears(path) {
  return new Promise((resolve) => {
    const watcher = watch(dirname(path), () => look());
    const look = () => {
      if (!existsSync(path)) return;
      watcher.close();
      resolve();
    };
    look();
  });
}

/** A process of its own: the real agent behind a wrapper, or a tool that goes on. Resolves when it runs. */
function startChild({name = 'child', holdOutput = true, ownGroup = false, ignoreSigterm = false}) {
  const child = spawn(
    process.execPath,
    [fileURLToPath(import.meta.url), JSON.stringify({ignoreSigterm}), name],
    {
      stdio: ['ignore', holdOutput ? 'inherit' : 'ignore', holdOutput ? 'inherit' : 'ignore', 'ipc'],
      detached: ownGroup,
    },
  );
  return new Promise((resolve) =>
    child.once('message', () => {
      child.disconnect();
      child.unref();
      resolve();
    }),
  );
}

// --- Its life.

if (scenario.ignoreSigterm) process.on('SIGTERM', () => report('sigterm'));
process.on('SIGINT', () => report('sigint'));

if (role !== 'agent') {
  control?.ref();
  setInterval(() => {}, 1 << 30);
  control?.once('connect', () => report('started'));
  process.send?.('started');
} else if (scenario.listen) {
  listen();
} else {
  await begin(process.stdin);
}

async function begin(input) {
  report('started');
  if (scenario.start) await run(scenario.start, {session: 'no-session'});
  if (scenario.deaf) return void setInterval(() => {}, 1 << 30);
  let unread = '';
  input.setEncoding('utf8');
  input.on('error', () => {});
  input.on('data', (text) => {
    const lines = (unread + text).split('\n');
    unread = lines.pop();
    lines.forEach(hear);
  });
  input.once('end', () => {
    report('eof');
    if (scenario.ignoreEof) setInterval(() => {}, 1 << 30);
    else process.exit(0);
  });
}

/** Listens instead of speaking by stdio, and takes one client at a time. */
function listen() {
  createServer({allowHalfOpen: true}, (socket) => {
    output = socket;
    scenario.ignoreEof = true;
    void begin(socket);
    socket.once('end', () => socket.end());
  }).listen(scenario.listen === true ? {port: 0, host: '127.0.0.1'} : {path: scenario.listen}, function () {
    report('listening', this.address());
  });
}
