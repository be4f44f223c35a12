/**
 * The whole component: a transcript that reads the run's stream, each delta a frame of its own. What is handed over in the same
 * moment comes in one chunk, as from a network. The bytes are made before; what is measured begins where they arrive.
 */
import {openRun} from '../run.js';

export default async function ours(content, deltas) {
  const run = await openRun(content);
  const frames = deltas.map((delta) => run.encode('message.delta', {delta, message_id: 'm1'}));
  let arrived = [];
  return {
    follows: true,
    push: (_delta, at) => arrived.push(frames[at]),
    drawn() {
      if (arrived.length > 0) run.send(joined(arrived));
      arrived = [];
    },
    end() {
      frames.length = 0;
      run.send(run.encode('run.completed', {stop_reason: 'end_turn'}));
    },
  };
}

function joined(chunks) {
  const whole = new Uint8Array(chunks.reduce((sum, {length}) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
