import {BlockWriter} from '../../../src/elements/block-writer.js';
import * as assert from '../../support/assert.js';

/** The blocks as a person reads them: one a line, its kind before its text. */
function sketch(root: Element): string[] {
  return [...root.children].map((block) => {
    const links = [...block.querySelectorAll('a')].map(({href}) => ` <${href}>`).join('');
    return `${block.localName} ${(block as HTMLElement).dataset['language'] ?? ''}|${block.textContent}|${links}`;
  });
}

function write(...pieces: string[]): Element {
  const root = document.createElement('div');
  const writer = new BlockWriter(root);
  for (const piece of pieces) writer.write(piece);
  writer.end();
  return root;
}

const cases: readonly (readonly [name: string, text: string, blocks: readonly string[]])[] = [
  ['one line is a paragraph', 'Hello.', ['p |Hello.|']],
  ['a blank line parts paragraphs', 'One\ntwo\n\n \nThree\n', ['p |One\ntwo|', 'p |Three|']],
  [
    'a fence is a code block',
    'See:\n```js\nlet a;\n\n  b\n```\nafter',
    ['p |See:|', 'pre js|let a;\n\n  b|', 'p |after|'],
  ],
  ['tildes fence too', '~~~\n```\n~~~', ['pre |```|']],
  ['a longer fence holds a shorter one', '````md\n```\n````\n', ['pre md|```|']],
  ['an unclosed fence is code to the end', '```\nx\n', ['pre |x|']],
  ['backticks in a line are text', '`a` and ```b``` c', ['p |`a` and ```b``` c|']],
  ['a line that only began like a fence is text', '``', ['p |``|']],
  ['an empty code block stands', '```\n```\nx', ['pre ||', 'p |x|']],
  ['a code block may begin with a blank line', '```\n\nx\n```', ['pre |\nx|']],
  ['CRLF ends lines', 'a\r\n\r\nb', ['p |a\r|', 'p |b|']],
  [
    'bare addresses are links',
    'See https://a.example/x?y=1, or (mailto:me@b.example).',
    [
      'p |See https://a.example/x?y=1, or (mailto:me@b.example).| <https://a.example/x?y=1> <mailto:me@b.example>',
    ],
  ],
  [
    'an address in a markdown link ends before the bracket',
    '[a](https://a.example/b) c',
    ['p |[a](https://a.example/b) c| <https://a.example/b>'],
  ],
  [
    'other protocols are text',
    'javascript:alert(1) data:text/html,x file:///etc',
    ['p |javascript:alert(1) data:text/html,x file:///etc|'],
  ],
  ['addresses in code are text', '```\nhttps://a.example\n```', ['pre |https://a.example|']],
  [
    'markup is text',
    '<img src=x onerror=alert(1)> <b>&amp;</b>',
    ['p |<img src=x onerror=alert(1)> <b>&amp;</b>|'],
  ],
];

describe('block writer', () => {
  for (const [name, text, blocks] of cases) {
    it(`${name}, cut anywhere`, () => {
      assert.deepEqual(sketch(write(text)), blocks);
      assert.deepEqual(sketch(write(...text)), blocks, 'one character at a time');
      for (let cut = 1; cut < text.length; cut++) {
        assert.deepEqual(sketch(write(text.slice(0, cut), text.slice(cut))), blocks, `cut at ${cut}`);
      }
    });
  }

  it('finished paragraphs are not touched, and the tail grows in its own node', () => {
    const root = document.createElement('div');
    const writer = new BlockWriter(root);
    writer.write('One.\n\nTwo');
    const [first, second] = root.children;
    const tail = second!.firstChild!;
    const records = new MutationObserver(() => undefined);
    records.observe(first!, {childList: true, characterData: true, subtree: true});
    writer.write(' and more\n\nThree');
    assert.equal(root.children[0], first);
    assert.equal(root.children[1], second);
    assert.equal(second!.firstChild, tail);
    assert.equal(records.takeRecords().length, 0);
    assert.deepEqual(sketch(root), ['p |One.|', 'p |Two and more|', 'p |Three|']);
  });

  it('a selection in the growing paragraph stays', () => {
    const root = document.body.appendChild(document.createElement('div'));
    const writer = new BlockWriter(root);
    writer.write('Select these words');
    getSelection()!.setBaseAndExtent(
      root.querySelector('p')!.firstChild!,
      7,
      root.querySelector('p')!.firstChild!,
      12,
    );
    for (let n = 0; n < 500; n++) writer.write(` and ${n}`);
    assert.equal(String(getSelection()), 'these');
    root.remove();
  });

  it('a long text without spaces is written in steps that do not grow', () => {
    const text = '字'.repeat(50_000);
    const root = write(...(text.match(/.{1,10}/g) as string[]));
    assert.equal(root.textContent, text);
    assert.ok(root.firstElementChild!.childNodes.length > 5);
  });
});
