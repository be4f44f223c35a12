/** Where a browser does not look into what is hidden, nothing stands in folded rows; they are found all the same. */
import './without-until-found.js';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {read, root, row, until} from '../reading/page.js';

it('what is folded away and not in the document is found and opened', async () => {
  const work = turn('a')
    .prompt('Go.')
    .thought('A quiet thought.')
    .tool('bash', {command: 'ls'}, {output: 'an umbrella'});
  const {element} = await read([work.answer('Done.').build()], {height: '300px'});
  const thought = row(element, 'reasoning:0:0');
  assert.equal(thought.getAttribute('hidden'), '');
  assert.ok(!root(element).textContent?.includes('quiet'));
  assert.equal(await element.find('quiet'), 1);
  assert.equal(thought.hidden, false);
  await until(
    () => thought.textContent.includes('quiet') && thought.querySelector('.text')!.clientHeight > 0,
  );
  assert.equal(await element.find('umbrella'), 1);
  await until(() => row(element, 'tool:c1').querySelector('[data-section=output]')!.clientHeight > 0);
});
