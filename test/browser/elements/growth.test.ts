/** Text that is being written is drawn without drawing anything else, and what is drawn later takes that in. */
import '../../../src/define.js';
import {loadMarkdown} from '../../../src/elements/load-markdown.js';
import {loadModel, type HermesTranscript, type HermesTurn} from '../../../src/index.js';
import {expectedRows, project, reconcile} from '../../../src/scene/index.js';
import * as assert from '../../support/assert.js';
import {until} from '../controls/stage.js';
import {createFeed, done, reasoning, token, tool, toolEnd} from './feed.js';

before(() => Promise.all([loadModel(), loadMarkdown()]));

const shown: Element[] = [];
afterEach(() => shown.splice(0).forEach((element) => element.remove()));

/** An element that shows a feed, and how often Lit has drawn it. */
function drawnBy<T extends HermesTranscript | HermesTurn>(name: 'hermes-transcript' | 'hermes-turn') {
  const feed = createFeed();
  const element = document.createElement(name) as T;
  Object.assign(element, {fetch: feed.fetch, src: '/api/chat/stream?stream_id=run_1', cache: 'none'});
  let count = 0;
  const counted = element as unknown as {performUpdate(): void};
  const own = counted.performUpdate.bind(element);
  counted.performUpdate = () => {
    count++;
    own();
  };
  document.body.append(element);
  shown.push(element);
  const turn = () =>
    (name === 'hermes-turn' ? element : element.renderRoot.querySelector('hermes-turn')) as HermesTurn;
  const said = () => turn()?.renderRoot?.querySelector('[data-type=answer] .text')?.textContent.trim() ?? '';
  return {feed, element, turn, said, draws: () => count};
}

for (const name of ['hermes-transcript', 'hermes-turn'] as const) {
  it(`draws a growing text in <${name}> and nothing else`, async () => {
    const {feed, said, draws, turn} = drawnBy(name);
    await feed.send(token('It **grows**'));
    await until(() => said() === 'It grows');
    const [strong, text] = [turn().renderRoot.querySelector('strong'), ['It **grows**']];
    const grow = async (from: number, to: number) => {
      for (let piece = from; piece < to; piece++) {
        text.push(` word${piece}`);
        await feed.send(token(` word${piece}`));
      }
      await until(() => said().endsWith(`word${to - 1}`));
    };
    // By then it is known where the reader is, which is drawn too.
    await grow(0, 20);
    const first = draws();
    await grow(20, 40);
    assert.equal(draws(), first, 'nothing else was drawn');
    assert.equal(said(), text.join('').replaceAll('**', ''));
    assert.equal(turn().renderRoot.querySelector('strong'), strong, 'what stood there stays');
    assert.equal(turn().toMarkdown().includes('word39'), true, 'the turn knows what it shows');
    await feed.send(
      tool('a', 'read_file', {path: 'a.md'}),
      toolEnd('a', 'read_file', 'ok'),
      token('The end.'),
      done,
    );
    await until(() => said().includes('The end.'));
    assert.ok(draws() > first);
  });
}

it('is followed to its end though the turn was shorter for a moment just before', async () => {
  const {feed, element, turn, said} = drawnBy<HermesTranscript>('hermes-transcript');
  element.style.blockSize = '200px';
  const lines = (count: number) => Array.from({length: count}, (_, n) => `\n\nLine ${n}.`).join('');
  const atEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight < 2;
  await feed.send(reasoning(lines(30)), tool('a', 'read_file', {path: 'a'}), token(lines(12)));
  await until(() => said().includes('Line 11') && element.scrollTop > 0 && atEnd());
  turn().mode = 'answer-only';
  await turn().updateComplete;
  assert.ok(atEnd(), 'laid out before the next frame');
  await feed.send(token(lines(40)));
  await until(() => said().includes('Line 39'));
  await until(atEnd);
});

it('is told as Markdown to its end when the turn is over', async () => {
  const {feed, element, said} = drawnBy<HermesTranscript>('hermes-transcript');
  let told = '';
  element.addEventListener('hermes-turn-settled', () => (told = element.toMarkdown()));
  await feed.send(token('Begin.'));
  await until(() => said() === 'Begin.');
  await feed.send(token(' More'));
  await feed.send(token(' and the end.'), done);
  await until(() => told !== '');
  assert.ok(told.includes('Begin. More and the end.'), told);
});

it('shows what the scene says after any mixture of growth and other news', async () => {
  const {feed, element, turn} = drawnBy<HermesTranscript>('hermes-transcript');
  const steps = [
    [reasoning('Hm')],
    [reasoning(', let me see'), reasoning('.')],
    [token('First')],
    [token(' more'), token(' and more.')],
    [tool('a', 'terminal', {command: 'ls'})],
    [toolEnd('a', 'terminal', 'ok')],
    [token('Then')],
    [token(' `co')],
    [token('de`'), token(' ends.')],
    [done],
  ];
  for (const frames of steps) {
    await feed.send(...frames);
    const newest = element.shown!.transcript.turns.at(-1)!;
    await until(() => turn()?.anchor === newest);
    const scene = project(newest, 'compact-worklog');
    assert.deepEqual(
      reconcile(expectedRows(scene, {open: turn().openRows}), element.renderedRows()).mismatches,
      [],
    );
  }
});
