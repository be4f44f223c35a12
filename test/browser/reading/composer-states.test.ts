import 'axe-core/axe.min.js';
import {sendMouse} from '@web/test-runner-commands';
import '../../../src/define.js';
import * as assert from '../../support/assert.js';
import {composerStates, mountComposerState} from './composer-states.js';
import {place} from './page.js';

declare const axe: {
  run(root: Element, options?: object): Promise<{violations: {id: string; nodes: {html: string}[]}[]}>;
};

for (const theme of ['light', 'dark'])
  describe(`a composer in the ${theme} theme`, () => {
    before(
      () =>
        (document.documentElement.style.cssText = `color-scheme: ${theme}; background: Canvas; color: CanvasText`),
    );
    after(() => (document.documentElement.style.cssText = ''));
    for (const name of Object.keys(composerStates))
      it(`${name} is accessible, and stays in its box`, async () => {
        const box = place(document.createElement('div'));
        box.style.inlineSize = '320px';
        const element = await mountComposerState(name, box);
        assert.ok(element.scrollWidth <= element.clientWidth + 1, `${element.scrollWidth} px wide`);
        const {violations} = await axe.run(box, {rules: {region: {enabled: false}}});
        assert.deepEqual(
          violations.map(({id, nodes}) => [id, nodes[0]?.html]),
          [],
        );
      });
    it('the arrow that sends can be seen, also under the pointer', async () => {
      const element = await mountComposerState('composer-written', place(document.createElement('div')));
      const button = element.shadowRoot!.querySelector('[part=send-button]')!;
      const contrast = () =>
        ratio(getComputedStyle(button).backgroundColor, getComputedStyle(button.firstElementChild!).stroke);
      assert.ok(contrast() >= 4.5, `${contrast()}`);
      const {x, y, width, height} = button.getBoundingClientRect();
      await sendMouse({type: 'move', position: [Math.round(x + width / 2), Math.round(y + height / 2)]});
      assert.ok(button.matches(':hover'));
      assert.ok(contrast() >= 4.5, `${contrast()} under the pointer`);
      await sendMouse({type: 'move', position: [0, 0]});
    });
  });

it('what waits can be read at the width of a phone: what can be done with it goes below', async () => {
  const box = place(document.createElement('div'));
  box.style.inlineSize = '320px';
  const {shadowRoot} = await mountComposerState('composer-queue', box);
  const entry = shadowRoot!.querySelectorAll('[part=queued]')[1]!;
  const text = entry.querySelector('.text')!.getBoundingClientRect();
  const buttons = [...entry.querySelectorAll('button')].map((button) => button.getBoundingClientRect());
  assert.ok(text.width > 220, `${text.width} px`);
  assert.ok(buttons.every(({top}) => top >= text.bottom));
  assert.ok(buttons.at(-1)!.top < buttons[0]!.bottom, 'all in one line');
  box.style.inlineSize = '700px';
  assert.ok(entry.getBoundingClientRect().height < 40, 'in one line where there is room');
});

/** The contrast of two colours, as WCAG counts it. */
function ratio(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(colour: string): number {
  const context = document.createElement('canvas').getContext('2d')!;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((value) =>
    value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
