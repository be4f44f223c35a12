/**
 * What is asked of the reader. Until the chunk is here that draws it in full, the row says what it asks, and takes no answer;
 * it is loaded when the first one is shown.
 */
import {html, nothing, type TemplateResult} from 'lit';
import type {ControlRow} from '../scene/index.js';
import {Lazy} from '../session/index.js';
import {icon} from './icons.js';
import {line} from './row-parts.js';
import type {RowView} from './rows.js';
import {sentenceOf} from './sentence.js';
import {refused} from './wishes.js';

const lazy = new Lazy(async () => (await import('./control-row.js')).controlRow);

/** Why it did not load, until the reader wants another try. */
let failure: string | null = null;

/** Loads it. A failure may be tried again. */
export function loadControlRow(): Promise<unknown> {
  return lazy.load();
}

export function lazyControlRow(row: ControlRow, view: RowView): TemplateResult {
  if (lazy.loaded) return lazy.loaded(row, view);
  const {control, text} = row;
  const {strings, controls} = view;
  const fail = (cause: unknown) => {
    failure = sentenceOf(cause);
    controls.changed();
  };
  const again = () => {
    failure = null;
    controls.changed();
  };
  if (failure === null) lazy.load().then(controls.changed, fail);
  return html`<div class="ask">
    ${line(icon('ask'), strings.control[control.type])}
    <pre data-text>${text.toString()}</pre>
    ${
      failure === null
        ? nothing
        : html`${refused(failure)}
            <div>
              <button type="button" part="retry-button" @click=${again}>${strings.tryAgain}</button>
            </div>`
    }
  </div>`;
}
