/** The built script-tag files (npm run build) under the content security policy of the README. */
import * as assert from '../support/assert.js';

const esm = '/dist/cdn/hermes-elements.js';
const classic = '/dist/cdn/hermes-elements.iife.js';

describe('the script-tag files under a strict policy', () => {
  const cases = {
    'the ES file': [esm],
    'the classic file': [classic],
    'both in one page': [esm, classic],
    'two copies of the ES file': [esm, `${esm}?copy`],
    'two copies of the classic file': [classic, `${classic}?copy`],
  };
  for (const [name, files] of Object.entries(cases)) {
    it(`${name}: elements render and nothing is violated`, async () => {
      const page = await open(files);
      assert.deepEqual(page.violations, []);
      const element = page.document.querySelector('hermes-transcript');
      assert.ok(element?.shadowRoot, 'the element rendered');
      page.close();
    });
  }

  it('a policy that the page does not name is noticed, so the tests above can fail', async () => {
    const page = await open([classic], 'another');
    assert.ok(!('trustedTypes' in window) || page.violations.length > 0);
    page.close();
  });
});

async function open(files: readonly string[], policies = 'hermes-elements') {
  const frame = document.createElement('iframe');
  const query = new URLSearchParams([...files.map((file) => ['file', file]), ['policies', policies]]);
  frame.src = `/__strict__/?${query}`;
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, {once: true}));
  const page = frame.contentWindow as Window & {violations: string[]};
  // One task for what the elements do after their first update.
  await new Promise((resolve) => setTimeout(resolve));
  return {violations: page.violations, document: page.document, close: () => frame.remove()};
}
