import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {MarkdownStream, parseMarkdown, textOf, toHtml} from '../../../src/markdown/index.js';
import {streamed} from './streamed.js';

/** What stands on the screen when so much has come. */
function drawn(text: string): string {
  const stream = new MarkdownStream();
  stream.write(text);
  return toHtml([...stream.take(), ...stream.tail()]);
}

/** Pieces that Markdown is made of, and that it is broken with. */
const fragment = fc.constantFrom(
  ...[
    '# ',
    '## ',
    '- ',
    '* ',
    '+ ',
    '1. ',
    '2) ',
    '10. ',
    '> ',
    '>',
    '```',
    '~~~',
    '````',
    '```js',
    '---',
    '===',
    '***',
  ],
  ...[
    '| a | b |',
    '|---|:-:|',
    '| - |',
    '|',
    '\\|',
    '[x]',
    '[ ] ',
    '[x] ',
    '[a](b)',
    '[a]: /b "c"',
    '[^1]',
    '[^1]: ',
    '![',
    '](',
  ],
  ...[
    '**',
    '*',
    '_',
    '__',
    '~~',
    '~',
    '`',
    '``',
    '<',
    '>',
    '<b>',
    '</b>',
    '<!--',
    '-->',
    '<div>',
    '&amp;',
    '&',
    '&copy',
    ';',
  ],
  ...[
    '\n',
    '\n',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '\t',
    '    ',
    '  ',
    ' ',
    '\\',
    '\0',
    'é',
    '💡',
    'אב',
    'word',
    'http://a.b/c',
    'www.d.e',
    'f@g.hi',
    '(',
    ')',
    '"',
  ],
);
const text = fc.array(fragment, {maxLength: 40}).map((parts) => parts.join(''));

/** A text and where it is cut. */
const cut = text.chain((whole) =>
  fc
    .array(fc.nat({max: whole.length}), {maxLength: 12})
    .map((at) => [0, ...at.sort((a, b) => a - b), whole.length])
    .map((at) => ({whole, pieces: at.slice(1).map((end, index) => whole.slice(at[index], end))})),
);

test('a text cut anywhere, drawn after each piece, is the text whole', () => {
  fc.assert(
    fc.property(cut, ({whole, pieces}) => {
      assert.deepEqual(streamed(pieces), parseMarkdown(whole));
    }),
    {numRuns: 3000},
  );
});

test('blocks that were taken are drawn no other way by what follows', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [short, long] = [new MarkdownStream(), new MarkdownStream()];
      short.write(before);
      long.write(before + after);
      const taken = short.take();
      const later = long.take();
      // What a definition after it would change is told by `mend`.
      assert.equal(toHtml(taken), toHtml(later.slice(0, taken.length)));
    }),
    {numRuns: 2000},
  );
});

const flat = (html: string) => html.replaceAll('\n', '');

for (const [begun, becomes] of [
  ['a **bold', '<p>a <strong>bold</strong></p>'],
  ['a **bold*', '<p>a <strong>bold</strong></p>'],
  ['a *', '<p>a </p>'],
  ['a **', '<p>a </p>'],
  ['an *`x', '<p>an <em><code>x</code></em></p>'],
  ['a `co', '<p>a <code>co</code></p>'],
  ['a `', '<p>a </p>'],
  ['a ~~gone', '<p>a <del>gone</del></p>'],
  ['about ~5', '<p>about ~5</p>'],
  ['2*3', '<p>2*3</p>'],
  ['snake_case_na', '<p>snake_case_na</p>'],
  ['a [link', '<p>a link</p>'],
  ['a [link]', '<p>a link</p>'],
  ['a [link](', '<p>a link</p>'],
  ['a [link](http://exa', '<p>a link</p>'],
  ['a [link](http://example.org "ti', '<p>a link</p>'],
  ['a [link](http://example.org)', '<p>a <a href="http://example.org">link</a></p>'],
  ['a [x] b', '<p>a [x] b</p>'],
  ['Tom &am', '<p>Tom </p>'],
  ['#', ''],
  ['## Ti', '<h2>Ti</h2>'],
  ['Title\n--', '<p>Title</p>'],
  ['- ', ''],
  ['- a\n- ', '<ul><li>a</li></ul>'],
  ['- [', ''],
  ['- [x', ''],
  ['- [x] do', '<ul><li><input type="checkbox" disabled="" checked="" /> do</li></ul>'],
  ['1', ''],
  ['1. a\n\n2', '<ol><li>a</li></ol>'],
  ['``', ''],
  ['```js', ''],
  ['```js\nlet a', '<pre><code class="language-js">let a</code></pre>'],
  ['```js\nlet a\n``', '<pre><code class="language-js">let a</code></pre>'],
  ['| a | b |', '<table><thead><tr><th>a</th><th>b</th></tr></thead></table>'],
  ['| a | b |\n|--', '<table><thead><tr><th>a</th><th>b</th></tr></thead></table>'],
  [
    '| a |\n|---|\n| **x',
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><strong>x</strong></td></tr></tbody></table>',
  ],
  ['[a]: http://exa', ''],
  ['a[^1', '<p>a^1</p>'],
  ['a[^1]', '<p>a<sup><a href="#note-1" id="note-1:1">1</a></sup></p>'],
] as const) {
  test(`what has come of ${JSON.stringify(begun)} is drawn as what it will be`, () => {
    assert.equal(flat(drawn(begun)), becomes);
  });
}

test('a link whose definition comes later is mended at the end', () => {
  const stream = new MarkdownStream();
  stream.write('See [this].\n\nOther.\n\n[this]: /there\n');
  const before = stream.take();
  assert.equal(flat(toHtml(before)), '<p>See [this].</p><p>Other.</p>');
  stream.end();
  stream.take();
  const {blocks} = stream.mend();
  assert.deepEqual([...blocks.keys()], [0]);
  assert.equal(
    flat(toHtml([...blocks.values()].map(([, after]) => after))),
    '<p>See <a href="/there">this</a>.</p>',
  );
});

test('a footnote that is never defined is text at the end, and takes no number', () => {
  const html = flat(toHtml(streamed(['a[^x] b[^y]\n\n', '[^y]: yes'])));
  assert.match(html, /^<p>a\[\^x\] b<sup><a href="#note-y" id="note-y:1">1<\/a><\/sup><\/p><section/);
});

test('an entity that is not known yet is mended when its table has come', () => {
  let table: Record<string, string> = {};
  const stream = new MarkdownStream({entities: (name) => table[name]});
  stream.write('&frac78; of it');
  stream.end();
  assert.equal(textOf(stream.take()), '&frac78; of it');
  table = {frac78: '⅞'};
  assert.equal(textOf([...stream.mend().blocks.values()].map(([, after]) => after)), '⅞ of it');
});

/** Texts that make a careless parser quadratic, or too deep. */
const repeated: Readonly<Record<string, (count: number) => string>> = {
  'nested emphasis': (count) => '*a **b '.repeat(count),
  'openers that never close': (count) => '*_'.repeat(count),
  'closers that nothing opened': (count) => 'a_ a* '.repeat(count),
  'open brackets': (count) => '['.repeat(count),
  'brackets in pairs': (count) => '[a]'.repeat(count),
  'links without an end': (count) => '[a]('.repeat(count),
  'titles without an end': (count) => '[a](b "'.repeat(count),
  'backticks of every length': (count) =>
    Array.from({length: Math.sqrt(count)}, (_, n) => `${'`'.repeat(n)} a`).join(' '),
  'less-than signs': (count) => '<'.repeat(count),
  'comments without an end': (count) => '<!-- a '.repeat(count),
  'instructions without an end': (count) => '<?'.repeat(count),
  'at signs': (count) => 'a@'.repeat(count),
  'one long word before an at sign': (count) => `${'a'.repeat(count)}@`,
  'addresses in parentheses': (count) => `http://a.b/${')'.repeat(count)}`,
  'entities at the end of an address': (count) => `http://a.b/${'&a;'.repeat(count)}`,
  'quotes in quotes': (count) => `${'>'.repeat(count)} a`,
  'lists in lists': (count) => `${'- '.repeat(count)} a`,
  tabs: (count) => '\t'.repeat(count),
  pipes: (count) => `${'|'.repeat(count)}\n${'|-'.repeat(count)}`,
  definitions: (count) => '[a]: b\n'.repeat(count),
  footnotes: (count) => '[^a]'.repeat(count),
  'exclamation marks': (count) => '!['.repeat(count),
  'addresses behind a letter': (count) => 'xhttp://'.repeat(count),
  addresses: (count) => 'http://a.b/ '.repeat(count),
  'addresses without a domain': (count) => 'http://_/'.repeat(count),
  'emphasis in emphasis in emphasis': (count) => `${'*a '.repeat(count / 4)}${'b* '.repeat(count / 4)}`,
  'footnotes of every name': (count) => Array.from({length: count / 4}, (_, n) => `[^${n}]`).join(''),
  items: (count) => `${'- a\n'.repeat(count)}\n- b`,
  'empty rows of a wide table': (count) =>
    `${'|a'.repeat(1000)}|\n${'|-'.repeat(1000)}|\n${'|\n'.repeat(count / 100)}`,
  'a tag without an end': (count) => `<a ${'b '.repeat(count)}`,
};

for (const [name, make] of Object.entries(repeated)) {
  // Were the work quadratic, this would take minutes.
  test(`${name}, a hundred thousand times, are read to the end`, {timeout: 60_000}, () => {
    const source = make(100_000);
    assert.equal(typeof toHtml(parseMarkdown(source)), 'string');
    assert.equal(typeof drawn(source), 'string');
  });
}
