/** What `npm run bench -- render` gives its subjects, asks of them and says of a run; the browser is not needed for that. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {corpora, corpusOf, deltasOf} from '../../bench/render/corpus.js';
import {longRun, longTranscript} from '../../bench/render/long-run.js';
import {parseOptions, plan, type Case} from '../../bench/render/options.js';
import {stretches, type Line} from '../../bench/render/run-case.js';
import {summarise} from '../../bench/render/summary.js';

const planned = (...given: string[]) => plan(parseOptions(given));
const told = ({subject, chars, perFrame, follow, corpus}: Case) =>
  `${subject} ${corpus} ${chars} ${perFrame}${follow ? ' following' : ''}`;

test('a corpus is the same for the same seed, another for another, and as long as was asked', () => {
  for (const name of corpora) {
    for (const chars of [1000, 20_000]) {
      const text = corpusOf(name, chars);
      assert.equal(text.length, chars, name);
      assert.equal(corpusOf(name, chars), text, name);
      assert.notEqual(corpusOf(name, chars, 2), text, name);
    }
  }
});

test('a mixed corpus has everything that is drawn in its own way', () => {
  const text = corpusOf('mixed', 20_000);
  for (const mark of [
    /^## /m,
    /\*\*\w/,
    /`\w+\(\)`/,
    /^- /m,
    /^1\. /m,
    /^```(ts|python|bash|json|rust)$/m,
    /^\| --- /m,
    /^> /m,
    /\]\(https:/,
  ])
    assert.match(text, mark);
});

test('every other corpus is one block', () => {
  for (const name of corpora) if (name !== 'mixed') assert.doesNotMatch(corpusOf(name, 20_000), /\n\n/, name);
});

test('deltas are the text, in pieces of the size of tokens', () => {
  const text = corpusOf('mixed', 20_000);
  const deltas = deltasOf(text);
  assert.equal(deltas.join(''), text);
  assert.deepEqual(deltasOf(text), deltas);
  assert.ok(deltas.slice(0, -1).every(({length}) => length >= 2 && length <= 8));
});

test('quick is ours between two runs of streaming-markdown, and the plain node', () => {
  assert.deepEqual(planned('--quick').map(told), [
    'smd mixed 20000 8',
    'ours mixed 20000 8',
    'smd mixed 20000 8',
    'text mixed 20000 8',
  ]);
});

test('what is asked for goes before what quick says', () => {
  assert.deepEqual(planned('--quick', '--subject', 'ours', '--follow', 'on', '--corpus', 'code').map(told), [
    'ours code 20000 8 following',
  ]);
});

test('without options every subject, size, rate and place of the reader is there', () => {
  const cases = planned();
  for (const subject of ['ours', 'smd', 'streamdown', 'reparse', 'text'])
    for (const chars of [20_000, 100_000])
      for (const perFrame of [1, 8, 64])
        for (const follow of [false, true])
          assert.ok(
            cases.some(
              (one) =>
                told(one) ===
                told({...one, subject: subject as Case['subject'], chars, perFrame, follow, corpus: 'mixed'}),
            ),
            `${subject} ${chars} ${perFrame} ${follow}`,
          );
  assert.equal(cases.filter(({subject}) => subject === 'deep-chat').length, 1);
  for (const corpus of corpora)
    assert.ok(
      cases.some((one) => one.subject === 'ours' && one.corpus === corpus),
      corpus,
    );
});

test('repeat runs the whole again', () => {
  assert.equal(planned('--quick', '--repeat', '3').length, 3 * planned('--quick').length);
});

test('an option or a name that is not known is told in a sentence', () => {
  const sentences: Record<string, RegExp> = {
    '--subject us': /--subject us: there are ours, smd/,
    '--chars many': /--chars many: a whole number/,
    '--follow perhaps': /--follow perhaps: on, off or both/,
    '--slowly': /--slowly.*Options: --subject/s,
  };
  for (const [given, message] of Object.entries(sentences))
    assert.throws(() => parseOptions(given.split(' ')), {name: 'RangeError', message});
});

test('a long case is measured in stretches all along, within the text', () => {
  assert.deepEqual(stretches(3840, 8, 480), [[0, 3840]]);
  const long = stretches(20_000, 8, 480);
  assert.equal(long.length, 8);
  assert.ok(long[0]![0] > 0 && long.at(-1)![1] < 20_000);
  assert.ok(long.every(([from, to], index) => to - from === 480 && from >= (long[index - 1]?.[1] ?? 0)));
});

const line = (subject: Line['subject'], cpu: number, more: Partial<Line> = {}): Line => ({
  ...{
    case: 'render',
    subject,
    chars: 20_000,
    per_frame: 64,
    follow: false,
    corpus: 'mixed',
    cpu_us_per_delta: cpu,
  },
  ...{script_ms: 0, layout_ms: 0, long_tasks: 0, longest_ms: 0, heap_mb: 1, dom_mb: 1, nodes: 100, deltas: 1},
  ...more,
});

test('a summary compares with both runs of streaming-markdown, and leaves out what failed', () => {
  const {ratios, growth, heap_bytes_per_char, failed} = summarise([
    line('smd', 300),
    line('ours', 200),
    line('smd', 500),
    line('text', 400, {longest_ms: 60}),
    line('ours', 9999, {failed: 'Nothing was drawn.'}),
    line('ours', 220, {chars: 100_000}),
    line('ours', 220, {chars: 400_000, heap_mb: 4.8}),
  ]);
  assert.equal(ratios[0]!.to_smd, 0.5);
  assert.equal(ratios[0]!.to_text, 0.5);
  assert.equal(ratios[0]!.longest_over_text_ms, -60);
  assert.deepEqual(growth, [{per_frame: 64, follow: false, ratio: 1.1}]);
  assert.equal(heap_bytes_per_char, 10);
  assert.equal(failed, 1);
});

test('a long run is the same for the same seed, and its transcript has turns of thirty rows', () => {
  const round = {thoughts: 2, words: 5, tools: 1};
  assert.deepEqual(longRun(100, round), longRun(100, round));
  assert.equal(longRun(100, round).length, 100);
  const {turns} = longTranscript(2);
  assert.deepEqual(
    turns.map(({terminal, items}) => [terminal, items.length]),
    [
      ['completed', 27],
      ['completed', 27],
    ],
  );
});
