import '../../../src/define.js';
import {ALLOWED, ATTRIBUTES} from '../../../src/elements/markdown/raw/tag-names.js';
import * as assert from '../../support/assert.js';
import {createFeed, done, token} from './feed.js';
import {hostileHtml} from './hostile-html.js';
import type {RawHtmlPage} from './raw-html-page.js';

let frame: HTMLIFrameElement;
let page: RawHtmlPage;

/** A page under the strict policy of the README that draws what it is told. */
async function open(policies: string, isReady = true) {
  frame = document.createElement('iframe');
  frame.width = '600';
  const query = new URLSearchParams({file: '/test/browser/elements/raw-html-page.ts', policies});
  frame.src = `/__strict__/?${query}`;
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, {once: true}));
  page = frame.contentWindow as unknown as RawHtmlPage;
  if (isReady) await page.ready();
}

const draw = (markdown: string, {images = '*', cut = false} = {}) => page.draw(markdown, images, cut);

/** As it is drawn, without what any block has. */
const said = (markdown: string, options = {}) =>
  draw(markdown, options)
    .innerHTML.replace(/^<div class="blocks">|<\/div>$/g, '')
    // What parts a text from the others of the page is another for each.
    .replace(/hermes-\d+-note/g, 'note')
    .replace(/ dir="(?:auto|ltr)"/g, '');

describe('raw HTML that a host lets through, under a strict policy', () => {
  before(() => open('hermes-elements lit-html'));
  after(() => {
    assert.deepEqual(page.violations, []);
    frame.remove();
  });
  afterEach(() => page.document.body.replaceChildren());

  const samples: Record<string, readonly [markdown: string, html: string]> = {
    'a pair of tags wraps Markdown': [
      'Press <kbd>**Ctrl**</kbd> + `C`.',
      '<p>Press <kbd><strong>Ctrl</strong></kbd> + <code>C</code>.</p>',
    ],
    'tags in tags': ['H<sub>2<sup>x</sup></sub>O', '<p>H<sub>2<sup>x</sup></sub>O</p>'],
    'a tag that does not end, ends with its block': ['a <b>b\n\nc', '<p>a <b>b</b></p><p>c</p>'],
    'an end without a beginning says nothing': ['a</b> b', '<p>a b</p>'],
    'tags that cross end where the outer one does': ['<i>a <b>b</i> c</b>', '<p><i>a <b>b</b></i> c</p>'],
    'a tag that is not allowed stays text': [
      'the <your-name> of <script>x</script>',
      '<p>the <span class="html">&lt;your-name&gt;</span> of <span class="html">&lt;script&gt;</span>x<span class="html">&lt;/script&gt;</span></p>',
    ],
    'a comment is not shown': ['a <!-- b --> c', '<p>a  c</p>'],
    'details around Markdown': [
      '<details>\n<summary>More &amp; *more*</summary>\n\n- **a**\n- b\n\n</details>\n\nEnd.',
      '<div class="raw"><details>\n<summary>More &amp; *more*</summary><ul><li><strong>a</strong></li><li>b</li></ul></details></div><p>End.</p>',
    ],
    'details in details, and one that does not end': [
      '<details><summary>a</summary>\n\n<details><summary>b</summary>\n\nc\n\n</details>\n\nd',
      '<div class="raw"><details open=""><summary>a</summary><details><summary>b</summary><p>c</p></details><p>d</p></details></div>',
    ],
    'details in an item of a list': [
      '- a\n  <details>\n  <summary>b</summary>\n\n  c\n\n  </details>\n- d',
      null as never,
    ],
    'a table of HTML, with ends left out': [
      '<table><tr><th colspan=2>a<tr><td>b<td align="right">c</table>',
      '<div class="raw"><table><tr><th colspan="2">a</th></tr><tr><td>b</td><td align="right">c</td></tr></table></div>',
    ],
    'a table of HTML around Markdown': [
      '<table>\n<tr>\n<td>\n\n```js\na\n```\n\n</td>\n<td>\n\n**b**\n\n</td>\n</tr>\n</table>',
      null as never,
    ],
    'a list of HTML': ['<ul><li>a<li>b</ul>', '<div class="raw"><ul><li>a</li><li>b</li></ul></div>'],
    'a link says where it goes, and no more': [
      'a <a href="https://a.example/x" target="_self" title="t">b</a>',
      '<p>a <a href="https://a.example/x" title="t" target="_blank" rel="noopener noreferrer nofollow ugc">b</a></p>',
    ],
    'a heading in the middle': [
      '<h1 align="center">\n  A &copy; B\n</h1>',
      '<div class="raw"><h1 align="center">\n  A © B\n</h1></div>',
    ],
    'a line end': ['a<br>b<BR/>c', '<p>a<br>b<br>c</p>'],
    'in a cell of a table': ['| a |\n| --- |\n| b<br><kbd>c</kbd> |', null as never],
    'in emphasis': ['**a <mark>b** c</mark>', '<p><strong>a <mark>b</mark></strong> c</p>'],
    'in a footnote': ['a[^1]\n\n[^1]: b <kbd>c</kbd>', null as never],
    'with a link whose address comes later': [
      '<details>\n\n[a][b] <sub>c</sub>\n\n</details>\n\n[b]: https://a.example/',
      null as never,
    ],
    'brackets of a ruby are for others, and nothing else hides in them': [
      '<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby> c <rp>hidden words</rp>',
      '<p><ruby>a<rt>b</rt></ruby> c hidden words</p>',
    ],
    'a comment that does not end is text': [
      'a\n\n<!-- note\n\nAll the rest.',
      '<p>a</p><div class="raw"><span class="html">&lt;!-- note\n\nAll the rest.</span></div>',
    ],
    'a link ends with its block': [
      '<a href="https://a.example/">\n\nThe *rest*.\n\n> <small>\n>\n> b',
      null as never,
    ],
    'in a tag around blocks too': [
      '<div><i>\n\nThe *rest*.\n\n</div>\n\nb',
      '<div class="raw"><div><i></i><p>The <em>rest</em>.</p></div></div><p>b</p>',
    ],
    'details that do not end are open': [
      'a\n\n<DETAILS>\n<summary>b</summary>\n\n[c]\n\n[d]: #',
      '<p>a</p><div class="raw"><details open="">\n<summary>b</summary><p>[c]</p></details></div>',
    ],
    'nothing in an attribute is a tag': [
      'x <a title="a<b" href="https://a.example/">c</a> <kbd title="</kbd><img src=x>">d</kbd>\n\n<div>\n<a title="<b>" href="https://a.example/">c</a>\n</div>',
      '<p>x <a title="a&lt;b" href="https://a.example/" target="_blank" rel="noopener noreferrer nofollow ugc">c</a> <kbd title="&lt;/kbd&gt;&lt;img src=x&gt;">d</kbd></p><div class="raw"><div>\n<a title="&lt;b&gt;" href="https://a.example/" target="_blank" rel="noopener noreferrer nofollow ugc">c</a>\n</div></div>',
    ],
    'details that end with what they stand in are open too': [
      '<div><details>a</div>\n\n<div><b><details>c\n\nd',
      '<div class="raw"><div><details open="">a</details></div></div><div class="raw"><div><b><details open="">c</details></b><p>d</p></div></div>',
    ],
    'details that do not end in an item of a list hide nothing of it': [
      '- a\n  <details>\n  <summary>b</summary>\n\n  c\n- <details>d',
      '<ul><li><p>a</p><details open="">\n<summary>b</summary><p>c</p></details></li><li><details open="">d</details></li></ul>',
    ],
    'nor in a quote': [
      '> <details>\n> <summary>b</summary>\n>\n> c\n>\n> - <details>d\n\ne',
      '<blockquote><details open="">\n<summary>b</summary><p>c</p><ul><li><details open="">d</details></li></ul></details></blockquote><p>e</p>',
    ],
    'nor in a line, a cell or a footnote': [
      'a <details>b[^1]\n\n| c |\n| - |\n| <details>d |\n\n[^1]: <details>e',
      null as never,
    ],
    'lesser than': ['1 < 2 and x <y and <b>z</b>', '<p>1 &lt; 2 and x &lt;y and <b>z</b></p>'],
    'code is code': ['`<b>` and\n\n    <b>\n\n```\n<b>x</b>\n```', null as never],
    'an address in an attribute': [
      'a <a href="https://a.example/_b_?c=*d*">e</a> f',
      '<p>a <a href="https://a.example/_b_?c=*d*" target="_blank" rel="noopener noreferrer nofollow ugc">e</a> f</p>',
    ],
  };
  for (const [name, [markdown, html]] of Object.entries(samples)) {
    it(name, () => {
      const whole = said(markdown);
      if (html) assert.equal(whole.replace(/ (target|rel|title|href)=/g, ' $1='), html);
      assert.equal(said(markdown, {cut: true}), whole);
    });
  }

  it('a footnote, a cell and an item have elements in them', () => {
    assert.ok(draw(samples['in a footnote']![0]).querySelector('.notes kbd'));
    assert.ok(draw(samples['in a cell of a table']![0]).querySelector('td kbd'));
    assert.ok(draw(samples['details in an item of a list']![0]).querySelector('li details > p'));
    assert.ok(draw(samples['a table of HTML around Markdown']![0]).querySelector('.raw td > p > strong'));
    assert.equal(
      draw(samples['with a link whose address comes later']![0]).querySelector<HTMLAnchorElement>(
        'details a',
      )!.href,
      'https://a.example/',
    );
    assert.equal(draw(samples['code is code']![0]).querySelector('b'), null);
  });

  it('no details that were left open are folded, wherever they stand', () => {
    for (const name of Object.keys(samples).filter((each) => /^(?:details that do not|nor in)/.test(each))) {
      const details = [...draw(samples[name]![0]).querySelectorAll('details')];
      assert.deepEqual([name, details.length > 0, details.filter(({open}) => !open).length], [name, true, 0]);
    }
  });

  it('details in an item stay folded while their end may come, and those of the items before do not wait', () => {
    const box = page.document.createElement('div');
    const view = page.view(box);
    const open = () => [...box.querySelectorAll('details')].map((details) => details.open);
    view.write('- <details>\n  <summary>a</summary>\n\n  b\n');
    assert.deepEqual(open(), [false]);
    const [first] = box.querySelectorAll('li');
    view.write('- <details>\n  <summary>c</summary>\n\n  d\n');
    assert.deepEqual(open(), [true, false]);
    view.write('\n  </details>\n- e\n');
    assert.deepEqual(open(), [true, false]);
    view.end();
    assert.deepEqual(open(), [true, false]);
    assert.ok(box.querySelector('li') === first, 'the item stays the same');
  });

  it('a link holds nothing of the blocks behind its own', () => {
    const box = draw(samples['a link ends with its block']![0]);
    assert.equal(box.querySelector('a p, a em, small p'), null);
    assert.equal(box.querySelector('em')!.textContent, 'rest');
    assert.equal(box.querySelector('blockquote p')!.textContent, 'b');
  });

  it('small in small is no smaller, and a heading in a heading no larger', async () => {
    const box = inShadow();
    const view = page.view(box);
    view.write('a <small>b <sub>c <sup>d <kbd>e</kbd></sup></sub></small>\n\n' + '<h1>'.repeat(20) + 'f');
    view.end();
    await Promise.resolve();
    const size = (name: string) =>
      parseFloat(getComputedStyle([...box.querySelectorAll(name)].at(-1)!).fontSize);
    assert.ok(size('kbd') >= 0.7 * size('p'));
    assert.ok(size('h1') < 2 * size('p'));
  });

  it('what was unsure in an open tag is read once at the end', () => {
    const box = page.document.createElement('div');
    const view = page.view(box);
    view.write('<details>\n\n' + '[a]\n\n'.repeat(8000) + '[a]: https://a.example/\n');
    const from = performance.now();
    view.end();
    // It was seconds, and grew with the square.
    assert.ok(performance.now() - from < 1500);
    assert.equal(box.querySelectorAll('details a').length, 8000);
  });

  it('nothing is larger than its place', async () => {
    const box = inShadow();
    const view = page.view(box, '*');
    const image = (size: string) => `<img alt="b" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" ${size}>`;
    view.write(
      `<table width=90000 height=90000><tr><td height=90000 width=90000>x<td width="40%">y</table>\n\n` +
        `<hr width=90000>\n\n${image('width=90000 height=90000')}\n\n${image('width=1 height=9999')}`,
    );
    view.end();
    await Promise.resolve();
    assert.ok(box.scrollWidth <= 600);
    assert.ok(box.scrollHeight < 5000);
    assert.deepEqual(
      [...box.querySelectorAll('[width]')].map((each) => `${each.localName} ${each.getAttribute('width')}`),
      ['td 40%', 'img 1'],
    );
    page.violations.length = 0;
  });

  it('images ask as those of Markdown do', () => {
    const markdown = 'a <img src="https://b.example/x.png" alt="b" width="40" height="30" onload="alert(1)">';
    const asked = draw(markdown, {images: ''});
    assert.equal(asked.querySelector('img'), null);
    asked.querySelector<HTMLButtonElement>('button.image')!.click();
    const shown = asked.querySelector('img')!;
    assert.equal(shown.getAttribute('width'), '40');
    assert.equal(shown.referrerPolicy, 'no-referrer');
    shown.remove();
    assert.equal(draw(markdown, {images: 'none'}).querySelector('img, button'), null);
    // The page of this test lets no image load, and would tell of one that is.
    page.violations.length = 0;
  });

  it('nothing of a tag is seen as text while it comes', () => {
    const markdown =
      'Press <kbd title="a b">Ctrl</kbd> or <a href="https://a.example/_x_">this</a>, <!-- note --> see <br> <img src="x" alt="y"> <a title="a <b c" href=x>e</a> <b>f</b>\n\n<details open>\n<summary>S</summary>\n\nT <sub>1</sub>\n\n</details>\n';
    for (let length = 1; length < markdown.length; length++) {
      const box = page.draw('', '', false);
      box.remove();
      const seen = seenWhileOpen(markdown.slice(0, length));
      assert.ok(!/[<>]|href|title|note|open/.test(seen), `${markdown.slice(0, length)}: ${seen}`);
    }
  });

  it('words behind a lesser than are seen while they come', () => {
    for (const words of [
      'If i <b and c is true ',
      'n<s then the rest',
      'i < b and',
      'Given p <q, or',
      'of Foo<a, b',
    ])
      assert.equal(seenWhileOpen(words).trimEnd(), words.trimEnd());
    const long = 'word '.repeat(450);
    assert.ok(seenWhileOpen(`a <b title="${long}`).includes('word word'));
    assert.ok(seenWhileOpen(`a <b ${'open '.repeat(50)}`).includes('open open'));
    assert.ok(seenWhileOpen(`a <!-- ${long}`).includes('word word'));
    assert.equal(seenWhileOpen(`a <a href="https://a.example/?${'b'.repeat(1500)}`), 'a ');
    assert.equal(seenWhileOpen(`a <img alt="b" src="data:image/png;base64,${'A'.repeat(5000)}`), 'a ');
  });

  it('tags, comments and values without end take time by their length', () => {
    const parts = [
      '<a b="',
      `<a b='<a b="`,
      '<!--',
      '<a b ',
      '<a b=c ',
      '<script>',
      '</script ',
      '<a',
      '<img src=data:image/',
    ];
    for (const part of parts)
      for (const begin of ['', '<div>\n']) {
        const text = begin + part.repeat(100_000 / part.length);
        const from = performance.now();
        seenWhileOpen(text);
        draw(text);
        page.document.body.replaceChildren();
        const took = performance.now() - from;
        assert.ok(took < 3000, `${begin}${part}: ${took}`);
      }
  });

  it('what grows keeps its elements, so an open one stays open and a selection stays', () => {
    const box = page.document.createElement('div');
    page.document.body.append(box);
    const view = page.view(box);
    view.write('<details>\n<summary>S</summary>\n\nOne <kbd>two');
    const details = box.querySelector('details')!;
    details.open = true;
    const kbd = box.querySelector('kbd')!;
    const text = kbd.firstChild!;
    for (const piece of [' three', '</kb', 'd> four', '\n\n- five\n', '\n</det', 'ails>\n', '\nSix'])
      view.write(piece);
    view.end();
    assert.equal(box.querySelector('details'), details);
    assert.equal(box.querySelector('kbd')!.firstChild, text);
    assert.equal(kbd.textContent, 'two three');
    assert.ok(details.open);
    assert.equal(box.querySelector('p:last-child')!.textContent, 'Six');
  });

  it('a table of many rows comes whole, and its rows stay', () => {
    const view = page.view(page.document.body);
    view.write('<table>\n');
    const rows = 400;
    for (let row = 0; row < rows; row++) view.write(`<tr><td>${row}</td><td>b</td></tr>\n`);
    // What is slow to draw may rest.
    view.flush();
    const first = page.document.querySelector('tr');
    assert.ok(first);
    view.write('</table>\n');
    view.end();
    assert.equal(page.document.querySelector('tr'), first);
    assert.equal(page.document.querySelectorAll('tr').length, rows);
  });

  it('cells reach over so many others, and all of them together too', async () => {
    const rows = 30;
    const box = inShadow();
    const view = page.view(box);
    const from = performance.now();
    view.write('<table>' + ('<tr>' + '<td colspan=1000 rowspan=999>x'.repeat(30)).repeat(rows));
    view.end();
    // The styles come with the next microtask.
    await Promise.resolve();
    box.getBoundingClientRect();
    // Without bounds it was a minute.
    assert.ok(performance.now() - from < 3000);
    const cells = [...box.querySelectorAll('td')];
    assert.equal(cells.length, 30 * rows);
    assert.equal(Math.max(...cells.map((cell) => cell.colSpan)), 20);
    assert.ok(cells.reduce((sum, cell) => sum + cell.colSpan * cell.rowSpan, 0) < 11_000);
    assert.equal(said('<table><tr><td colspan="2" rowspan=0>a</table>').includes('rowspan'), false);
  });

  for (const html of hostileHtml) {
    it(`harmless: ${html.slice(0, 60).replaceAll('\n', ' ')}`, async () => {
      for (const markdown of [html, `- ${html}`, `a\n${html}\n\nb`]) {
        const box = draw(markdown);
        const elements = [...box.querySelectorAll('*')];
        assert.ok(
          elements.every((element) => element.namespaceURI === 'http://www.w3.org/1999/xhtml'),
          box.innerHTML,
        );
        for (const element of elements) check(element);
        assert.equal(draw(markdown, {cut: true}).innerHTML, box.innerHTML);
        assert.equal(page.violations.filter((text) => !text.startsWith('img-src')).join(), '');
      }
      await new Promise((resolve) => setTimeout(resolve));
      assert.deepEqual(page.ran, []);
      page.violations.length = 0;
    });
  }

  /** What our own drawing says of its elements. */
  const OURS = [
    'class',
    'dir',
    'target',
    'rel',
    'referrerpolicy',
    'loading',
    'decoding',
    'type',
    'aria-label',
  ];

  function check(element: Element) {
    const name = element.localName;
    assert.ok(ALLOWED.has(name) || element.matches('button.image'), name);
    for (const {name: attribute, value} of element.attributes) {
      assert.ok(ATTRIBUTES.includes(attribute) || OURS.includes(attribute), `${name} ${attribute}`);
      assert.ok(
        !/^\s*(?:java|vb)script|^data:text/i.test(value) || attribute === 'title',
        `${attribute}=${value}`,
      );
    }
    assert.ok(/^(?:|blocks|raw|html|image)$/.test(element.className), element.className);
    if (element.matches('a[href]')) assert.equal(element.getAttribute('target'), '_blank');
  }

  /** Where the styles of a text hold. */
  function inShadow(): HTMLElement {
    const host = page.document.createElement('div');
    const box = page.document.createElement('div');
    box.className = 'text';
    host.attachShadow({mode: 'open'}).append(box);
    page.document.body.append(host);
    return box;
  }

  function seenWhileOpen(markdown: string): string {
    const box = page.document.createElement('div');
    page.view(box).write(markdown);
    return box.textContent ?? '';
  }
});

describe('where the page does not name our policy', () => {
  before(() => open('lit-html'));
  after(() => frame.remove());

  it('raw HTML stays text', () => {
    const box = draw('a <kbd>b</kbd>\n\n<details>\n\nc\n\n</details>');
    if ('trustedTypes' in window) {
      assert.equal(box.querySelector('kbd, details'), null);
      assert.equal(box.textContent, 'a <kbd>b</kbd><details>c</details>');
    } else assert.ok(box.querySelector('kbd'));
  });
});

describe('before it is known how to read HTML', () => {
  before(() => open('hermes-elements', false));
  after(() => frame.remove());

  it('no tag is seen, and what was drawn around it stays', async () => {
    const open = page.document.createElement('div');
    const ended = page.document.createElement('div');
    page.document.body.append(open, ended);
    const [growing, whole] = [page.view(open), page.view(ended)];
    growing.write('# One\n\nTwo <kbd>three');
    whole.write('# One\n\n<details>\n\nTwo[^1] <sub>3</sub>\n\n</details>\n\n[^1]: Note');
    whole.end();
    const headings = [...page.document.querySelectorAll('h1')];
    assert.equal(page.document.querySelector('kbd, details'), null);
    assert.ok(!/[<>]/.test(page.document.body.textContent ?? ''));
    await page.ready();
    growing.write(' four');
    growing.flush();
    assert.equal(open.querySelector('kbd')!.textContent, 'three four');
    assert.equal(ended.querySelector('details sub')!.textContent, '3');
    assert.ok(ended.querySelector('.notes li'));
    assert.deepEqual([...page.document.querySelectorAll('h1')], headings);
    assert.deepEqual(page.violations, []);
  });
});

describe('an element', () => {
  for (const [html, found] of Object.entries({text: '.html', sanitize: 'kbd'}))
    it(`reads HTML where it is told to: ${html}`, async () => {
      const feed = createFeed();
      const element = document.createElement('hermes-transcript');
      element.setAttribute('src', '/events/run_1');
      element.setAttribute('html', html);
      element.fetch = feed.fetch;
      document.body.append(element);
      await feed.send(token('A <kbd>b</kbd>'), done);
      await until(() => element.shadowRoot!.querySelector(found));
      assert.equal(element.shadowRoot!.querySelectorAll('.html, kbd').length, html === 'text' ? 2 : 1);
      element.remove();
    });
});

async function until(holds: () => unknown): Promise<void> {
  while (!holds()) await new Promise((resolve) => requestAnimationFrame(resolve));
}
