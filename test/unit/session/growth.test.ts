import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import type {SourceEvent} from '../../../src/protocol/index.js';
import {Folding} from '../../../src/session/folding.js';

const RUN = 'f00dfeed'.repeat(4);
let seq = 0;
const event = (name: string, fields: object, run = RUN): SourceEvent => {
  const data = {event: name, run_id: run, seq: ++seq, session_id: 's1', timestamp: 1_750_000_000, ...fields};
  return {id: `${run}:${seq}`, name, data: JSON.stringify(data)};
};
const delta = (text: string, message = 'm1') => event('message.delta', {delta: text, message_id: message});
const folding = () => Object.assign(new Folding(), {run: RUN});
const start = () => event('run.started', {turn_id: 't1', prompt: 'Go'});

test('more of a text is kept until somebody looks, and told apart from all else', () => {
  const fold = folding();
  assert.notEqual(fold.receive([start()], 'hermes-runs'), null);
  assert.notEqual(fold.receive([delta('One')], 'hermes-runs'), null, 'a text begins');
  const before = fold.transcript;
  assert.equal(fold.receive([delta(' two')], 'hermes-runs'), null);
  assert.equal(fold.receive([delta(' three'), delta(' four')], 'hermes-runs'), null);
  assert.equal(String(before.turns[0]?.answer), 'One', 'what was read before stays as it was');
  assert.equal(String(fold.transcript.turns[0]?.answer), 'One two three four');
  assert.equal(fold.transcript, fold.transcript, 'the same reference, as nothing has changed');
  assert.notEqual(fold.receive([delta('Next', 'm2')], 'hermes-runs'), null, 'another message begins');
  assert.notEqual(fold.receive([delta('!', 'm2'), event('run.completed', {})], 'hermes-runs'), null);
  assert.equal(fold.transcript.turns[0]?.terminal, 'completed');
});

test('what is kept is bounded, also where nobody ever looks', () => {
  const fold = folding();
  fold.receive([start(), delta('a')], 'hermes-runs');
  const folded = Array.from({length: 2000}, () => fold.receive([delta('b')], 'hermes-runs')).filter(Boolean);
  assert.ok(folded.length >= 2 && folded.length < 10, `${folded.length} of 2000 were folded at once`);
  assert.equal(fold.transcript.turns[0]?.answer.length, 2001);
});

test('whoever looks when: the transcript is that of one event after the other', () => {
  const pieces = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({name: fc.constant('message.delta'), message_id: fc.constantFrom('m1', 'm2')}),
    },
    {weight: 3, arbitrary: fc.record({name: fc.constant('reasoning.delta')})},
    {
      weight: 1,
      arbitrary: fc.record({
        name: fc.constantFrom('tool.started', 'tool.completed'),
        tool_id: fc.constantFrom('a', 'b'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({name: fc.constantFrom('message.completed', 'run.completed', 'run.cancelled')}),
    },
    {weight: 1, arbitrary: fc.record({name: fc.constant('message.delta'), session_id: fc.constant('s2')})},
    {weight: 1, arbitrary: fc.record({name: fc.constant('again')})},
  );
  const batch = fc.record({
    said: fc.array(pieces, {minLength: 1, maxLength: 4}),
    looks: fc.boolean(),
    beside: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(batch, {maxLength: 30}), (batches) => {
      seq = 0;
      const [one, all] = [folding(), folding()];
      const first = [start()];
      one.receive(first, 'hermes-runs');
      all.receive(first, 'hermes-runs');
      let last = first[0]!;
      for (const {said, looks, beside} of batches) {
        const events = said.map(({name, ...fields}, index) =>
          name === 'again' ? last : (last = event(name, {delta: ` ${index}`, tool: 'read_file', ...fields})),
        );
        for (const each of events) {
          one.receive([each], 'hermes-runs', beside);
          assert.ok(one.transcript);
        }
        all.receive(events, 'hermes-runs', beside);
        if (looks) assert.ok(all.transcript);
      }
      assert.deepEqual(all.snapshot, one.snapshot);
      assert.deepEqual(all.transcript.session, one.transcript.session);
      assert.equal(all.cursorOf(RUN), one.cursorOf(RUN));
    }),
    {numRuns: 300},
  );
});
