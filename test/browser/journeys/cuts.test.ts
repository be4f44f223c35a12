/** The promise of the project, from bytes to rows: however a turn arrives, it is the same turn. */
import {displayModes} from '../../../src/scene/index.js';
import * as assert from '../../support/assert.js';
import {address, facts, listed, read, rowsInAllModes, type Stage} from './stage.js';

const recordings = [
  'hermes-webui/02-reasoning-tools-answer',
  'hermes-webui/04-parallel-same-name-one-error',
  'hermes-webui/05-cancel-midway',
  'hermes-webui/07-tool-limit',
  'hermes-webui/08-compression-rotation',
  'hermes-webui/12-metadata-noise',
  'hermes-webui-real/cancel/live',
  'hermes-webui-real/error/plain-live',
  'hermes-webui-real/markdown/live',
  'hermes-webui-real/reconnect-after-seq',
  'hermes-webui-real/todo/live',
  'hermes-webui-real/tools/live',
];
const faults = ['drop', 'mixed', 'stale'];
const CUTS = 10;

const stages: Stage[] = [];
const reading = async (...args: Parameters<typeof read>) => {
  const stage = await read(...args);
  stages.push(stage);
  return stage;
};
afterEach(() => {
  for (const stage of stages.splice(0)) stage.remove();
});

for (const name of recordings) {
  for (const fault of faults) {
    it(`${name}: ten cuts (${fault}) and modes switched in the middle end as an undisturbed run`, async () => {
      const recording = await listed(name);
      const calm = await reading(address(recording));
      const rough = await reading(address(recording, {fault, cuts: CUTS, seed: 11}), (transcript, batch) => {
        transcript.mode = displayModes[batch % displayModes.length]!;
      });
      // A cut behind the frame that ends the stream is never met.
      assert.ok(rough.breaks >= Math.min(CUTS, recording.events - 2), `only ${rough.breaks} breaks`);
      assert.ok(rough.batches > 2);
      assert.deepEqual(facts(rough.transcript), facts(calm.transcript));
      assert.deepEqual(await rowsInAllModes(rough.transcript), await rowsInAllModes(calm.transcript));
    });
  }
}

it('an element that is dropped in the middle and attached anew shows the same turn', async () => {
  const recording = await listed('hermes-webui-real/tools/live');
  const calm = await reading(address(recording));
  const play = `reload-${performance.timeOrigin}`;
  const src = address(recording, {pace: 'fast', fault: 'mixed', seed: 4, play});
  await new Promise<void>((resolve) => {
    const first = document.createElement('hermes-transcript');
    first.addEventListener('hermes-turn-started', () => {
      first.remove();
      resolve();
    });
    first.src = src;
    document.body.append(first);
  });
  const second = await reading(src);
  assert.deepEqual(facts(second.transcript), facts(calm.transcript));
  assert.deepEqual(await rowsInAllModes(second.transcript), await rowsInAllModes(calm.transcript));
});

it('a reader who came late has the whole turn once the history is there', async () => {
  const recording = await listed('hermes-webui-real/tools/live');
  const late = await reading(address(recording, {fault: 'late'}));
  late.transcript.shown!.snapshot = await (await fetch(`/api/recordings/${recording.name}/session`)).json();
  const {full} = (await (await fetch(`/api/recordings/${recording.name}/expected`)).json()) as {
    full: {turns: {prompt: string; answer: string; terminal: string; tools: unknown[]}[]};
  };
  const turns = late.transcript.snapshot!.turns;
  assert.deepEqual(
    turns.map(({prompt, answer, terminal, items}) => ({
      prompt,
      answer,
      terminal,
      tools: items.filter(({tool}) => tool).length,
    })),
    full.turns.map(({prompt, answer, terminal, tools}) => ({prompt, answer, terminal, tools: tools.length})),
  );
  await rowsInAllModes(late.transcript);
});
