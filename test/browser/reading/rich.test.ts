/**
 * A turn that writes everything Markdown has, while its tools come and go, in pieces cut anywhere: a reader who is above, in
 * what grows, or at the end stays there, with what is selected, opened, scrolled, folded and focused.
 */
import {loadToolBody} from '../../../src/elements/lazy-tool-body.js';
import {loadModel, type HermesTranscript} from '../../../src/index.js';
import type {DisplayMode} from '../../../src/scene/index.js';
import * as assert from '../../support/assert.js';
import {createFeed, reasoning, settled, token, tool, toolEnd} from '../elements/feed.js';
import {atEnd, back, drawn, isNear, place, press, root, row, selected, top, turnsOf, until} from './page.js';

const call = (id: string, name: string, args: object) => ({
  id,
  type: 'function',
  function: {name, arguments: JSON.stringify(args)},
});
const session = (messages: object[], updated_at: number) => ({
  session_id: 's1',
  message_count: messages.length,
  updated_at,
  messages,
});

/** More than 60 lines, so that what is deep in it begins folded. */
const json = JSON.stringify(
  Array.from({length: 30}, (_, n) => ({name: `file-${n}.md`, size: n * 100, tags: {a: n, b: [n, n]}})),
);

/** All that Markdown has; no two of them the same. */
const rich = (n: number) => `## Part ${n} of it

A paragraph ${n} with **bold**, *slanted*, \`code\`, ~~gone~~, [a link](https://example.org/${n}) and https://example.org/bare/${n}, \
a note[^n${n}] and <b onclick="x()">raw HTML ${n}</b>, long enough for several lines of a narrow page.

- one ${n}
- two, with
  1. numbers
  2. in it
- [x] done
- [ ] to do

| Step ${n} | Time |
|:--|--:|
| build | ${n} s |
| \`tsc\` | 8 s |

\`\`\`js
const part${n} = (x) => x * ${n}; // a comment
export default part${n};
\`\`\`

> A quotation ${n}
> in two lines.

![A picture](https://example.org/${n}.png)

[^n${n}]: What is noted of ${n}.

`;

const answerOf = (n: number) => `Answer ${n} begins here.\n\n${rich(n)}`;
const earlier = [1, 2].flatMap((n) => [
  {role: 'user', content: `Question ${n}?`, timestamp: n * 100},
  {
    role: 'assistant',
    content: 'I look.',
    tool_calls: [call(`h${n}`, 'list_files', {path: 'notes'})],
    timestamp: n * 100 + 1,
  },
  {role: 'tool', tool_call_id: `h${n}`, name: 'list_files', content: json, timestamp: n * 100 + 2},
  {role: 'assistant', content: answerOf(n), timestamp: n * 100 + 3},
]);

const said = `I look too.\n\n${rich(3)}`;
const growing = `Here it **grows**: ${Array.from({length: 60}, (_, n) => `word${n} \`c${n}\``).join(' ')}.`;
const final = `${growing}\n\n${[4, 5, 6, 7].map(rich).join('')}The end.`;

const over = [
  ...earlier,
  {role: 'user', content: 'Question 3?', timestamp: 300},
  {
    role: 'assistant',
    content: said.trim(),
    tool_calls: [call('c1', 'list_files', {path: 'notes'}), call('c2', 'bash', {command: 'make'})],
    timestamp: 301,
  },
  {role: 'tool', tool_call_id: 'c1', name: 'list_files', content: json, timestamp: 302},
  {role: 'tool', tool_call_id: 'c2', name: 'bash', content: 'made', timestamp: 303},
  {role: 'assistant', content: final, timestamp: 304},
];

/** The text in pieces whose length is never the same twice in a row. */
function pieces(text: string): string[] {
  const cut: string[] = [];
  for (let at = 0, n = 0; at < text.length; n++) {
    const length = 3 + ((n * 5) % 11);
    cut.push(text.slice(at, at + length));
    at += length;
  }
  return cut;
}

before(() => Promise.all([loadModel(), loadToolBody()]));

async function begin() {
  const feed = createFeed();
  const element: HermesTranscript = document.createElement('hermes-transcript');
  let count = 0;
  element.fetch = (url, init) => {
    if (!(url as string).includes('history')) return feed.fetch(url, init);
    const now = count++ === 0 ? session(earlier, 10) : session(over, 400);
    return Promise.resolve(Response.json({session: now}));
  };
  element.style.blockSize = '400px';
  element.style.inlineSize = '420px';
  element.setAttribute('history', '/history');
  element.setAttribute('src', '/events/run_1');
  place(element);
  await until(() => turnsOf(element).length === 3);
  await feed.send(reasoning('Hm.'), ...pieces(said).map(token));
  await feed.send(tool('c1', 'list_files', {path: 'notes'}), toolEnd('c1', 'list_files', json));
  await feed.send(tool('c2', 'bash', {command: 'make'}));
  await drawn();
  return {feed, element, loaded: () => count};
}

type Stage = Awaited<ReturnType<typeof begin>>;

/** The rest of the turn, with all that may happen to it; looked at after each step. */
async function goOn({feed, element, loaded}: Stage, from: number, check: (when: string) => unknown) {
  const left = pieces(final.slice(from));
  assert.ok(left.length > 300, `${left.length} pieces`);
  for (let at = 0, chunk = 0; at < left.length; at += 24, chunk++) {
    await feed.send(...left.slice(at, at + 24).map(token));
    await drawn(1);
    await check(`chunk ${chunk}`);
    if (chunk === 3) await switchTo('transparent-stream');
    if (chunk === 5) await switchTo('compact-worklog');
    if (chunk === 8) {
      const asked = feed.asked.length;
      await feed.end();
      await until(() => feed.asked.length > asked);
      await check('reconnected');
    }
  }
  await drawn();
  await check('all of it');
  await feed.send(['done', {session: session(over, 400)}], ['stream_end', {}]);
  await settled();
  await drawn();
  await check('settled');
  await switchTo('transparent-stream');
  await switchTo('compact-worklog');
  const read = loaded();
  element.disconnect();
  element.connect();
  await until(() => loaded() > read);
  await settled();
  await drawn();
  await check('loaded anew');
  async function switchTo(mode: DisplayMode) {
    element.mode = mode;
    await drawn();
    await check(mode);
  }
}

const textIn = (element: Element, words: string): Text => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null)
    if (node.data.includes(words)) return node;
  throw new Error(`No text says ${words}.`);
};

/** An opened tool, scrolled in its body, with another part of its JSON folded. */
async function opened(element: HermesTranscript, id: string, turn: number) {
  if (row(element, `group:tool:${id}`, turn).hidden) press(element, 'worklog', turn);
  await drawn();
  if (row(element, `tool:${id}`, turn).hidden) press(element, `group:tool:${id}`, turn);
  await drawn();
  const find = () => row(element, `tool:${id}`, turn);
  if (!find().querySelector('.tool-body')) press(element, `tool:${id}`, turn);
  await until(() => find().querySelector('[data-section=output] .fold'));
  const pre = find().querySelector<HTMLElement>('[data-section=output] pre')!;
  const folds = [...pre.querySelectorAll('.fold')];
  (folds[1] as HTMLElement).click();
  (folds[3] as HTMLElement).click();
  pre.scrollTop = 150;
  await drawn();
  const states = () => folds.map((fold) => fold.getAttribute('aria-expanded')).join();
  const [before, {scrollTop}] = [states(), pre];
  assert.ok(scrollTop > 0);
  return (when: string) => {
    const now = find();
    assert.ok(now.contains(pre) && now.hidden === false, `${when}: the tool is open`);
    assert.equal(pre.scrollTop, scrollTop, `${when}: where its body is scrolled to`);
    assert.equal(states(), before, `${when}: what is folded in it`);
  };
}

function selection(element: HermesTranscript, node: Text, from: number, to: number) {
  getSelection()!.setBaseAndExtent(node, from, node, to);
  const words = node.data.slice(from, to);
  return (when: string) => {
    const range = selected(element)!;
    assert.ok(
      range && range.startContainer === node && range.endContainer === node,
      `${when}: the selection`,
    );
    assert.equal(node.data.slice(range.startOffset, range.endOffset), words, `${when}: the selection`);
    assert.ok(node.isConnected, `${when}: the selected text`);
  };
}

function focus(element: HermesTranscript, button: HTMLElement) {
  button.focus({preventScroll: true});
  return (when: string) => assert.equal(root(element).activeElement, button, `${when}: the focus`);
}

function standing(element: HermesTranscript, what: Element) {
  const at = top(what);
  return (when: string) => assert.ok(isNear(top(what), at), `${when}: moved from ${at} to ${top(what)}`);
}

it('who reads an earlier turn stays at it, with a copy button, a selection and an opened tool', async () => {
  const stage = await begin();
  const {element} = stage;
  const isOpen = await opened(element, 'h1', 0);
  const answer = turnsOf(element)[0]!.querySelector('[data-type=answer]')!;
  const text = textIn(answer, 'A paragraph 1');
  element.scrollTop += top(text.parentElement!) - top(element) - 120;
  await drawn();
  const isFocused = focus(element, answer.querySelector<HTMLElement>('[part=copy-button]')!);
  const checks = [isOpen, isFocused, selection(element, text, 2, 11), standing(element, text.parentElement!)];
  await drawn();
  await goOn(stage, 0, (when) => checks.forEach((check) => check(when)));
});

for (const [what, where] of Object.entries({
  'a tool': '[data-item-id="tool:c1"] > [aria-expanded]',
  'what copies its output': '[data-item-id="tool:c1"] [data-section=output] [part=copy-button]',
  'a part of its JSON': '[data-item-id="tool:c1"] .fold',
  'what copies code on the way to the answer': '[data-type=prose] [part=copy-button]',
}))
  it(`who reads the turn that is written stays in the paragraph that grows, with the focus on ${what}`, async () => {
    const stage = await begin();
    const {feed, element} = stage;
    const isOpen = await opened(element, 'c1', 2);
    await feed.send(toolEnd('c2', 'bash', 'made'));
    await feed.send(...pieces(final.slice(0, 40)).map(token));
    await drawn();
    const turn = turnsOf(element)[2]!;
    const text = textIn(turn, 'Here it');
    element.scrollTop += top(text.parentElement!) - top(element) - 200;
    await drawn();
    const isFocused = focus(element, turn.querySelector<HTMLElement>(where)!);
    const checks = [
      isOpen,
      isFocused,
      selection(element, text, 0, 7),
      standing(element, text.parentElement!),
    ];
    await drawn();
    await goOn(stage, 40, (when) => checks.forEach((check) => check(when)));
  });

it('who is at the end is followed, and what was not chosen folds', async () => {
  const stage = await begin();
  const {feed, element} = stage;
  await feed.send(toolEnd('c2', 'bash', 'made'));
  await until(() => atEnd(element));
  const isFollowed = () => until(() => back(element).hidden && atEnd(element));
  await goOn(stage, 0, isFollowed);
  const turn = turnsOf(element)[2]!;
  assert.equal(row(element, 'worklog', 2).querySelector('button')!.ariaExpanded, 'false');
  assert.ok(turn.textContent.includes('<b onclick="x()">raw HTML 5</b>'), 'raw HTML is text');
  assert.equal(root(element).querySelector('img, [onclick]'), null, 'no picture is loaded');
  assert.equal(turn.querySelectorAll('table').length >= 4, true);
});
