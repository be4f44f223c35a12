import assert from 'node:assert/strict';
import {before, test} from 'node:test';
import fc from 'fast-check';
import {cleanHtml} from '../../../../src/elements/export/clean-html.js';
import {loadMarkdown} from '../../../../src/elements/load-markdown.js';

before(loadMarkdown);

test('Markdown becomes plain elements with a direction each, and no classes', () => {
  assert.equal(
    cleanHtml('# Plan\n\nGo *now*.\n\n```js\nlet a = 1 < 2;\n```\n\n- a\n- b'),
    [
      '<h1 dir="auto">Plan</h1>',
      '<p dir="auto">Go <em>now</em>.</p>',
      '<pre dir="ltr"><code>let a = 1 &lt; 2;',
      '</code></pre>',
      '<ul dir="auto">',
      '<li>a</li>',
      '<li>b</li>',
      '</ul>',
      '',
    ].join('\n'),
  );
});

test('a formula stands as it was written, where formulas are read', () => {
  const text = '# $a<b$\n\nSo \\[x_1 * y_2 * "z"\\]';
  assert.equal(
    cleanHtml(text, '', true),
    '<h1 dir="auto">$a&lt;b$</h1>\n<p dir="auto">So \\[x_1 * y_2 * &quot;z&quot;\\]</p>\n',
  );
});

test('blocks of raw HTML are paragraphs of their own, in the lines they were written in', () => {
  assert.equal(
    cleanHtml(
      '<div>\n<b>a</b>\n</div>\n\n<div>b</div>\n\n> <p>c</p>\n>\n> <p>d</p>\n\n- e <i>f</i>\n  <div>g</div>',
    ),
    [
      '<p dir="auto">&lt;div&gt;<br />',
      '&lt;b&gt;a&lt;/b&gt;<br />',
      '&lt;/div&gt;</p>',
      '<p dir="auto">&lt;div&gt;b&lt;/div&gt;</p>',
      '<blockquote dir="auto"><p>&lt;p&gt;c&lt;/p&gt;</p>',
      '<p>&lt;p&gt;d&lt;/p&gt;</p>',
      '</blockquote>',
      '<ul dir="auto">',
      '<li>e &lt;i&gt;f&lt;/i&gt;<p>&lt;div&gt;g&lt;/div&gt;</p>',
      '</li>',
      '</ul>',
      '',
    ].join('\n'),
  );
});

test('text from right to left stays whole, its code from left to right', () => {
  assert.equal(
    cleanHtml('שלום **עולם**\n\n    rm -rf'),
    '<p dir="auto">שלום <strong>עולם</strong></p>\n<pre dir="ltr"><code>rm -rf\n</code></pre>\n',
  );
});

const hostile = {
  'raw HTML is text': ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  'inline HTML is text': ['a <img src=x onerror=alert(1)> b', 'a &lt;img src=x onerror=alert(1)&gt; b'],
  'a script address is no link': ['[a](javascript:alert(1))', '<p dir="auto">a</p>'],
  'nor one in disguise': ['[a](JaVaScRiPt&colon;alert(1))', '<p dir="auto">a</p>'],
  'nor data': ['[a](data:text/html;base64,PHNjcmlwdD4=)', '<p dir="auto">a</p>'],
  'nor a path of the page': ['[a](/delete?all)', '<p dir="auto">a</p>'],
  'an address does not end its attribute': [
    '[a](<https://e.org/"onclick="x>)',
    'href="https://e.org/%22onclick=%22x"',
  ],
  'nor a title its own': ['[a](https://e.org \'"onclick="x\')', 'title="&quot;onclick=&quot;x"'],
  'the name of a language is not shown': ['```"><script>\nx\n```', '<pre dir="ltr"><code>x'],
  'an image is a link to it': [
    '![a chart](https://e.org/c.png)',
    '<a href="https://e.org/c.png">a chart</a>',
  ],
  'an image in a link is its words': [
    '[![a](https://e.org/c.png)](https://e.org)',
    '<a href="https://e.org/">a</a>',
  ],
  'an image without words has its address': ['![](https://e.org/c.png)', '>https://e.org/c.png</a>'],
} as const;

for (const [name, [markdown, expected]] of Object.entries(hostile)) {
  test(name, () => {
    const html = cleanHtml(markdown);
    assert.ok(html.includes(expected), html);
  });
}

test('whatever is written, only known elements with known attributes come out', () => {
  const tag = fc.constantFrom('<', '>', '"', "'", '&', '`', '[', ']', '(', ')', '!', '\n', '    ', '|', '-', '*', '#', 'javascript:', 'https://e.org', '<b onclick=x>', '[^1]', '[^1]: ', '<!--', '\0', '\u202E', 'a'); // prettier-ignore
  const element =
    /<(?:\/?(?:p|h[1-6]|blockquote|ul|ol|li|pre|code|em|strong|del|a|table|thead|tbody|tr|th|td|sup|section)(?: (?:dir="(?:auto|ltr)"|href="(?:https?:|mailto:|#)[^"<>]*"|title="[^"<>]*"|id="[^"<>]*"|align="\w+"|start="\d+"))*|(?:hr|br) \/|input type="checkbox" disabled=""(?: checked="")? \/)>/g;
  fc.assert(
    fc.property(fc.array(tag, {maxLength: 40}), (pieces) => {
      assert.doesNotMatch(cleanHtml(pieces.join('')).replace(element, ''), /[<>]/);
    }),
    {numRuns: 2000},
  );
});

test('footnotes of two texts on one page have ids of their own', () => {
  const note = 'a[^n]\n\n[^n]: b';
  assert.match(cleanHtml(note, 't1-'), /href="#note-t1-n"[^]*id="note-t1-n"/);
  assert.doesNotMatch(cleanHtml(note, 't2-'), /t1-/);
});
