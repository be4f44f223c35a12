/** The body of a tool: plain until the chunk that draws it well is here. It is loaded when the first tool is opened. */
import {html} from 'lit';
import type {ToolDetails} from '../anchor/index.js';
import {Lazy} from '../session/index.js';
import {loadMarkdown} from './load-markdown.js';
import type {RowView} from './rows.js';

// What is allowed in Markdown is allowed here: without the part that knows it, pictures from elsewhere are links.
const lazy = new Lazy(
  async () => (await Promise.all([import('./tool-body/tool-body.js'), loadMarkdown().catch(() => null)]))[0],
);

/** Loads it. A failure may be tried again. */
export function loadToolBody(): Promise<unknown> {
  return lazy.load();
}

export function lazyToolBody(
  tool: ToolDetails,
  {strings, controls, prose}: RowView,
  plain: () => unknown,
): unknown {
  const {loaded} = lazy;
  if (loaded)
    return html`<div class="body tool-body" part="tool-body" ${loaded.toolBody(tool, strings, prose)}></div>`;
  // Without it, the plain body stays.
  lazy.use(controls.changed);
  return plain();
}
