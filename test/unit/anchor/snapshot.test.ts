import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {Ajv2020} from 'ajv/dist/2020.js';
import {
  applySnapshot,
  applyTurnEvents,
  createTranscript,
  digest,
  toSnapshot,
  type TranscriptJson,
  type TurnEvent,
} from '../../../src/anchor/index.js';
import {
  comparable,
  expected,
  foldRecording,
  forms,
  observations,
  observe,
} from '../recordings/observations.js';

const schema = new URL('../../../docs/hermes.transcript.v1.schema.json', import.meta.url);
const validate = new Ajv2020({allowUnionTypes: true}).compile(
  JSON.parse(readFileSync(schema, 'utf8')) as object,
);

/** What a page keeps and reads again. */
function stored(events: readonly TurnEvent[]): TranscriptJson {
  return JSON.parse(
    JSON.stringify(toSnapshot(applyTurnEvents(createTranscript(), events))),
  ) as TranscriptJson;
}

for (const [name, line] of Object.entries(expected)) {
  test(`${name}: every form's snapshot keeps to the schema`, () => {
    for (const form of forms) {
      const json: unknown = JSON.parse(JSON.stringify(toSnapshot(foldRecording(line, form))));
      assert.ok(validate(json), JSON.stringify(validate.errors));
    }
  });

  const seen = observe(line);
  const frames = observations(seen, 'bare')
    .frames.flat()
    .filter(({seq}) => seq !== null);
  if (new Set(frames.map(({run}) => run)).size !== 1) continue;

  test(`${name}: a snapshot taken anywhere reads back as it was, goes on at its cursor, and yields to a replay`, () => {
    const whole = comparable(applyTurnEvents(createTranscript(), frames));
    const step = Math.max(1, frames.length >> 5);
    for (let cut = 1; cut < frames.length; cut += step) {
      const half = stored(frames.slice(0, cut));
      const painted = applySnapshot(createTranscript(), half, 'cache');
      const before = comparable(applyTurnEvents(createTranscript(), frames.slice(0, cut)));
      assert.deepEqual(comparable(painted), before, `read back at ${cut}`);
      const replayed = applyTurnEvents(painted, frames);
      assert.deepEqual(comparable(replayed), whole, `replayed over ${cut}`);
      if (half.turns[0]?.resume == null) continue;
      const continued = applyTurnEvents(painted, frames.slice(cut));
      assert.deepEqual(comparable(continued), whole, `continued at ${cut}`);
    }
  });

  test(`${name}: a snapshot without resume is painted until a replay from the start replaces it`, () => {
    const half = stored(frames.slice(0, Math.ceil(frames.length / 2)));
    const turns = half.turns.map((turn) => ({...turn, resume: null}));
    const painted = applySnapshot(createTranscript(), {...half, turns}, 'cache');
    assert.equal(painted.turns[0]?.answer.toString(), half.turns[0]?.answer);
    const whole = comparable(applyTurnEvents(createTranscript(), frames));
    assert.deepEqual(comparable(applyTurnEvents(painted, frames)), whole);
  });
}

test('something else than a transcript is refused with a sentence', () => {
  for (const wrong of [null, 1, 'text', [], {}, {format: 'hermes.transcript.v2', turns: []}]) {
    assert.throws(() => applySnapshot(createTranscript(), wrong, 'cache'), /hermes\.transcript\.v1/);
  }
});

test('odd fields of a snapshot become their empty values', () => {
  const json = {
    format: 'hermes.transcript.v1',
    turns: [{id: 'r1', answer: 'Hello.'}, {answer: 'no id'}, null],
  };
  const {turns} = toSnapshot(applySnapshot(createTranscript(), json, 'history'));
  assert.deepEqual(
    turns.map(({id, answer, status, items}) => ({id, answer, status, items})),
    [{id: 'r1', answer: 'Hello.', status: 'settled', items: []}],
  );
});

test('what came back besides text is in the snapshot, and in the turn read from it', () => {
  const content = [
    {type: 'image', mimeType: 'image/png', data: 'AAAA'},
    {type: 'hologram', beams: [1]},
  ];
  const call = {type: 'tool', run: 'r', callId: 'c', tool: 'look', status: null} as const;
  const json = stored([
    {...call, phase: 'start', seq: 1, name: 'tool.started', facts: {content: [{type: 'audio'}]}},
    {...call, phase: 'end', seq: 2, name: 'tool.completed', facts: {content}},
    {type: 'terminal', run: 'r', seq: 3, name: 'run.completed', state: 'completed', strength: 'observed'},
    {...call, phase: 'update', seq: 4, name: 'tool.updated', facts: {output: 'late'}},
  ]);
  assert.deepEqual(json.turns[0]!.items[0]!.tool!.content, content);
  assert.ok(validate(json), JSON.stringify(validate.errors));
  const again = toSnapshot(applySnapshot(createTranscript(), json, 'history'));
  assert.deepEqual(again.turns[0]!.items, json.turns[0]!.items);
});

test('the digest is the same for live, replayed and restored turns, and blind to statistics and cursor', () => {
  const line = expected['hermes-webui/02-reasoning-tools-answer']!;
  const frames = observations(observe(line), 'bare').frames.flat();
  const live = toSnapshot(applyTurnEvents(createTranscript(), frames)).turns[0]!;
  const replayed = toSnapshot(
    frames.reduce((transcript, event) => applyTurnEvents(transcript, [event, event]), createTranscript()),
  ).turns[0]!;
  const restored = toSnapshot(applySnapshot(createTranscript(), stored(frames), 'history')).turns[0]!;
  assert.match(digest(live), /^[0-9a-f]{16}$/);
  assert.equal(digest(replayed), digest(live));
  assert.equal(digest(restored), digest(live));
  assert.notEqual(digest({...live, answer: 'Other.'}), digest(live));
});
