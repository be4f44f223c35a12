import {executeServerCommand} from '@web/test-runner-commands';
import type {TurnAnchor} from '../../../src/anchor/index.js';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, read, root, row, turnsOf} from './page.js';

const worked = (id: string) =>
  turn(id)
    .prompt('Go.')
    .prose('I look.')
    .tool('read_file', {path: 'a.md'}, {output: 'text'})
    .answer(`Answer.\n\n`.repeat(30))
    .build();

it('on paper worklogs are open and all turns are there, and afterwards all is as it was', async () => {
  const {element} = await read([worked('a'), worked('b'), worked('c')]);
  const shown = () =>
    [...root(element).querySelectorAll<HTMLElement>('[data-item-id]')].filter(({hidden}) => !hidden).length;
  const before = shown();
  dispatchEvent(new Event('beforeprint'));
  assert.equal(shown(), root(element).querySelectorAll('[data-item-id]').length);
  assert.ok(row(element, 'tool:c1', 2).textContent.includes('a.md'));
  dispatchEvent(new Event('afterprint'));
  assert.equal(shown(), before);
  assert.equal(turnsOf(element).length, 3);
});

it('the print style unrolls what scrolls', async function () {
  const {element} = await read([worked('a'), worked('b')]);
  const isEmulated = await executeServerCommand<boolean, object>('page:print', {print: true});
  if (!isEmulated) return this.skip();
  await drawn();
  const {height} = element.getBoundingClientRect();
  const {display} = getComputedStyle(root(element).querySelector('.foot')!);
  await executeServerCommand('page:print', {print: false});
  assert.ok(height > 800, `${height} px`);
  assert.equal(display, 'none');
});

it('nothing is printed that the browser looks at by itself for every page, and nothing is cut', async function () {
  const long = `A command of ${'very '.repeat(60)}many words.`;
  const cells = `| ${'words of a note that is rather long | '.repeat(8)}`.trimEnd();
  const wide = `${cells}\n${cells.replace(/[^|]+/g, '-')}\n${cells}`;
  const busy = (mode: string) =>
    turn(mode)
      .prompt('Go.')
      .tool('bash', {command: long}, {output: 'text '.repeat(200)})
      .tool('read_file', {path: 'a.md'}, {output: 'text'})
      .tool('bash', {}, {status: 'error'})
      .answer(`Answer.\n\n\`\`\`js\nlet a;\n\`\`\`\n\n${wide}`)
      .build();
  for (const mode of ['compact-worklog', 'transparent-stream']) {
    const {element} = await read([busy(mode)], {mode});
    const isEmulated = await executeServerCommand<boolean, object>('page:print', {print: true});
    if (!isEmulated) return this.skip();
    dispatchEvent(new Event('beforeprint'));
    await drawn();
    const [shown] = turnsOf(element);
    const inTurn = [shown!, ...shown!.querySelectorAll<HTMLElement>('*')].filter((each) =>
      each.checkVisibility(),
    );
    const apart = inTurn.filter((each) => {
      const {overflowX, overflowY, position, contain} = getComputedStyle(each);
      return (
        overflowX !== 'visible' || overflowY !== 'visible' || position !== 'static' || contain !== 'none'
      );
    });
    const cut = inTurn.filter(
      ({scrollWidth, clientWidth}) => clientWidth > 0 && scrollWidth > clientWidth + 1,
    );
    dispatchEvent(new Event('afterprint'));
    await executeServerCommand<boolean, object>('page:print', {print: false});
    // Nor what is only heard: browsers write nothing that is clipped away, also where a file has tags.
    assert.deepEqual(
      apart.filter(({localName}) => localName !== 'svg').map(({textContent}) => textContent),
      [],
    );
    assert.deepEqual(
      cut.map(({textContent}) => textContent),
      [],
    );
  }
});

it('what was thought stands on paper under its heading, folded or not, and that heading once', async function () {
  const begun = turn('a').prompt('Go.').thought('I should look.');
  const {element} = await read([
    begun.answer('Done.').build(),
    turn('b').prompt('Go.').thought('I should look.').tool('read_file').answer('Done.').build(),
  ]);
  const isEmulated = await executeServerCommand<boolean, object>('page:print', {print: true});
  if (!isEmulated) return this.skip();
  dispatchEvent(new Event('beforeprint'));
  await drawn();
  const [alone, beside] = turnsOf(element).map(({innerText}) => innerText);
  dispatchEvent(new Event('afterprint'));
  await executeServerCommand<boolean, object>('page:print', {print: false});
  assert.deepEqual(alone!.match(/Thought|I should look\./g), ['Thought', 'I should look.']);
  assert.deepEqual(beside!.match(/Thought|I should look\./g), ['Thought', 'I should look.']);
  assert.equal(row(element, 'reasoning:0:0').innerText.includes('I should look.'), false);
});

it('for paper the reader is not looked for in every turn', async () => {
  const {element} = await read(['a', 'b', 'c', 'd', 'e'].map(worked), {height: '300px'});
  let looked = 0;
  Object.defineProperty(element, 'scrollTop', {
    configurable: true,
    get() {
      looked++;
      return 0;
    },
    set() {},
  });
  dispatchEvent(new Event('beforeprint'));
  const once = looked;
  Reflect.deleteProperty(element, 'scrollTop');
  dispatchEvent(new Event('afterprint'));
  assert.equal(once, 0);
});

it('of the pictures, those are printed that say what no word says', async function () {
  const busy = turn('a')
    .prompt('Go.')
    .tool('read_file', {path: 'a.md'})
    .prose('Next.')
    .tool('bash', {}, {status: 'error'});
  const planned = {
    ...busy.answer('Done.').build(),
    plan: ['completed', 'in_progress', 'pending'].map((status) => ({content: status, status, priority: ''})),
  } as TurnAnchor;
  const {element} = await read([planned]);
  const isEmulated = await executeServerCommand<boolean, object>('page:print', {print: true});
  if (!isEmulated) return this.skip();
  dispatchEvent(new Event('beforeprint'));
  await drawn();
  const printed = (rows: string) =>
    [...root(element).querySelectorAll(`${rows} .icon`)]
      .filter((icon) => getComputedStyle(icon).display !== 'none')
      .map((icon) => icon.classList.item(1));
  const found = [printed('.tool'), printed('.tool-group'), printed('.error'), printed('.plan')];
  dispatchEvent(new Event('afterprint'));
  await executeServerCommand<boolean, object>('page:print', {print: false});
  assert.deepEqual(found, [['error'], ['error'], ['error'], ['completed', 'stopped', 'pending']]);
});
