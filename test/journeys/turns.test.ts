/** The page of ten turns: what is hard to show stands there, and what the page draws itself breaks no rule. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {inEachEngine} from './desk.js';

const settled = `document.querySelector('hermes-transcript').snapshot?.turns.filter(({status}) => status === 'settled').length === 10`;

/** What the page drew in place of code of a language: a root of its own each. */
const drawn = (language: string) =>
  `[...document.querySelector('hermes-transcript').shadowRoot
    .querySelectorAll('figure[data-language=${language}] .drawn > *')].map(({shadowRoot}) => shadowRoot)`;

/** What the formulas in the text say, once all are drawn. */
const isDrawn = `(() => {
  const boxes = [...document.querySelector('hermes-transcript').shadowRoot.querySelectorAll('.math')];
  const drawn = boxes.map((box) => box.querySelector('.formula > *')?.shadowRoot.querySelector('math'));
  return drawn.every(Boolean) && drawn.map((math) => math.getAttribute('display') ?? math.querySelector('annotation').textContent);
})()`;

inEachEngine((open) => {
  test('formulas are MathML, diagrams stand in frames that reach nothing, and no policy is violated', async (context) => {
    const desk = await open(context);
    const page = await desk.open('/turns.html');
    await page.waitForFunction(settled);
    await page.waitForFunction(
      `${drawn('math')}.filter((root) => root.querySelector('math mfrac')).length === 1`,
    );
    const formulas = await page.waitForFunction(isDrawn);
    const said = ['n', 'k', 'h(k)', 'k', 's', 'm', 'c', 'block', String.raw`s \in (0, 1)`];
    assert.deepEqual(await formulas.jsonValue(), [
      ...said,
      String.raw`\partial^2\,\mathbb{E}[t] / \partial k^2 > 0`,
    ]);
    await page.waitForFunction(
      `${drawn('flow')}.some((root) => root.querySelector('iframe')?.offsetHeight > 40)`,
    );
    assert.equal(await page.evaluate(`document.querySelector('#violations').dataset.count`), '0');
    desk.assertSilent();

    const frame = page.frames().find((each) => each.url().endsWith('/figures/flow-frame.html'))!;
    assert.equal(await frame.evaluate(`document.querySelectorAll('rect').length`), 4);
    assert.match(
      (await frame.evaluate(`document.querySelector('svg').getAttribute('aria-label')`)) as string,
      /^Page to Cache: key; Cache to Store: miss;/,
    );
    const reaches = (what: string) =>
      frame.evaluate(`Promise.resolve().then(() => ${what}).then(() => true, () => false)`);
    assert.equal(await reaches(`parent.document`), false, 'the page');
    assert.equal(await reaches(`fetch('/api/notes')`), false, 'the server');
    assert.equal(await reaches(`localStorage.length`), false, 'what is stored');
  });

  test('a diagram that cannot be drawn shows its source, with the reason', async (context) => {
    const desk = await open(context);
    const page = await desk.open('/turns.html');
    await page.waitForFunction(`${drawn('flow')}.at(-1)?.querySelector('p')`);
    assert.deepEqual(await page.evaluate(`${drawn('flow')}.at(-1).textContent.split('\\n')`), [
      'Line 2 is no flow. Write it as “a -> b” or “a -> b: what goes along”.Page -> Cache',
      'Cache => Store',
      '',
    ]);
  });
});
