/** What grows is read and made once: what stands before the end of an open block is the same in each drawing. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {
  MarkdownStream,
  parseMarkdown,
  toHtml,
  type MarkdownElement,
  type MarkdownNode,
} from '../../../src/markdown/index.js';
import {streamed} from './streamed.js';

/** The blocks drawn at the end after each of these pieces. */
function drawnAfter(pieces: readonly string[]): MarkdownElement[] {
  const stream = new MarkdownStream();
  return pieces.map((piece) => {
    stream.write(piece);
    return stream.tail()[0] as MarkdownElement;
  });
}

const open: Readonly<Record<string, readonly [before: string, more: string]>> = {
  items: ['- *a*\n- *b*\n- c', ' and more'],
  'items of a loose list': ['- *a*\n\n- *b*\n\n- c', ' and more'],
  'blocks of a quote': ['> *a*\n>\n> *b*\n>\n> c', ' and more'],
  'rows of a table': ['| a |\n|---|\n| *b* |\n| c', ' and more'],
};

for (const [name, [before, more]] of Object.entries(open)) {
  test(`closed ${name} are the same nodes in the next drawing`, () => {
    const [first, second] = drawnAfter([before, more]);
    assert.notDeepEqual(second, first);
    assert.ok(first!.children.length > 2);
    // The last one is in the line that has not ended; the one before is closed by that line.
    for (const [index, node] of first!.children.slice(0, -2).entries())
      assert.equal(second!.children[index], node);
  });
}

test('items of a list that turns loose are made once, while the line is drawn that parts them, and after it', () => {
  const drawn = drawnAfter(['- a\n- b\n- c\n', '\n- d', ' e', '\n- f']);
  assert.deepEqual(
    drawn.map(({attributes}) => attributes.loose),
    [undefined, true, true, true],
  );
  for (const later of drawn.slice(2)) {
    assert.equal(later.children[0], drawn[1]!.children[0]);
    assert.equal(later.children[1], drawn[1]!.children[1]);
  }
});

test('what a long paragraph begins with is read once', () => {
  const sentence = 'Words that *stand*, `for good`, in [a text](/b) that grows. ';
  const drawn = drawnAfter([sentence.repeat(20), ...'and some more'.split(''), '\n', sentence]);
  for (const {children} of drawn.slice(1))
    for (const [index, node] of drawn[0]!.children.slice(0, 60).entries())
      if (typeof node !== 'string') assert.equal(children[index], node);
});

const words = 'so many words that nobody reads them to the end, '.repeat(12);

/** A text in pieces is drawn after each as one that came at once, and is in the end the text whole. */
function sameInPieces(text: string, size = 7, end = '') {
  const pieces = [...text.match(new RegExp(`[^]{1,${size}}`, 'g'))!, end];
  const stream = new MarkdownStream();
  let come = '';
  for (const piece of pieces) {
    stream.write(piece);
    stream.take();
    const fresh = new MarkdownStream();
    fresh.write((come += piece));
    fresh.take();
    assert.deepEqual(stream.tail(), fresh.tail());
  }
  assert.deepEqual(streamed(pieces), parseMarkdown(text + end));
}

/** What more text may make another of, however long it takes. */
for (const [begin, end] of [
  ['`', '`'],
  ['``', ' `` b'],
  ['*', '*'],
  ['a **b _c', 'd_ e**'],
  ['~~', '~~'],
  ['[', '](/b)'],
  ['[a](</b', '>)'],
  ['[a](/b "', '")'],
  ['[a](/b \'c ) "', "')"],
  ['![a](/b (', '))'],
  ['<b title="', '">'],
  ['<!-- ', '-->'],
  ['<?', '?>'],
  ['<!A ', '>'],
  ['[^1] ', '[^1]'],
  ['[a] ', '[b]'],
  ['&unknown; ', '&copy;'],
  ['a\\\nb  \n', '  \nc'],
  [`${'x'.repeat(300)}_b_ `, ''],
  [`${'x'.repeat(300)}  \n`, ''],
] as const) {
  test(`${JSON.stringify(begin)} that ends with ${JSON.stringify(end)} after many words is the same in pieces as whole`, () => {
    for (const before of ['', words])
      sameInPieces(`[a]: /a\n\n${before}${begin}${words}${end} and ${words}\n\n[b]: /b\n`);
  });
}

test('a paragraph is not taken for the one before that begins alike, where a link was defined between them', () => {
  const alike = `${words}[b] ${words}`;
  sameInPieces(alike, 7, `\n\n[b]: /b\n\n${alike}`);
});

test('what was drawn while a definition had no title yet does not stay', () => {
  const alike = `'${words}[a] ${words}`;
  sameInPieces(`[a]: /b\n${alike}`, 7, `\n'\n${alike}`);
});

const fragment = fc.oneof(
  {weight: 3, arbitrary: fc.constantFrom('words of a long text ', 'word', ' ', '  ', '\n', '  \n', '\\\n')},
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        '**',
        '*',
        '_',
        '__',
        '~~',
        '`',
        '``',
        '<',
        '>',
        '<b>',
        '<b ',
        '<!--',
        '-->',
        '&amp;',
        '&',
        ';',
        '\\',
      ],
      ...['[', ']', '](', '[a](b)', '[a]', '[a][b]', '![', '[^1]', '!', '"', '(', ')', '\u00A0', 'é', '💡'],
      ...[
        'http://a.b/c',
        'www.d.e',
        'f@g.hi',
        '<x:',
        '\n\n',
        '\n- ',
        '\n> ',
        '\n[b]: /c\n',
        '\n| a |\n|-|\n',
      ],
    ),
  },
);

test('a long paragraph in pieces is drawn as one that came at once, and is in the end the text whole', () => {
  fc.assert(
    fc.property(
      fc.array(fragment, {minLength: 60, maxLength: 120}),
      fc.integer({min: 5, max: 90}),
      (parts, size) => {
        const text = `[a]: /a\n\n${parts.join('')}`;
        sameInPieces(text, size);
      },
    ),
    {numRuns: 150},
  );
});

const means: Readonly<Record<string, string>> = {
  '\u00A0': '<p>\u00A0</p>',
  '# a\u00A0#\u00A0': '<h1>a\u00A0#\u00A0</h1>',
  'a\n- \u00A0': '<p>a</p><ul><li>\u00A0</li></ul>',
  '    a\n    \u00A0': '<pre><code>a\u00A0</code></pre>',
  '<?a?>\n\u00A0': '&lt;?a?&gt;<p>\u00A0</p>',
  '[\u00A0](b)': '<p><a href="b">\u00A0</a></p>',
  '&www.d.e http://a.b/c[a](b)':
    '<p>&amp;www.d.e <a href="http://a.b/c%5Ba%5D(b)">http://a.b/c[a](b)</a></p>',
};

for (const [markdown, html] of Object.entries(means)) {
  test(`${JSON.stringify(markdown)} means ${JSON.stringify(html)}`, () => {
    const flat = (nodes: readonly MarkdownNode[]) => toHtml(nodes).replaceAll('\n', '');
    assert.equal(flat(parseMarkdown(markdown)), html);
    assert.equal(flat(streamed(markdown)), html);
  });
}

test('a break in the text of an image is one line end', () => {
  const [paragraph] = parseMarkdown('![a  \nb](c)') as MarkdownElement[];
  assert.equal((paragraph!.children[0] as MarkdownElement).attributes.alt, 'a\nb');
});
