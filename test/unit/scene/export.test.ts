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

const given = [
  {type: 'text', text: 'Two of them.'},
  {type: 'image', data: 'R0lGODlhAQABAAAAACw=', mimeType: 'image/gif'},
  {type: 'resource_link', name: 'The ![x](https://e.org/p.gif) report', uri: 'https://e.org/report'},
  {type: 'resource', resource: {uri: 'file:///a b.txt', mimeType: 'text/plain', text: 'A'}},
  {type: 'image', url: 'data:image/png;base64,AA==', mimeType: 'image/png'},
];

test('what a call gave back besides text is named below it, and nothing of it loads', () => {
  const work = turn().tool('chart', {}, {content: given, output: 'Two of them.'}).answer('Done.').build();
  assert.equal(
    toMarkdown([work]),
    [
      '- `chart`',
      '  - `image/gif`',
      '  - `The ![x](https://e.org/p.gif) report` <https://e.org/report>',
      '  - `file:///a b.txt`',
      '',
      'Done.',
      '',
    ].join('\n'),
  );
  assert.ok(toText([work]).includes('report https://e.org/report'));
});

test('turns are parted, and an ending other than completed is told', () => {
  const turns = [
    turn('t1').answer('One.').build(),
    turn('t2').prompt('More').ended('error', 'Quota.').build(),
  ];
  assert.equal(toMarkdown(turns), 'One.\n\n---\n\n> More\n\n*error: Quota.*\n');
});

test('nothing is an empty text', () => assert.equal(toMarkdown([]), ''));
