import '../../../src/define.js';
import {loadModel, type HermesTranscript} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {createFeed, done, reasoning, token, tool, toolEnd, type Feed} from '../elements/feed.js';
import {family} from './family.js';

before(() => loadModel());

let element: HermesTranscript;

function mount({fetch}: Feed): void {
  element = document.createElement('hermes-transcript');
  element.fetch = fetch;
  element.mode = 'transparent-stream';
  element.setAttribute('src', '/events/run_1');
  document.body.append(element);
}

const root = () => element.shadowRoot as ShadowRoot;
const row = (type: string) => root().querySelector<HTMLElement>(`[data-type=${type}]`) as HTMLElement;
const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** Draws until it is so; the test's own timeout says when it never is. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await drawn();
}

const settledSession = {
  session_id: 'a1c0',
  message_count: 2,
  updated_at: 200,
  messages: [
    {role: 'user', content: 'Dry?', timestamp: 100},
    {role: 'assistant', content: 'It is dry.', timestamp: 110},
  ],
};

afterEach(() => element.remove());

family(
  27,
  'an opened tool keeps its node, its focus and its body while the turn grows and settles',
  async () => {
    const feed = createFeed();
    mount(feed);
    await feed.send(
      tool('c1', 'read_file', {path: 'a.md'}),
      toolEnd('c1', 'read_file', 'text of a'),
      token('It'),
    );
    const card = row('tool');
    const button = card.querySelector('button') as HTMLButtonElement;
    button.focus();
    button.click();
    await drawn();
    for (let n = 0; n < 30; n++) await feed.send(token(' is'), reasoning('Hm.'), token(' dry.'));
    await feed.send(['done', {session: settledSession}], ['stream_end', {}]);
    await drawn();
    assert.equal(row('tool'), card);
    assert.equal(root().activeElement, button);
    assert.equal(button.getAttribute('aria-expanded'), 'true');
    assert.ok(card.textContent.includes('text of a'));
  },
);

family(58, 'a reader who left the end is not moved: not by growth, a tool, or the settlement', async () => {
  const feed = createFeed();
  mount(feed);
  element.style.blockSize = '160px';
  for (let n = 0; n < 12; n++) await feed.send(token(`Line ${n}.\n\n`));
  await until(() => element.scrollTop > 200);
  element.scrollTop = 40;
  await drawn();
  const places: number[] = [];
  const frames = [
    token('More.\n\n'),
    tool('c1', 'terminal', {command: 'make'}),
    toolEnd('c1', 'terminal', 'ok\n'.repeat(50)),
    token('Done.'),
    done,
  ];
  for (const frame of frames) {
    await feed.send(frame);
    await drawn();
    places.push(element.scrollTop);
  }
  await until(() => row('answer').textContent.includes('Done.'));
  // To the part of a pixel that some engines round.
  assert.ok(
    places.every((place) => Math.abs(place - 40) < 1),
    places.join(' '),
  );
});

family(62, 'a settlement swaps in place: the turn and its rows are never taken out of the page', async () => {
  const feed = createFeed();
  mount(feed);
  await feed.send(token('It is dry.'));
  await until(() => root().querySelector('[data-type=answer]') !== null);
  const kept = [root().querySelector('[part=turn]'), row('answer')] as Node[];
  const removed: Node[] = [];
  const watcher = new MutationObserver((records) => {
    for (const {removedNodes} of records) removed.push(...removedNodes);
  });
  watcher.observe(root(), {childList: true, subtree: true});
  await feed.send(['done', {session: settledSession}], ['stream_end', {}]);
  await until(() => root().querySelector('[data-type=prompt]') !== null);
  watcher.disconnect();
  const gone = kept.map((node) => removed.includes(node) || !node.isConnected);
  assert.deepEqual(gone, [false, false]);
  assert.equal(row('answer').textContent.trim(), 'It is dry.');
});
