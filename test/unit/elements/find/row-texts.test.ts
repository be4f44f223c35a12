import assert from 'node:assert/strict';
import {before, test} from 'node:test';
import {TranscriptTexts} from '../../../../src/elements/find/transcript-texts.js';
import {loadMarkdown} from '../../../../src/elements/load-markdown.js';
import {turn} from '../../scene/turn-builder.js';

before(loadMarkdown);

const story = () =>
  turn('r1').prompt('Compare.').thought('Two *files*.').tool('bash', {command: 'ls', cwd: '/x'}, {output: 'no'})
    .answer('They **dif**fer.\n\n- one\n- [two](https://e.org)\n\n```js\nlet a;\n```').artifact('n.md'); // prettier-ignore

test('a turn is read in parts, without the marks of Markdown, and a block ends what is in it', () => {
  const texts = new TranscriptTexts().of(story().build(), 'compact-worklog');
  assert.deepEqual(
    texts.map(({row, part, folded}) => `${row} ${part}: ${folded.replace(/\0+/g, '|')}`),
    [
      'prompt text: compare.',
      'reasoning:0:0 text: |two files.|',
      'tool:c1 label: bash|ls',
      'tool:c1 command: ls',
      'tool:c1 arguments: {   "cwd": "/x" }',
      'tool:c1 output: no',
      'prose:1:0 text: |they differ.|one|two|let a; |',
      'artifacts text: n.md',
    ],
  );
});

test('what a mode does not show is not read', () => {
  const texts = new TranscriptTexts().of(story().build(), 'answer-only');
  assert.ok(!texts.some(({row}) => row.startsWith('tool')));
});

test('a turn that has not changed, and a row that has not, are read once', () => {
  const texts = new TranscriptTexts();
  const [one, other] = [story().build(), story().notice('More.').build()];
  assert.equal(texts.of(one, 'compact-worklog'), texts.of(one, 'compact-worklog'));
  const grown = texts.of({...one, artifacts: other.artifacts}, 'compact-worklog');
  const kept = texts.of(one, 'compact-worklog').filter((text) => grown.includes(text));
  assert.ok(kept.length >= 6, `${kept.length}`);
});
