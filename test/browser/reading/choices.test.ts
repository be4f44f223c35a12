/** What a page lets an agent's texts do may be said later: what stands there is drawn anew. */
import {turn} from '../../unit/scene/turn-builder.js';
import {loadToolBody} from '../../../src/elements/lazy-tool-body.js';
import type {HermesTranscript} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {drawn, press, read, row, until} from './page.js';

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = [
  `![A dot](data:image/png;base64,${picture})`,
  'So <kbd>Ctrl</kbd> it is.',
  '```toy\nlet x\n```',
  'The end.',
].join('\n\n');

const answerOf = (element: Element) =>
  row(element, 'answer') ?? element.shadowRoot!.querySelector<HTMLElement>('[data-type=answer]')!;
const answer = (element: Element) => answerOf(element).querySelector<HTMLElement>(':scope > .text')!;

const changes: Record<
  string,
  readonly [change: (element: HermesTranscript) => void, isSo: (text: Element) => unknown]
> = {
  images: [(element) => (element.images = 'none'), (text) => !text.querySelector('img')],
  html: [(element) => (element.html = 'sanitize'), (text) => text.querySelector('kbd')],
  highlight: [
    (element) => (element.highlight = () => Promise.resolve([[{kind: 'keyword', text: 'let'}, ' x']])),
    (text) => text.querySelector('[class*=keyword]'),
  ],
  figure: [
    (element) =>
      (element.figure = (language) =>
        language === 'toy' ? Promise.resolve(document.createElement('hr')) : null),
    (text) => text.querySelector('hr'),
  ],
  strings: [
    (element) => (element.strings = {prose: {copy: 'Kopieren'}}),
    (text) => /Kopieren/.test(text.innerHTML),
  ],
};

for (const [name, [change, isSo]] of Object.entries(changes)) {
  it(`\`${name}\` that comes later is heeded in what stands there, and in what grows`, async () => {
    const settled = turn('t').prompt('Go.').answer(text).build();
    const running = (more: string) => turn('t').prompt('Go.').answer(`${text}${more}`).running().build();
    for (const first of [settled, running('')]) {
      const {story, element} = await read([first]);
      element.highlight = null;
      await until(() => answer(element).querySelector('img'));
      assert.ok(!isSo(answer(element)), 'not before');
      if (first !== settled) {
        story.show(running(' It grows'));
        await drawn();
      }
      change(element);
      await until(() => isSo(answer(element)));
      if (first === settled) continue;
      story.show(running(' It grows on.'));
      await until(() => answer(element).innerText.includes('It grows on.'));
      assert.ok(isSo(answer(element)));
      assert.equal(answer(element).querySelectorAll('pre').length, 1, 'it stands there once');
    }
  });
}

it('a property that stays what it was leaves what stands there alone', async () => {
  const {element} = await read([turn('t').prompt('Go.').answer(text).build()]);
  await until(() => answer(element).querySelector('img'));
  const paragraph = answer(element).querySelector('p');
  element.images = '';
  await drawn();
  const asked = answer(element).querySelector('p');
  assert.equal(asked === paragraph, false);
  element.images = '';
  element.html = 'text';
  element.mode = 'transparent-stream';
  await drawn();
  assert.equal(answer(element).querySelector('p'), asked);
});

it('the body of a tool heeds them too', async () => {
  await loadToolBody();
  const worked = turn('t')
    .prompt('Go.')
    .tool('draw', {}, {output: 'x', content: [{type: 'image', uri: `${location.origin}/__none__.png`}]})
    .answer('Done.')
    .build();
  const {element} = await read([worked], {height: '500px'});
  press(element, 'worklog');
  await until(() => row(element, 'tool:c1').querySelector('.tool-body .show-picture'));
  element.images = 'none';
  await until(() => !row(element, 'tool:c1').querySelector('.tool-body .show-picture'));
  element.strings = {toolBody: {}, output: 'Ausgabe'};
  await until(() => row(element, 'tool:c1').querySelector('.tool-body')!.textContent.includes('Ausgabe'));
});
