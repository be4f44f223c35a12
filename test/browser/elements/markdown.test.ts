import {loadHighlight} from '../../../src/elements/load-highlight.js';
import {MarkdownView} from '../../../src/elements/markdown/markdown-view.js';
import type {ProseChoices} from '../../../src/elements/markdown/prose-host.js';
import {parseMarkdown, type MarkdownNode} from '../../../src/markdown/index.js';
import * as assert from '../../support/assert.js';
import {commonMark, exceptions, gfm} from './spec-examples.js';

const choices: ProseChoices = {images: '*', address: (address) => address};

const boxes: Element[] = [];
afterEach(() => {
  getSelection()?.removeAllRanges();
  for (const box of boxes.splice(0)) box.remove();
});

function view(given: Partial<ProseChoices> = {}) {
  const box = document.createElement('div');
  box.className = 'text';
  document.body.append(box);
  boxes.push(box);
  return {box, view: new MarkdownView(box, {...choices, ...given})};
}

function drawn(markdown: string, given: Partial<ProseChoices> = {}): HTMLElement {
  const {box, view: made} = view(given);
  made.write(markdown);
  made.end();
  return box;
}

const isBlock = (node: Node | null) =>
  node instanceof Element &&
  node.matches('p, h1, h2, h3, h4, h5, h6, ul, ol, blockquote, pre, table, hr, figure');

/** A document as one line: names, what they say of addresses and lists, and text. */
function said(node: Node): string {
  if (node instanceof Text) {
    // White space around blocks says nothing.
    const begun = isBlock(node.previousSibling) ? node.data.trimStart() : node.data;
    return isBlock(node.nextSibling) ? begun.trimEnd() : begun;
  }
  if (!(node instanceof Element) || node.matches('figcaption, .back')) return '';
  const inside = [...node.childNodes].map(said).join('');
  const name = node.localName;
  // What stands around ours to scroll, to group and to copy.
  if (node.matches('figure, .blocks, .scroll, .code-lines, .code-line, thead, tbody, body')) return inside;
  const told = ['href', 'src', 'alt', 'title', 'start']
    .map((attribute) => [attribute, node.getAttribute(attribute) ?? ''] as const)
    .filter(([attribute, value]) => value !== '' && !(attribute === 'start' && value === '1'))
    // What parts a text from the others of the page is another for each.
    .map(([attribute, value]) => ` ${attribute}=${decoded(value).replace(/^#hermes-\d+/, '#')}`)
    .join('');
  const align = node.getAttribute('align') ?? (node as HTMLElement).dataset['align'];
  const checked = node instanceof HTMLInputElement ? ` ${node.checked}` : '';
  return `<${name}${told}${align ? ` ${align}` : ''}${checked}>${inside}</>`;
}

const decoded = (address: string) => {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
};

/** White space around blocks says nothing. */
const BLOCKS = 'p|h[1-6]|ul|ol|li|blockquote|pre|table|tr|t[hd]|hr';
const tight = (line: string) =>
  line
    .replace(new RegExp(`\\s*(<(?:${BLOCKS})\\b)`, 'g'), '$1')
    .replace(/<\/>\s+(?=<(?:p|h\d|ul|ol|li|blockquote|pre|table|tr|t[hd]|hr)\b|<\/>|$)/g, '</>')
    .replace(/(<(?:ul|ol|li|blockquote|table|tr|t[hd])[^>]*>)\s+/g, '$1')
    .replace(/\s+<\/>/g, '</>')
    .trim();

const hasHtml = (nodes: readonly MarkdownNode[]): boolean =>
  nodes.some((node) => typeof node !== 'string' && (node.tag === 'html' || hasHtml(node.children)));

describe('the examples of the specifications, as documents', () => {
  for (const [name, examples] of Object.entries({commonmark: commonMark, gfm})) {
    // Raw HTML is text here, and the entities that few texts use come later.
    const drawable = examples.filter(
      ({example, markdown}) =>
        !exceptions[name]!.has(example) &&
        !hasHtml(parseMarkdown(markdown)) &&
        // Nor are spaces that are none, which code marks.
        !/&[A-Za-z]|\u00a0/.test(markdown),
    );

    it(`${name}: whole, and by the character, ${drawable.length} of them are as written`, () => {
      assert.ok(drawable.length > 500);
      for (const {example, markdown, html} of drawable) {
        const wanted = new DOMParser().parseFromString(html, 'text/html').body;
        assert.equal(tight(said(drawn(markdown))), tight(`<div>${said(wanted)}</>`), `example ${example}`);
        const {box, view: slow} = view();
        for (const character of markdown) slow.write(character);
        slow.end();
        assert.equal(said(box), said(drawn(markdown)), `example ${example}, cut`);
        for (const each of boxes.splice(0)) each.remove();
      }
    }).timeout(60_000);
  }
});

describe('what the reader selected', () => {
  function select(box: Element, words: string): Text {
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      const at = node.data.indexOf(words);
      if (at < 0) continue;
      getSelection()!.setBaseAndExtent(node, at, node, at + words.length);
      return node;
    }
    throw new Error(`No text says ${words}.`);
  }

  for (const [name, more] of Object.entries({
    'in a paragraph': ' and more of it',
    'before emphasis that closes': ' then **bold',
    'before a link that closes': ' see [a link](https://a.exa',
    'before code that closes': ' with `code',
  })) {
    it(`${name} stays while a thousand pieces come and groups fill`, () => {
      const {box, view: growing} = view();
      growing.write('The selected words stand here,');
      const node = select(box, 'selected words');
      growing.write(more);
      growing.write(
        name.includes('emphasis')
          ? '** done'
          : name.includes('link')
            ? 'mple/) done'
            : name.includes('code')
              ? '` done'
              : '',
      );
      for (let count = 0; count < 1000; count++) growing.write(count % 10 === 9 ? '.\n\n' : ` word${count}`);
      growing.end();
      const {anchorNode, anchorOffset, focusNode, focusOffset} = getSelection()!;
      assert.equal(anchorNode, node);
      assert.equal(focusNode, node);
      assert.equal(node.data.slice(anchorOffset, focusOffset), 'selected words');
      assert.ok(box.querySelectorAll('.blocks').length > 2);
    });
  }

  it('in code stays when the code is whole and gets its colours', async () => {
    const {box, view: growing} = view({highlight: loadHighlight});
    growing.write('```js\nconst a = 1;\nlet b');
    const node = select(box, 'const');
    growing.write(' = 2;\n```\n');
    while (!box.querySelector('.hl-keyword')) await new Promise((resolve) => setTimeout(resolve));
    assert.equal(getSelection()!.anchorNode, node);
    assert.equal(
      box.querySelectorAll('.code-line')[0]!.children.length,
      0,
      'the line that is read stays as it is',
    );
    assert.equal(box.querySelector('code')!.textContent, 'const a = 1;\nlet b = 2;\n');
  });

  it('of another text that begins alike keeps its nodes up to the first difference', () => {
    const {box, view: growing} = view();
    growing.write('# Head\n\nFirst paragraph.\n\n- one\n- two');
    growing.end();
    const nodes = [...box.querySelectorAll('h1, p, li')];
    growing.replace('# Head\n\nFirst paragraph.\n\n- one\n- three\n\nLast.');
    growing.end();
    const after = [...box.querySelectorAll('h1, p, li')];
    assert.deepEqual(after.slice(0, 3), nodes.slice(0, 3));
    assert.equal(said(box), said(drawn('# Head\n\nFirst paragraph.\n\n- one\n- three\n\nLast.')));
  });
});

it('any text in the place of any other is drawn as that', () => {
  const texts = [
    'a',
    'a\n\nb',
    '- a\n- b\n\n- c',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '```\nx\ny\n```\nz',
    'See [x].\n\n[x]: /y',
    'Note[^1].\n\n[^1]: that',
    '> q\n> - l',
    '',
    '&frac12; a',
  ];
  for (const from of texts)
    for (const to of texts)
      for (const ended of [true, false]) {
        const {box, view: changing} = view();
        changing.write(from);
        if (ended) changing.end();
        changing.replace(to);
        changing.end();
        assert.equal(said(box), said(drawn(to)), `${JSON.stringify(from)} to ${JSON.stringify(to)}`);
      }
});

it('goes on after its end where more comes', () => {
  const {box, view: growing} = view();
  growing.write('One [a].');
  growing.end();
  growing.write(' Two.\n\n[a]: /b');
  growing.end();
  assert.equal(said(box), said(drawn('One [a]. Two.\n\n[a]: /b')));
});

it('a page that is translated is drawn on', () => {
  const {box, view: growing} = view();
  growing.write('Some words **and bold');
  const paragraph = box.querySelector('p')!;
  const font = document.createElement('font');
  font.textContent = 'Ein paar Worte';
  paragraph.firstChild!.replaceWith(font);
  box.querySelector('strong')!.remove();
  growing.write(' text** and more\n\nNext');
  growing.end();
  assert.ok(box.textContent.includes('and more'));
  assert.equal(box.querySelectorAll('p')[1]!.textContent, 'Next');
});

it('what would not be seen in code is marked, and copied as it is', () => {
  const box = drawn('`a\u200bb`\n\n```sh\nrm \u202e-rf\n```');
  assert.deepEqual(
    [...box.querySelectorAll<HTMLElement>('.mark')].map(({dataset}) => dataset['code']),
    ['U+200B', 'U+202E'],
  );
  assert.equal(box.querySelector('pre')!.textContent, 'rm \u202e-rf\n');
});

it('each block has the direction of its first letter', () => {
  const box = drawn('Hello שלום.\n\nשלום hello.\n\n- مرحبا\n- hello\n\n123\n\n```\nשלום\n```');
  assert.deepEqual(
    [...box.querySelectorAll<HTMLElement>('p, li, figure')].map(({dir}) => dir),
    ['ltr', 'rtl', 'rtl', 'ltr', 'auto', 'ltr'],
  );
});

it('raw HTML, and addresses that are no links, are text', () => {
  const box = drawn(
    '<img src=x onerror=alert(1)> [x](javascript:alert(1)) <b>b</b>\n\n<script>alert(2)</script>',
    {
      address: () => null,
    },
  );
  assert.equal(box.querySelectorAll('img, script, b, a[href]').length, 0);
  assert.ok(box.textContent.includes('<img src=x onerror=alert(1)>'));
  assert.ok(box.textContent.includes('<script>alert(2)</script>'));
});

it('an image from elsewhere is asked for by the reader', () => {
  const data = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
  const box = drawn('![A map](https://a.example/map.png)', {images: ''});
  const button = box.querySelector('button.image') as HTMLButtonElement;
  assert.ok(button.textContent.includes('A map'));
  assert.ok(button.textContent.includes('a.example'));
  assert.equal(box.querySelectorAll('img').length, 0);
  assert.equal(drawn(`![dot](${data})`).querySelector('img')!.alt, 'dot');
  assert.equal(drawn('![A map](x)', {images: 'none'}).textContent.trim(), 'A map');
});

it('code can be wrapped, and says its language', () => {
  const box = drawn('```ts {1}\nlet a\n```');
  const figure = box.querySelector('figure') as HTMLElement;
  assert.equal(figure.querySelector('.language')!.textContent, 'ts');
  const wrap = figure.querySelector('.wrap') as HTMLButtonElement;
  wrap.click();
  assert.equal(wrap.ariaPressed, 'true');
  assert.ok(figure.classList.contains('wrapped'));
});

it('code that is drawn in another way keeps its text', async () => {
  const box = drawn('```math\nx^2\n```', {
    figure: (language, code) => (language === 'math' ? Promise.resolve(new Text(`[${code.trim()}]`)) : null),
  });
  while (!box.querySelector('.drawn')) await new Promise((resolve) => setTimeout(resolve));
  assert.equal(box.querySelector('.drawn')!.textContent, '[x^2]');
  assert.equal(box.querySelector('code')!.textContent, 'x^2\n');
});

it('whole code in the place of whole code is coloured and drawn as that, and the same code is left alone', async () => {
  let count = 0;
  const {box, view: made} = view({
    highlight: (language, code) =>
      Promise.resolve(
        language === 'a'
          ? code.split('\n').map((text) => [text === 'plain' ? text : {kind: 'hl-string', text}])
          : [[code.trim()]],
      ),
    figure: (language, code) => {
      if (language !== 'math') return null;
      count++;
      return Promise.resolve(new Text(`[${code.trim()}]`));
    },
  });
  const shows = async (markdown: string, isSo: () => unknown) => {
    made.replace(markdown);
    made.end();
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve));
  };
  const coloured = () => [...box.querySelectorAll('.hl-string')].map((one) => one.textContent).join();
  await shows('```a\none\n```\n', () => coloured() === 'one');
  await shows('```a\none\ntwo\n```\n', () => coloured() === 'one,two');
  await shows('```a\nplain\ntwo\n```\n', () => coloured() === 'two');
  await shows('```b\none\n```\n', () => coloured() === '');
  assert.equal(box.querySelector('code')!.textContent, 'one\n');
  await shows('```math\nx\n```\n', () => box.querySelector('.drawn')?.textContent === '[x]');
  await shows('```math\ny\n```\n', () => box.querySelector('.drawn')?.textContent === '[y]');
  const figure = box.querySelector('.drawn');
  await shows('```math\ny\n```\n\nMore.', () => box.querySelector('p'));
  assert.equal(box.querySelector('.drawn'), figure);
  assert.equal(count, 2);
});

it('another text takes the place of one of which a part waits to be drawn', () => {
  const real = performance.now;
  let now = 0;
  // Each drawing takes so long that what follows waits.
  performance.now = () => (now += 20);
  try {
    const {box, view: made} = view();
    made.write('One.\n\nTwo');
    made.write(' and three');
    made.write(' and four');
    made.replace('One.\n\nTwo and three and five.');
    made.end();
    assert.equal(box.textContent, 'One.Two and three and five.');
  } finally {
    performance.now = real;
  }
});

it('code stays where what would draw or colour it fails, at once or later, and the page is told once', async () => {
  const {reportError: before} = window;
  const told: unknown[] = [];
  window.reportError = (cause) => void told.push(cause);
  try {
    const wrong = new Error('no drawing');
    const fails = () => () => {
      throw wrong;
    };
    for (const hook of [{figure: fails()}, {figure: () => Promise.reject(wrong)}, {highlight: fails()}]) {
      told.length = 0;
      const box = drawn('**So**\n\n```math\nx^2\n```\n\n```math\ny\n```\n\nThe *end*.', hook);
      while (box.querySelectorAll('figure.plain').length < 2)
        await new Promise((resolve) => setTimeout(resolve));
      assert.equal(
        said(box),
        '<div><p><strong>So</></><pre><code>x^2\n</></><pre><code>y\n</></><p>The <em>end</>.</></>',
      );
      assert.deepEqual(told, [wrong]);
    }
  } finally {
    window.reportError = before;
  }
});

it('an entity of the long table is drawn when the table has come', async () => {
  const box = drawn('It is &frac78; of it, and &nosuchthing;.');
  while (!box.textContent.includes('⅞')) await new Promise((resolve) => setTimeout(resolve));
  assert.equal(box.textContent, 'It is ⅞ of it, and &nosuchthing;.');
});

it('a footnote is gone to and come back from within the tree it stands in, and the page hears nothing', () => {
  const hostElement = document.createElement('div');
  document.body.append(hostElement);
  boxes.push(hostElement);
  const root = hostElement.attachShadow({mode: 'open'});
  const box = document.createElement('div');
  root.append(box);
  const made = new MarkdownView(box, choices);
  made.write(`Said[^\ud800a].\n\n${'Line.\n\n'.repeat(200)}[^\ud800a]: That.`);
  made.end();
  let heard = 0;
  hostElement.addEventListener('click', () => heard++);
  const {hash} = location;
  const [use, back] = [box.querySelector<HTMLElement>('a.note')!, box.querySelector<HTMLElement>('a.back')!];
  use.click();
  const seen = (element: Element) => element.getBoundingClientRect().top < innerHeight;
  assert.ok(seen(back));
  assert.equal(root.activeElement, back);
  back.click();
  assert.ok(seen(use) && use.getBoundingClientRect().top >= 0);
  assert.equal(root.activeElement, use);
  assert.equal(heard, 0);
  assert.equal(location.hash, hash);
});

it('footnotes of two texts have ids of their own', () => {
  const notes = [1, 2].map(() => drawn('Said[^1].\n\n[^1]: That.').querySelector('.notes li')!.id);
  assert.equal(new Set(notes).size, 2);
});

it('a word of the page stands in place of ours, and leaves the others', () => {
  const figure = drawn('```ts\nlet a\n```', {words: (ours) => ({...ours, copy: 'Kopieren'})}).querySelector(
    'figure',
  )!;
  assert.deepEqual(
    [...figure.querySelectorAll('button')].map(({textContent}) => textContent),
    ['Wrap', 'Kopieren'],
  );
});

it('an image in a link is asked for without following the link', () => {
  const box = drawn('[![A badge](https://a.example/b.png)](https://a.example/)', {images: ''});
  let followed = 0;
  box.addEventListener('click', () => followed++);
  box.querySelector<HTMLElement>('button.image')!.click();
  assert.equal(followed, 0);
  assert.equal(box.querySelectorAll('a img').length, 1);
});

it('another text has its own direction, and entities of the table that came meanwhile', async () => {
  const {box, view: growing} = view();
  growing.write('Hello &Delta;.\n\nSecond');
  while (drawn('&Delta;').textContent !== 'Δ') await new Promise((resolve) => setTimeout(resolve));
  growing.replace('שלום עולם.\n\n&Delta; first.\n\nSecond less');
  growing.end();
  assert.deepEqual(
    [...box.querySelectorAll('p')].map(({dir, textContent}) => [dir, textContent]),
    [
      ['rtl', 'שלום עולם.'],
      ['ltr', 'Δ first.'],
      ['ltr', 'Second less'],
    ],
  );
});

it('a block that the page took away stops nothing', () => {
  const {box, view: growing} = view();
  growing.write('One.\n\nTwo');
  box.querySelector('p:last-child')!.remove();
  growing.write(' more.\n\nThree.');
  growing.end();
  assert.ok(box.textContent.includes('Three.'));
});

it('emoji and words with joiners stand in code as they are', () => {
  const box = drawn('`⚠️ 👨‍👩‍👧 می‌خواهم`\n\n```\n# ⚠️ می‌خواهم\n```');
  assert.equal(box.querySelectorAll('.mark').length, 0);
  assert.equal(drawn('`a\u200db`').querySelectorAll('.mark').length, 1);
});

it('a hundred thousand hidden characters are drawn', () => {
  assert.equal(
    drawn(`\`\`\`\n${'\u200b'.repeat(150_000)}\n\`\`\``).querySelectorAll('.mark').length,
    150_000,
  );
}).timeout(30_000);

it('a text that its owner hands over at the end is read from there when more comes or another takes its place', () => {
  const {box, view: made} = view();
  let read = 0;
  const owned = (text: string) => ({
    toString() {
      read++;
      return text;
    },
  });
  made.write('One *two*');
  made.end(owned('One *two*'));
  assert.equal(read, 1);
  const first = box.querySelector('p')!;
  made.write(' three');
  made.end(owned('One *two* three'));
  assert.equal(box.textContent, 'One two three');
  made.replace('One *two* four');
  made.end();
  assert.equal(box.textContent, 'One two four');
  assert.equal(box.querySelector('p'), first);
  assert.equal(read, 2);
});

it('another text in the place of one is drawn as it would be by itself: its directions and its tasks', () => {
  for (const [before, after] of [
    ['- [x] done', '- done'],
    ['- plain', '- [ ] plain'],
    ['(hello) there', '(שלום) there'],
    ['**1** hello', '**1** שלום'],
  ] as const) {
    const {box, view: made} = view();
    made.write(before);
    made.end();
    made.replace(after);
    made.end();
    assert.equal(box.innerHTML.replace(' class=""', ''), drawn(after).innerHTML);
  }
});
