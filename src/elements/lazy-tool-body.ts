/** The body of a tool: plain until the chunk that draws it well is here. It is loaded when the first tool is opened. */
import {html} from 'lit';
import type {ToolDetails} from '../anchor/index.js';
import type {RowView} from './rows.js';
import type {toolBody as Draw} from './tool-body/tool-body.js';

let draw: typeof Draw | undefined;
let loading: Promise<void> | undefined;

/** Loads it. A failure may be tried again. */
export function loadToolBody(): Promise<void> {
  return (loading ??= import('./tool-body/tool-body.js').then(
    (module) => void (draw = module.toolBody),
    (cause: unknown) => {
      loading = undefined;
      throw cause;
    },
  ));
}

export function lazyToolBody(tool: ToolDetails, {strings, controls}: RowView, plain: () => unknown): unknown {
  if (draw) return html`<div class="body tool-body" part="tool-body" ${draw(tool, strings)}></div>`;
  // Without it, the plain body stays.
  loadToolBody().then(controls.changed, () => undefined);
  return plain();
}
