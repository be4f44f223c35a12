/** The built file (npm run build) under the strict policy: bodies of tools are drawn without a style or a script in markup. */
import type {} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {turn} from '../../unit/scene/turn-builder.js';

const E = '\x1b';
const worked = turn('t')
  .prompt('Go.')
  .tool(
    'bash',
    {command: 'x', n: 1},
    {output: `${E}[31mred${E}[0m ${E}[38;2;9;8;7mown`, diff: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'},
  )
  .answer('Done.')
  .build();

async function until<T>(find: () => T | null | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it('an opened tool is drawn and coloured, and nothing is violated', async () => {
  const frame = document.createElement('iframe');
  frame.width = '600';
  frame.src = '/__policy__/page?file=/dist/cdn/hermes-elements.js';
  document.body.append(frame);
  try {
    await new Promise((resolve) => frame.addEventListener('load', resolve, {once: true}));
    const page = frame.contentDocument!;
    const violations: string[] = [];
    page.addEventListener('securitypolicyviolation', ({violatedDirective, sample}) =>
      violations.push(`${violatedDirective} ${sample}`),
    );
    await until(() => frame.contentWindow!.customElements.get('hermes-turn'));
    const element = page.createElement('hermes-turn');
    element.anchor = worked;
    page.body.append(element);
    const press = async (id: string) =>
      (
        await until(() =>
          element.shadowRoot?.querySelector<HTMLElement>(
            `[data-item-id="${id}"]:not([hidden]) > [aria-expanded=false]`,
          ),
        )
      ).click();
    await press('worklog');
    const body = await until(() => element.shadowRoot!.querySelector<HTMLElement>('.tool-body'));
    const own = body.querySelector<HTMLElement>('.colour-own')!;
    assert.equal(own.style.getPropertyValue('--_colour'), '#090807');
    assert.equal(frame.contentWindow!.getComputedStyle(body).containerType, 'inline-size');
    assert.equal(body.querySelector<HTMLElement>('.change')!.style.getPropertyValue('--_rows'), '1');
    // What would be a violation is told in order: this one, which is ours, is the first.
    const probe = page.createElement('p');
    probe.setAttribute('style', 'color: red');
    page.body.append(probe);
    await until(() => violations.length > 0);
    assert.equal(violations.length, 1, violations.join());
  } finally {
    frame.remove();
  }
});
