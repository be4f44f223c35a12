/** Formulas in Markdown, where a page has them drawn: what is one, what is text, and what stands there until it is known. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {
  MarkdownStream,
  parseMarkdown,
  texOf,
  toHtml,
  type MarkdownNode,
} from '../../../src/markdown/index.js';
import {commonMark, gfm} from './spec-examples.js';
import {streamed} from './streamed.js';

const options = {math: true};

/** HTML in a line, with `⟨x⟩` for a formula in text, `⟪x⟫` for one that stands by itself, and `…` in one that has no end yet. */
const sketch = (nodes: readonly MarkdownNode[]) =>
  toHtml(nodes.map(told)).replace(/>\n/g, '>').replaceAll('\n', ' ');

function told(node: MarkdownNode): MarkdownNode {
  if (typeof node === 'string') return node;
  if (node.tag !== 'math') return {...node, children: node.children.map(told)};
  const {display, open} = node.attributes;
  const said = open ? `${node.children[0] as string}…` : texOf(node);
  return display ? `⟪${said}⟫` : `⟨${said}⟩`;
}

const means: Readonly<Record<string, string>> = {
  'So $x^2$.': '<p>So ⟨x^2⟩.</p>',
  'So \\(x^2\\).': '<p>So ⟨x^2⟩.</p>',
  'So \\( x \\), too.': '<p>So ⟨ x ⟩, too.</p>',
  'The $n$th, 对于$x$来说, **$a$**, _$b$_.':
    '<p>The ⟨n⟩th, 对于⟨x⟩来说, <strong>⟨a⟩</strong>, <em>⟨b⟩</em>.</p>',
  '$a_1 * b_2 * c_3$ and $a*b$ and *c*': '<p>⟨a_1 * b_2 * c_3⟩ and ⟨a*b⟩ and <em>c</em></p>',
  '$\\{x\\} \\\\ [y](z) <b> &amp; ~~a~~$': '<p>⟨\\{x\\} \\\\ [y](z) &lt;b&gt; &amp;amp; ~~a~~⟩</p>',
  '$a\nb$': '<p>⟨a b⟩</p>',
  '$a\n\nb$': '<p>$a</p><p>b$</p>',
  // Prices, and other dollars.
  'It costs $5 and $10.': '<p>It costs $5 and $10.</p>',
  '$5–$10, US$5, $20-$30, a $ b $ c': '<p>$5–$10, US$5, $20-$30, a $ b $ c</p>',
  'From $5 on, $x$ is true.': '<p>From $5 on, ⟨x⟩ is true.</p>',
  '$ x$ and $x $': '<p>$ x$ and $x $</p>',
  '\\$x$ and $x\\$': '<p>$x$ and $x$</p>',
  '$\\$5$ and \\\\$x$': '<p>⟨\\$5⟩ and \\⟨x⟩</p>',
  'cheap ($), dear ($$), dearer ($$$)': '<p>cheap ($), dear ($$), dearer ($$$)</p>',
  '\\\\(x\\\\) \\\\[x\\\\]': '<p>\\(x\\) \\[x\\]</p>',
  '\\(\\) \\[ \\] $$ $$ a': '<p>() [ ] $$ $$ a</p>',
  // Code and addresses come first.
  '`$x$` and `\\(x\\)` and $a `b$ c` d':
    '<p><code>$x$</code> and <code>\\(x\\)</code> and $a <code>b$ c</code> d</p>',
  '`$x` $y$ `z$`': '<p><code>$x</code> ⟨y⟩ <code>z$</code></p>',
  'https://a.b/?$c=1&$d=2 $x$':
    '<p><a href="https://a.b/?$c=1&amp;$d=2">https://a.b/?$c=1&amp;$d=2</a> ⟨x⟩</p>',
  'So <a b="$x$">': '<p>So &lt;a b=&quot;$x$&quot;&gt;</p>',
  '$a <b$ c>': '<p>⟨a &lt;b⟩ c&gt;</p>',
  '[so $a]b$](/c) ![$x$](/d)': '<p><a href="/c">so ⟨a]b⟩</a> <img src="/d" alt="$x$" /></p>',
  '```\n$x$\n```\n\n    $x$': '<pre><code>$x$ </code></pre><pre><code>$x$ </code></pre>',
  '# $x$\n\n- $y$\n\n> $z$': '<h1>⟨x⟩</h1><ul><li>⟨y⟩</li></ul><blockquote><p>⟨z⟩</p></blockquote>',
  '| $a$ |\n|--|\n| $b$ |':
    '<table><thead><tr><th>⟨a⟩</th></tr></thead><tbody><tr><td>⟨b⟩</td></tr></tbody></table>',
  // Those that stand by themselves.
  'So $$x$$ it is, or \\[y\\].': '<p>So ⟪x⟫ it is, or ⟪y⟫.</p>',
  '$$\nx\n$$': '<p>⟪ x ⟫</p>',
  'So\n$$\na\n+ b\n- c\n= d\n===\n> 0\n# e\n1. f\n    g\n<p>\n***\n| h |\n|---|\n$$\nand so on.':
    '<p>So ⟪ a + b - c = d === &gt; 0 # e 1. f     g &lt;p&gt; *** | h | |---| ⟫ and so on.</p>',
  'With `x` and \\[\n- a \\\\[2pt]\n+ \\text{where $b$}\n\\]':
    '<p>With <code>x</code> and ⟪ - a \\\\[2pt] + \\text{where $b$} ⟫</p>',
  '- a\n  $$\n  - b\n  $$\n- c': '<ul><li>a ⟪ - b ⟫</li><li>c</li></ul>',
  '> $$\n> + a\n> $$\n\n+ b': '<blockquote><p>⟪ + a ⟫</p></blockquote><ul><li>b</li></ul>',
  '$$a\n$$b\n- c': '<p>⟪a ⟫b</p><ul><li>c</li></ul>',
  // What has no end is text, and its lines what they look like.
  '$$\n+ *a*': '<p>$$</p><ul><li><em>a</em></li></ul>',
  '\\[\n+ a\n\n\\]': '<p>[</p><ul><li>a</li></ul><p>]</p>',
  '$$\n- a\n```\n$$\n```': '<p>$$</p><ul><li>a</li></ul><pre><code>$$ </code></pre>',
  '$$\n- a\n~~~\n$$': '<p>$$</p><ul><li>a</li></ul><pre><code>$$ </code></pre>',
  '- $$\n- b $$': '<ul><li>$$</li><li>b $$</li></ul>',
  '> $$\na\n\n$$': '<blockquote><p>$$ a</p></blockquote><p>$$</p>',
  '| a $$ |\n|---|\n| b |':
    '<table><thead><tr><th>a $$</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
  '\\[ a\n$$\n- b\n$$': '<p>[ a ⟪ - b ⟫</p>',
  [`$${'x'.repeat(1001)}$`]: `<p>$${'x'.repeat(1001)}$</p>`,
  [`$$\n- a\n${'x\n'.repeat(5001)}$$`]: `<p>$$</p><ul><li>a ${'x '.repeat(5001)}$$</li></ul>`,
};

for (const [markdown, html] of Object.entries(means)) {
  const name = JSON.stringify(markdown.length > 200 ? `${markdown.slice(0, 20)}…` : markdown);
  test(`with formulas ${name} means ${JSON.stringify(html.slice(0, 200))}`, () => {
    assert.equal(sketch(parseMarkdown(markdown, options)), html);
    if (markdown.length < 1000) assert.equal(sketch(streamed(markdown, options)), html);
  });
}

/** What stands on the screen when so much has come. */
function drawn(text: string): string {
  const stream = new MarkdownStream(options);
  stream.write(text);
  return sketch([...stream.take(), ...stream.tail()]);
}

for (const [begun, becomes] of [
  ['It costs $', '<p>It costs $</p>'],
  ['It costs $5 and **more', '<p>It costs $5 and <strong>more</strong></p>'],
  ['So $x', '<p>So $x</p>'],
  ['$20-$', '<p>$20-$</p>'],
  ['So $x$', '<p>So $x$</p>'],
  ['So $x$.', '<p>So ⟨x⟩.</p>'],
  ['So $x$\nan', '<p>So ⟨x⟩ an</p>'],
  ['So \\', '<p>So </p>'],
  ['So \\(a_b * c', '<p>So ⟨\\(a_b * c…⟩</p>'],
  ['So \\(a\\)', '<p>So ⟨a⟩</p>'],
  ['So\n$$\na\n+ b\n- *c', '<p>So ⟪$$ a + b - *c…⟫</p>'],
  ['So\n$$\na\n+ b\n$', '<p>So ⟪$$ a + b $…⟫</p>'],
  ['So\n$$\na\n+ b\n$$', '<p>So ⟪ a + b ⟫</p>'],
  ['\\[ *a*\n\n', '<p>[ <em>a</em></p>'],
  ['| \\[a | b |', '<table><thead><tr><th>[a</th><th>b</th></tr></thead></table>'],
] as const) {
  test(`what has come of ${JSON.stringify(begun)} is drawn as what it may be, or as text`, () => {
    assert.equal(drawn(begun), becomes);
  });
}

const hasFormula = (node: MarkdownNode): boolean =>
  typeof node !== 'string' && (node.tag === 'math' || node.children.some(hasFormula));

test('nobody who does not ask for formulas gets any', () => {
  for (const markdown of Object.keys(means)) assert.ok(!parseMarkdown(markdown).some(hasFormula), markdown);
});

test('whoever asks for them gets all else as it was', () => {
  for (const {markdown} of [...commonMark, ...gfm])
    if (!/\$|\\[([]/.test(markdown))
      assert.deepEqual(parseMarkdown(markdown, options), parseMarkdown(markdown));
});

const fragment = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('$', '$$', '\\(', '\\)', '\\[', '\\]', '$x$', '$$\n', '\n$$', '\\\\'),
  },
  {weight: 2, arbitrary: fc.constantFrom('word', ' ', '  ', '\n', '\n', '\n\n', '5', 'a_1', 'é', '\t', '\\')},
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        '- ',
        '+ b\n',
        '1. ',
        '> ',
        '# ',
        '===',
        '    ',
        '```',
        '~~~',
        '`',
        '**',
        '*',
        '[',
        '](/b)',
        '<b>',
        '<',
      ],
      ...[
        '| a | b |',
        '|---|---|',
        '|',
        '\r\n',
        '\0',
        'http://a.b/$c',
        '[^1]',
        '[^1]: ',
        '[a]: /b',
        '&',
        '![',
        '[ ] ',
      ],
    ),
  },
);

const cut = fc
  .array(fragment, {maxLength: 40})
  .map((parts) => parts.join(''))
  .chain((whole) =>
    fc
      .array(fc.nat({max: whole.length}), {maxLength: 12})
      .map((at) => [0, ...at.sort((a, b) => a - b), whole.length])
      .map((at) => ({whole, pieces: at.slice(1).map((end, index) => whole.slice(at[index], end))})),
  );

test('a text with formulas cut anywhere, drawn after each piece, is the text whole', () => {
  fc.assert(
    fc.property(cut, ({whole, pieces}) => {
      assert.deepEqual(streamed(pieces, options), parseMarkdown(whole, options));
    }),
    {numRuns: 4000},
  );
});

test('blocks with formulas that were taken are drawn no other way by what follows', () => {
  fc.assert(
    fc.property(cut, cut, ({whole: before}, {whole: after}) => {
      const [short, long] = [new MarkdownStream(options), new MarkdownStream(options)];
      short.write(before);
      long.write(before + after);
      const taken = short.take();
      assert.equal(sketch(taken), sketch(long.take().slice(0, taken.length)));
    }),
    {numRuns: 2000},
  );
});

test('a long paragraph with formulas in pieces is drawn as one that came at once', () => {
  const words = fc.constantFrom('words of a long text ', 'so many words that ', 'nobody reads them, ');
  fc.assert(
    fc.property(
      fc.array(fc.oneof({weight: 2, arbitrary: words}, fragment), {minLength: 60, maxLength: 120}),
      fc.integer({min: 5, max: 90}),
      (parts, size) => {
        const pieces = parts.join('').match(new RegExp(`[^]{1,${size}}`, 'g'))!;
        const stream = new MarkdownStream(options);
        let come = '';
        for (const piece of pieces) {
          stream.write(piece);
          stream.take();
          const fresh = new MarkdownStream(options);
          fresh.write((come += piece));
          fresh.take();
          assert.deepEqual(stream.tail(), fresh.tail());
        }
        assert.deepEqual(streamed(pieces, options), parseMarkdown(come, options));
      },
    ),
    {numRuns: 150},
  );
});

/** Texts that make a careless parser quadratic. */
const repeated: Readonly<Record<string, (count: number) => string>> = {
  dollars: (count) => '$'.repeat(count),
  'dollars before letters': (count) => '$a '.repeat(count),
  'dollars around letters': (count) => '$a'.repeat(count),
  'pairs of dollars': (count) => '$$a '.repeat(count),
  'pairs of dollars without an end': (count) => '$$ $'.repeat(count),
  'lines that begin with dollars': (count) => '$$a\n'.repeat(count),
  'parentheses without an end': (count) => '\\('.repeat(count),
  'parentheses with one end far away': (count) => `${'\\('.repeat(count)}${'a'.repeat(20_000)}\\)`,
  'parentheses before code': (count) => `${'\\('.repeat(count)} \`a\` \\)`,
  'brackets without an end': (count) => '\\['.repeat(count),
  'lines that begin with brackets': (count) => '\\[a\n'.repeat(count),
  'lines of brackets and dollars': (count) => '\\[a\n$$$$$$b\n\\(c\n- $$d\n'.repeat(count / 4),
  'formulas that code ends': (count) => '$$\n`\n'.repeat(count),
  'formulas that a list ends': (count) => '- $$\n'.repeat(count),
  'formulas in quotes in quotes': (count) => `${'>'.repeat(50)} $$\n`.repeat(count / 100),
  backslashes: (count) => '\\'.repeat(count),
  'a formula without an end': (count) => `\\[ ${'+ a\n'.repeat(count)}`,
};

for (const [name, make] of Object.entries(repeated)) {
  // Were the work quadratic, this would take minutes.
  test(`${name}, a hundred thousand times, are read to the end`, {timeout: 60_000}, () => {
    const source = make(100_000);
    assert.equal(typeof toHtml(parseMarkdown(source, options)), 'string');
    assert.equal(typeof drawn(source), 'string');
  });
}
