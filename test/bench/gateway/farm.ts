/**
 * The agents of the gateway benchmark: one process that writes to many pipes, ten lines a second each. A line is an ACP
 * message chunk that says when it was written.
 */
import {writeSync} from 'node:fs';

const runs = Number(process.argv[2]);
const PERIOD_MS = 100;
const STEP_MS = 5;
/** Standard input, output and error are not agents. */
const FIRST_PIPE = 3;

function say(run: number): void {
  const text = `t=${process.hrtime.bigint()}; the page keeps every word `;
  const update = {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}};
  const message = {jsonrpc: '2.0', method: 'session/update', params: {sessionId: `a${run}`, update}};
  writeSync(FIRST_PIPE + run, `${JSON.stringify(message)}\n`);
}

// Spread over the period, as agents that know nothing of each other are.
const steps = PERIOD_MS / STEP_MS;
let due = performance.now();
let step = 0;
function tick(): void {
  for (; due <= performance.now(); due += STEP_MS) {
    for (let run = step % steps; run < runs; run += steps) say(run);
    step++;
  }
  setTimeout(tick, due - performance.now());
}
process.stdin.once('data', () => {
  due = performance.now();
  tick();
});
