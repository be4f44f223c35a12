/** The built classic file (npm run build): what it loads from the folder beside it works with the copy that loaded it. */
import type {HermesTranscript} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {turn} from '../../unit/scene/turn-builder.js';

const classic = '/dist/cdn/hermes-elements.iife.js';

const worked = turn('t').prompt('Go.').tool('bash', {command: 'ls', n: 1}).answer('**Done.**').build();

async function until<T>(find: () => T | null | undefined | false): Promise<T> {
  for (;;) {
    const found = find();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

for (const [name, files] of Object.entries({
  'one copy': [classic],
  'two copies': [classic, `copy:${classic}`],
})) {
  it(`${name}: tools open, and what is shown is taken along`, async () => {
    const frame = document.createElement('iframe');
    frame.width = '600';
    frame.src = `/__policy__/page?${new URLSearchParams(files.map((file) => ['file', file]))}`;
    document.body.append(frame);
    try {
      await new Promise((resolve) => frame.addEventListener('load', resolve, {once: true}));
      const page = frame.contentDocument!;
      const {HermesElements} = frame.contentWindow as unknown as {HermesElements: {Session: unknown}};
      assert.equal(typeof HermesElements.Session, 'function', 'what it exports is at hand');
      const transcript: HermesTranscript = await until(() => page.querySelector('hermes-transcript'));
      await until(() => transcript.toMarkdown().includes('Done'));
      const html = await transcript.toHtml();
      assert.ok(html.includes('<code class="language-js">') || html.includes('const a = 1;'), html);
      const element = page.createElement('hermes-turn');
      element.anchor = worked;
      page.body.append(element);
      const body = await until(() => {
        const root = element.shadowRoot;
        root?.querySelector<HTMLElement>('[data-item-id]:not([hidden]) > [aria-expanded=false]')?.click();
        return root?.querySelector('.tool-body');
      });
      assert.ok(body.textContent.includes('ls'), body.textContent);
      await until(() => element.shadowRoot!.querySelector('.actions button'));
    } finally {
      frame.remove();
    }
  });
}
