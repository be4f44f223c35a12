/**
 * The whole component: a transcript that reads the run's stream, each delta a frame of its own in a network chunk of its
 * own. The bytes are made before; what is measured begins where they arrive.
 */
import {openRun} from '../run.js';

export default async function ours(content, deltas) {
  const run = await openRun(content);
  const frames = deltas.map((delta) => run.encode('message.delta', {delta, message_id: 'm1'}));
  return {
    follows: true,
    push: (_delta, at) => run.send(frames[at]),
    end() {
      frames.length = 0;
      run.send(run.encode('run.completed', {stop_reason: 'end_turn'}));
    },
  };
}
