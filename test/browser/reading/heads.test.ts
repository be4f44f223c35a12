/** What the head of a worklog says of what stands below it. */
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, press, read, row} from './page.js';

const three = ['a.md', 'b.md', 'c.md'];
const told = () =>
  three.reduce((so, path) => so.tool('read_file', {path}, {output: 'A text.'}), turn('a').prompt('Go.'));
const words = (element: Element, id: string) => row(element, id).querySelector('b')!.textContent;

it('while a turn goes on, its opened worklog does not say what its groups say', async () => {
  const {story, element} = await read([told().running().build()]);
  assert.equal(words(element, 'group:tool:c1'), 'Read 3 files');
  assert.equal(words(element, 'worklog'), 'Working');
  press(element, 'worklog');
  await drawn();
  assert.equal(words(element, 'worklog'), 'Read 3 files', 'folded, it says it in their place');
  press(element, 'worklog');
  story.show(told().answer('Done.').build());
  await drawn();
  assert.equal(words(element, 'worklog'), 'Read 3 files', 'and so it does once the turn is over');
});
