import {GrowingText} from '../../../src/anchor/text.js';
import {withAnswer, turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, read, root, row, selected} from './page.js';

const answered = (text: string | GrowingText) => {
  const built = turn('t').prompt('Go.').answer('x').running().build();
  const item = {...built.items.get(0)!, text: typeof text === 'string' ? GrowingText.of(text) : text};
  return withAnswer({...built, items: built.items.set(0, item)});
};

/** Selects the characters from `start` to `end` of a text node that holds these words. */
function select(block: Element, words: string): Text {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const at = node.data.indexOf(words);
    if (at < 0) continue;
    getSelection()!.setBaseAndExtent(node, at, node, at + words.length);
    return node;
  }
  throw new Error(`No text node says ${words}.`);
}

it('a selection from turn 1 to turn 3 takes all of it', async () => {
  const {element} = await read(
    ['one', 'two', 'three'].map((word) =>
      turn(word).prompt(`Prompt ${word}.`).answer(`Answer ${word}.`).build(),
    ),
    {height: '600px'},
  );
  const [first, last] = [
    row(element, 'prompt', 0).querySelector('p')!,
    row(element, 'prose:0:0', 2).querySelector('p')!,
  ];
  const selection = getSelection()!;
  selection.setBaseAndExtent(first.firstChild!, 0, last.firstChild!, last.firstChild!.textContent!.length);
  const range = selected(element)!;
  const live = new Range();
  live.setStart(range.startContainer, range.startOffset);
  live.setEnd(range.endContainer, range.endOffset);
  const inOrder =
    /Prompt one\.[^]*Answer one\.[^]*Prompt two\.[^]*Answer two\.[^]*Prompt three\.[^]*Answer three\./;
  assert.ok(inOrder.test(live.toString()), `the range says ${live.toString()}`);
  const text = selection.toString();
  assert.ok(inOrder.test(text), `the selection says ${text}`);
  assert.ok(!text.includes('You asked'), 'words for screen readers are not copied');
});

const cases = {
  'a longer text': ['One.\n\nThe second paragra', 'One.\n\nThe second paragraph.\n\nThird.', 'second'],
  'another end': ['One.\n\nThe second is wrong.', 'One.\n\nThe second is right.', 'second'],
  'a shorter text': ['One.\n\nThe second.\n\nThe third.', 'One.\n\nThe second.', 'second'],
  'code that goes on': ['```js\nlet a = 1;\nlet b', '```js\nlet a = 1;\nlet b = 2;\n```\nDone.', 'a = 1'],
  'a link that goes on': [
    'See here: https://a.example/pa',
    'See here: https://a.example/path for more.',
    'here',
  ],
  'a link that becomes another': [
    'See here: https://a.example/one now',
    'See here: https://a.example/two now',
    'here',
  ],
} as const;

for (const [name, [before, after, words]] of Object.entries(cases)) {
  it(`settlement with ${name} changes nothing before the first difference`, async () => {
    const {story, element} = await read([answered(before)], {height: '400px'});
    const block = row(element, 'prose:0:0');
    const node = select(block, words);
    story.show({...answered(after), status: 'settled', terminal: 'completed'});
    await drawn();
    const range = selected(element)!;
    assert.equal(range.startContainer, node);
    assert.equal(range.endContainer, node);
    assert.equal(node.data.slice(range.startOffset, range.endOffset), words);
    const {element: fresh} = await read([{...answered(after), status: 'settled', terminal: 'completed'}]);
    assert.equal(
      block.querySelector('.text')!.textContent,
      row(fresh, 'prose:0:0').querySelector('.text')!.textContent,
    );
    assert.equal(block.querySelectorAll('a').length, row(fresh, 'prose:0:0').querySelectorAll('a').length);
  });
}

it('a text that was mended goes on growing where it stands', async () => {
  const {story, element} = await read([answered('One tw')], {height: '400px'});
  let text = GrowingText.of('One two');
  const node = select(row(element, 'prose:0:0'), 'One');
  for (const piece of [' three', ' https://a.exa', 'mple/x and', ' more.\n\n', 'Next']) {
    text = text.append(piece);
    story.show(answered(text));
    await drawn(1);
  }
  await drawn();
  assert.equal(selected(element)!.startContainer, node);
  const blocks = [...row(element, 'prose:0:0').querySelectorAll('p')].map(({textContent}) => textContent);
  assert.deepEqual(blocks, ['One two three https://a.example/x and more.', 'Next']);
  assert.equal(row(element, 'prose:0:0').querySelector('a')!.href, 'https://a.example/x');
});

it('settlement with an equal text touches nothing', async () => {
  const {story, element} = await read([answered('One.\n\nTwo https://a.example/ and `three`.')], {
    height: '400px',
  });
  const changes: MutationRecord[] = [];
  const watcher = new MutationObserver((records) => changes.push(...records));
  watcher.observe(row(element, 'prose:0:0').querySelector('.text')!, {
    childList: true,
    characterData: true,
    subtree: true,
  });
  story.show({
    ...answered('One.\n\nTwo https://a.example/ and `three`.'),
    status: 'settled',
    terminal: 'completed',
  });
  await drawn();
  watcher.disconnect();
  // What was held back as it might have become a link is finished.
  assert.ok(
    changes.every(({target}) => target.nodeName !== 'DIV'),
    `${changes.length} changes`,
  );
  assert.equal(root(element).querySelectorAll('p').length >= 2, true);
});
