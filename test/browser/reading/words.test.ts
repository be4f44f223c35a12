/** What the page says in place of our words is its own code: where that fails, nothing else does. */
import {turn} from '../../unit/scene/turn-builder.js';
import {loadToolBody} from '../../../src/elements/lazy-tool-body.js';
import type {TurnAnchor} from '../../../src/anchor/index.js';
import type {Strings} from '../../../src/elements/strings.js';
import * as assert from '../../support/assert.js';
import {drawn, place, press, read, root, row, turnsOf, until} from './page.js';

const {reportError} = window;
let told: unknown[] = [];

before(() => loadToolBody());
beforeEach(() => {
  told = [];
  window.reportError = (cause) => told.push(String(cause));
});
afterEach(() => (window.reportError = reportError));

const fail = (): never => {
  throw new Error('no word');
};

const worked = turn('t')
  .prompt('Go.')
  .tool(
    'read',
    {path: 'a'},
    {status: 'error', output: Array.from({length: 900}, (_, n) => `${n}\n`).join('')},
  )
  .tool('read', {path: 'b'}, {status: 'error', output: 'x'})
  .answer('Done:\n\n| a |\n| - |\n| 1 |\n\n![A dot](https://a.example/x.png)')
  .build();

/** All that is said of a turn, opened. */
async function said(strings?: Partial<Strings>): Promise<string> {
  const {element} = await read([worked], {height: '600px'});
  element.strings = strings;
  await element.updateComplete;
  press(element, 'worklog');
  // The only group opens with the worklog.
  await until(() => row(element, 'tool:c1').querySelector('[aria-expanded]'));
  press(element, 'tool:c1');
  await until(() => row(element, 'tool:c1').querySelector('.tool-body .section'));
  await until(() => root(element).querySelector('[data-type=answer] table'));
  // The line of actions comes with what exports.
  await until(() => root(element).querySelector('[part=actions] button'));
  return turnsOf(element)[0]!.textContent.replace(/\s+/g, ' ');
}

it('a function of `strings` that throws is told to the page, and ours says it', async () => {
  const ours = await said();
  assert.deepEqual(told, []);
  const strings = {
    errors: fail,
    usage: {took: fail},
    prose: {copyAs: fail, showImage: fail},
    toolBody: {copy: fail, showAll: fail},
  } satisfies Partial<Strings>;
  assert.equal(await said(strings), ours);
  assert.ok(told.length > 3, told.join());
  assert.deepEqual([...new Set(told)], ['Error: no word']);
});

it('a getter of `strings` that throws is told to the page, and ours says it', async () => {
  const ours = await said();
  const failing = (...names: string[]) =>
    Object.defineProperties(
      {},
      Object.fromEntries(names.map((name) => [name, {enumerable: true, get: fail}])),
    );
  const strings = Object.assign(failing('plan', 'errors', 'usage', 'prose', 'actions'), {
    toolBody: failing('copy', 'showAll'),
  });
  assert.equal(await said(strings), ours);
  assert.deepEqual([...new Set(told)], ['Error: no word']);
});

it('a function of `strings` is called as what it was given as', async () => {
  const strings = {
    before: 'Kopieren als',
    copyAs(format: string) {
      return `${this.before} ${format}`;
    },
  };
  assert.ok((await said({prose: strings})).includes('Kopieren als CSV'));
});

it('a worklog is summed up in the words of the page, on the screen and in an archive', async () => {
  const {element} = await read([worked], {height: '600px'});
  const summary = () => row(element, 'worklog').textContent.trim();
  assert.equal(summary(), 'Read 2 files');
  element.strings = {
    tools: {read: (count) => `${count} Dateien gelesen`, sentence: (phrases) => `${phrases.join(' und ')}.`},
  };
  await element.updateComplete;
  await until(() => summary() === '2 Dateien gelesen.');
  assert.ok((await element.toArchive()).includes('<summary>2 Dateien gelesen.</summary>'));
});

it('a worklog that grows stays in the words of the page, and in ours where those throw', async () => {
  const {element, story} = await read([], {height: '600px'});
  element.strings = {tools: {run: (count) => `${count}-mal ausgeführt`, read: fail}};
  const now = turn('g').running().tool('terminal', {command: 'ls'});
  const summary = async () => {
    story.show(now.build());
    await drawn();
    return row(element, 'worklog').textContent.trim();
  };
  await summary();
  // While it is open, what stands below says it.
  press(element, 'worklog');
  assert.equal(await summary(), '1-mal ausgeführt');
  now.prose('So far');
  assert.equal(await summary(), '1-mal ausgeführt');
  now.tool('read', {path: 'a'});
  assert.equal(await summary(), 'Read 1 file, 1-mal ausgeführt');
  assert.deepEqual([...new Set(told)], ['Error: no word']);
});

const longWork = turn('l')
  .prompt('Go.')
  .tool('read', {path: 'a'}, {durationMs: 4200, output: 'line\n'.repeat(1500)})
  .answer('Done.')
  .with({startedAt: 0, completedAt: 4200, usage: {inputTokens: 12_345, cost: 1.5} as TurnAnchor['usage']})
  .build();

it('numbers and durations are in the language around the element, and another one draws them anew', async () => {
  const around = place(document.createElement('div'));
  around.lang = 'de';
  const {element} = await read([longWork], {height: '600px', parent: around});
  press(element, 'worklog');
  // The only tool opens with its worklog.
  const said = () => turnsOf(element)[0]!.textContent.replace(/\s+/g, ' ');
  await until(() => /12.345 tokens read/.test(said()) && /Show all [^ ]+ lines/.test(said()));
  const missing = (...parts: string[]) => parts.filter((part) => !said().includes(part));
  const german = ['4,2 s', '1.501 lines', '12.345 tokens read', '1,5'];
  assert.deepEqual(missing(...german), [], said().slice(-200));
  element.lang = 'en';
  await until(() => said().includes('12,345 tokens read'));
  await until(() => /Show all [^ ]+ lines/.test(said()));
  assert.deepEqual(missing('4.2 s', '1,501 lines', '$1.5'), [], said().slice(-200));
  element.removeAttribute('lang');
  await until(() => said().includes('12.345 tokens read'));
  await until(() => /Show all [^ ]+ lines/.test(said()));
  assert.deepEqual(missing(...german), [], said().slice(-200));
});

it('a page that names no language as it should has the numbers of the browser', async () => {
  for (const lang of ['', 'de_DE']) {
    const around = place(document.createElement('div'));
    around.lang = lang;
    const {element} = await read([longWork], {height: '600px', parent: around});
    const ours = (4.2).toLocaleString();
    await until(() => turnsOf(element)[0]!.querySelector('[part=usage]'));
    assert.ok(
      turnsOf(element)[0]!
        .querySelector('[part="row usage"], [part=usage]')!
        .textContent.includes(`${ours} s`),
    );
  }
});
