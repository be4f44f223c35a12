import assert from 'node:assert/strict';
import {test} from 'node:test';
import {toMarkdown, toText} from '../../../src/scene/export.js';
import {turn} from './turn-builder.js';

const story = () =>
  turn().prompt('Compare\nthe notes.').prose('Looking\ncloser.').thought('Two files.').tool('read_file', {path: 'a.md'})
    .tool('terminal', {command: 'echo `x`\nls'}, {status: 'error'}).answer('They *differ*.\n\n- a').artifact('n.md'); // prettier-ignore

test('a turn as Markdown: prompt quoted, work as a list, answer as it is', () => {
  assert.equal(
    toMarkdown([story().build()]),
    [
      '> Compare',
      '> the notes.',
      '',
      '- Looking',
      '  closer.',
      '- *Two files.*',
      '- `read_file a.md`',
      '- ``terminal echo `x` ls`` (error)',
      '',
      'They *differ*.',
      '',
      '- a',
      '',
      '- modified `n.md`',
      '',
    ].join('\n'),
  );
});

test('a turn as text: the same without marks', () => {
  assert.equal(
    toText([story().build()], 'answer-only'),
    'You: Compare\nthe notes.\n\nThey *differ*.\n\n- a\n\n- modified n.md\n',
  );
});

test('turns are parted, and an ending other than completed is told', () => {
  const turns = [
    turn('t1').answer('One.').build(),
    turn('t2').prompt('More').ended('error', 'Quota.').build(),
  ];
  assert.equal(toMarkdown(turns), 'One.\n\n---\n\n> More\n\n*error: Quota.*\n');
});

test('nothing is an empty text', () => assert.equal(toMarkdown([]), ''));
