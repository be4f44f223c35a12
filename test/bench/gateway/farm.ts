/**
 * The agents of the gateway benchmark: one process that listens on a socket, where each connection is an ACP agent with one
 * session. Once it has a prompt, and all are told to go, it says ten lines a second that tell when they were written.
 */
import {createServer, type Socket} from 'node:net';
import {endWithParent} from './children.js';

const PERIOD_MS = 100;
const STEP_MS = 5;

endWithParent();

interface Request {
  readonly id?: number;
  readonly method?: string;
}

const running: Socket[] = [];

createServer((socket) => {
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) answer(socket, JSON.parse(line) as Request);
  });
  socket.on('error', () => socket.destroy());
}).listen(process.argv[2], () => process.send!('listens'));

function answer(socket: Socket, {id, method}: Request): void {
  if (method === 'initialize') say(socket, {id, result: {protocolVersion: 1, agentCapabilities: {}}});
  else if (method === 'session/new') say(socket, {id, result: {sessionId: 'a'}});
  else if (method === 'session/prompt') running.push(socket);
}

function say(socket: Socket, message: object): void {
  socket.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
}

function sayMore(socket: Socket): void {
  const text = `t=${process.hrtime.bigint()}; the page keeps every word `;
  const update = {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}};
  say(socket, {method: 'session/update', params: {sessionId: 'a', update}});
}

// Spread over the period, as agents that know nothing of each other are.
const steps = PERIOD_MS / STEP_MS;
let due = 0;
let step = 0;
function tick(): void {
  for (; due <= performance.now(); due += STEP_MS) {
    for (let run = step % steps; run < running.length; run += steps) sayMore(running[run]!);
    step++;
  }
  setTimeout(tick, due - performance.now());
}
process.on('message', () => {
  due = performance.now();
  tick();
});
