/** What a growing turn costs must not grow with it: only its end is looked at. */
import {html, render} from 'lit';
import '../../../src/define.js';
import {keyed, lastItem} from '../../../src/elements/keyed.js';
import {loadMarkdown} from '../../../src/elements/load-markdown.js';
import {loadModel} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {until} from '../controls/stage.js';
import {createFeed, reasoning, token, tool, toolEnd} from './feed.js';

before(() => Promise.all([loadModel(), loadMarkdown()]));

/** How many elements were found, while it ran, by looking through all of a root. */
async function looked(work: () => Promise<unknown>): Promise<number> {
  let found = 0;
  const roots = [Element.prototype, DocumentFragment.prototype] as const;
  const own = roots.map(({querySelectorAll}) => querySelectorAll);
  for (const [index, root] of roots.entries())
    root.querySelectorAll = function (this: Element, selector: string) {
      const all = own[index]!.call(this, selector);
      found += all.length;
      return all;
    };
  try {
    await work();
  } finally {
    for (const [index, root] of roots.entries()) root.querySelectorAll = own[index]!;
  }
  return found;
}

it('does not look through a long turn for the row that grows', async () => {
  const feed = createFeed();
  const element = document.createElement('hermes-transcript');
  Object.assign(element, {fetch: feed.fetch, src: '/api/chat/stream?stream_id=run_1', cache: 'none'});
  document.body.append(element);
  const said = () => element.shadowRoot?.textContent ?? '';
  try {
    for (let n = 0; n < 40; n++)
      await feed.send(
        reasoning(`Hm ${n}.`),
        token(`Word ${n}.`),
        tool(`c${n}`, 'terminal', {command: 'ls'}),
        toolEnd(`c${n}`, 'terminal', 'ok'),
      );
    await feed.send(token('The end'));
    await until(() => said().includes('The end'));
    const found = await looked(async () => {
      await feed.send(token(' grows'));
      await until(() => said().includes('The end grows'));
      await feed.send(token(' and grows'));
      await until(() => said().includes('The end grows and grows'));
    });
    assert.ok(found < 40, `${found} elements`);
  } finally {
    element.remove();
  }
});

it('finds the last item of a list from its end, in a group or between groups', () => {
  const at = document.createElement('div');
  const items = Array.from({length: 200}, (_, id) => ({id}));
  const isLoose = ({id}: {id: number}) => id === 199;
  const list = keyed(
    items,
    ({id}) => id,
    '',
    ({id}) => html`<i id=${id}></i>`,
    isLoose,
  );
  render(html`${list}`, at);
  const seen: string[] = [];
  const find = (id: string) =>
    lastItem(at, (item) => {
      seen.push(item.id);
      return item.id === id;
    });
  assert.equal(find('199')?.id, '199');
  assert.equal(find('197')?.id, '197');
  assert.deepEqual(seen, ['199', '199', '198', '197']);
  assert.equal(find('none'), undefined);
});
