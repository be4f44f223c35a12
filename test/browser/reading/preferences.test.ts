/** What a reader asks of every page: more contrast, less motion. Asked of Chromium; the others are left as they are. */
import {executeServerCommand} from '@web/test-runner-commands';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, read, root, row} from './page.js';

const media = (features: Record<string, string>) =>
  executeServerCommand<boolean, Record<string, string>>('page:media', features);
const running = () =>
  turn('live')
    .prompt('Go.')
    .thought('Hm.')
    .tool('read_file', {path: 'a'}, {status: 'running'})
    .running()
    .build();

afterEach(() => media({'prefers-contrast': '', 'prefers-reduced-motion': ''}));

it('more contrast: what is quiet is written in the text’s own colour, and grounds get a line', async () => {
  const {element} = await read([running()], {height: '400px'});
  const colours = () => {
    const quiet = getComputedStyle(row(element, 'status').querySelector('b')!).color;
    return [quiet === getComputedStyle(element).color, getComputedStyle(row(element, 'prompt')).outlineStyle];
  };
  if (!(await media({'prefers-contrast': 'more'}))) return;
  await drawn();
  assert.deepEqual(colours(), [true, 'solid']);
  await media({'prefers-contrast': ''});
  await drawn();
  assert.deepEqual(colours(), [false, 'none']);
});

it('less motion: nothing turns, pulses or glides', async () => {
  const {element} = await read([running()], {height: '400px'});
  const moving = () =>
    [...root(element).querySelectorAll('*')].filter((one) => {
      const {animationName, transitionDuration} = getComputedStyle(one);
      return animationName !== 'none' || transitionDuration !== '0s';
    }).length;
  if (!(await media({'prefers-reduced-motion': 'no-preference'}))) return;
  await drawn();
  assert.ok(moving() > 0);
  await media({'prefers-reduced-motion': 'reduce'});
  await drawn();
  assert.equal(moving(), 0);
});
