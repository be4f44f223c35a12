/** A control with what it asks, in full, and what can be done about it. Loaded when the first one is shown. */
import {html, nothing, type TemplateResult} from 'lit';
import type {ControlRow} from '../scene/index.js';
import {controlWords} from './control-words.js';
import {asking} from './control-styles.js';
import {remaining} from './elapsed.js';
import {icon, type IconName} from './icons.js';
import {answer, isOpen, lookAt, nowOf, statusOf, toolOf} from './question.js';
import {diffLines, line} from './row-parts.js';
import type {RowView} from './rows.js';
import {spoken} from './spoken.js';
import {visibly} from './visibly.js';
import {refused, refuseRepeat} from './wishes.js';

const wordsOf = ({strings}: RowView) => spoken(controlWords, strings);

export function controlRow(row: ControlRow, view: RowView): TemplateResult {
  const {control, text} = row;
  const {strings, controls} = view;
  const open = isOpen(controls, row);
  const {sent, refusal} = controls.stateOf(row.id);
  const command = control.type === 'permission';
  const [picture, words] = outcome(row, view);
  const isPending = statusOf(controls, control) === 'pending';
  return html`<div
    class="ask"
    ${asking(isPending)}
    role="group"
    tabindex="-1"
    aria-label=${`${strings.control[control.type]}: ${words}`}
  >
    ${line(icon(picture), strings.control[control.type], html`${timeLeft(row, view)}${words}`)}
    ${control.detail ? html`<p dir="auto">${visibly(control.detail)}</p>` : nothing}
    ${
      text.length > 0
        ? html`<pre dir=${command ? 'ltr' : 'auto'} tabindex="0" data-text>
${command ? visibly(text.toString()) : text.toString()}</pre>`
        : nothing
    }
    ${facts(row, view)}
    ${open ? choices(row, view, sent !== null) : html`${unsent(row, view)}${sent === null ? doubt(row, view) : nothing}`}
    ${sent !== null && isPending ? html`<p role="status">${wordsOf(view).sent}</p>` : nothing}
    ${refused(refusal)}
  </div>`;
}

/** What it is now, as a picture and in words: those of the choice where there was one. */
function outcome({control}: ControlRow, view: RowView): readonly [IconName, string] {
  const {controls} = view;
  const {type, options, choice} = control;
  const status = statusOf(controls, control);
  const option = options.find(({id}) => id === choice);
  const chosen = option?.label ?? choice;
  if (status !== 'answered' || !chosen)
    return [status === 'pending' ? 'ask' : 'stopped', wordsOf(view).controlStatus[status]];
  const refused = type === 'permission' && /^(reject|den[iy])/.test(option?.kind ?? chosen);
  return [refused ? 'error' : 'completed', wordsOf(view).answered(chosen)];
}

/** A clock for the reader, first, as a narrow line is cut at its end; when it stands still, the row is drawn as one that takes no answer. */
function timeLeft({control}: ControlRow, view: RowView) {
  const {controls} = view;
  const {expiresAt} = control;
  return statusOf(controls, control) === 'pending' && expiresAt !== null
    ? html`${remaining(() => expiresAt - nowOf(controls), wordsOf(view).expiresIn, controls.changed)} · `
    : nothing;
}

/**
 * What would be done beyond the command: the change in full, else the arguments. What the request does not say itself is
 * taken from the call while it is open. It stands open while it is asked, and is not folded under the reader.
 */
function facts(row: ControlRow, {strings, controls, isOpen}: RowView) {
  const {control, text} = row;
  const pending = control.status === 'pending';
  const call = pending ? toolOf(controls, row) : null;
  const diff = control.diff ?? call?.diff;
  const args = control.input ?? call?.args ?? {};
  const isSaid = Object.values(args).every((value) => value === text.toString());
  if (!diff && isSaid) return nothing;
  return html`<details ?open=${pending || isOpen(row)}>
    <summary>${diff ? strings.changes : strings.arguments}</summary>
    <pre dir="ltr" tabindex="0">${diff ? diffLines(diff) : visibly(JSON.stringify(args, null, 2))}</pre>
  </details>`;
}

function choices(row: ControlRow, view: RowView, isSent: boolean) {
  const {control} = row;
  const {armed} = view.controls.stateOf(row.id, true);
  return html`<div class="choices" ?inert=${!armed} @keydown=${refuseRepeat}>
    ${control.options.map(
      ({id, label, kind}) =>
        html`<button
          type="button"
          part="option"
          data-kind=${kind ?? nothing}
          ?disabled=${isSent}
          @click=${(event: Event) => choose(event, row, view, id)}
        >
          <bdi>${visibly(label)}</bdi>
        </button>`,
    )}
    ${control.type === 'clarify' ? ownWords(row, view, isSent) : nothing}
  </div>`;
}

function ownWords(row: ControlRow, view: RowView, isSent: boolean) {
  const {strings, controls} = view;
  return html`<label
      >${wordsOf(view).yourAnswer}
      <textarea
        part="answer-field"
        rows="1"
        dir="auto"
        ?disabled=${isSent}
        @input=${(event: Event) => controls.note(row.id, {draft: (event.target as HTMLTextAreaElement).value})}
        @compositionend=${composed}
        @keydown=${(event: KeyboardEvent) => isSending(event) && (event.preventDefault(), answerInWords(event, row, view))}
      ></textarea>
    </label>
    <button
      type="button"
      part="option"
      ?disabled=${isSent}
      @click=${(event: Event) => answerInWords(event, row, view)}
    >
      ${strings.send}
    </button>`;
}

/** What was typed when the question closed is not thrown away. */
function unsent(row: ControlRow, view: RowView) {
  const {draft, sent} = view.controls.stateOf(row.id);
  return draft && sent === null ? html`<p dir="auto">${wordsOf(view).unsent(draft)}</p>` : nothing;
}

/** Where the server has not said whether it waits for this: that it is asked, or why it could not be. */
function doubt(row: ControlRow, view: RowView) {
  const {strings, controls} = view;
  const look = lookAt(controls, row);
  if (!look) return nothing;
  if (look.phase === 'asking') return html`<p>${wordsOf(view).asking}</p>`;
  const again = ({currentTarget}: Event) => {
    focusRow(currentTarget as Element);
    controls.taker?.connect();
  };
  return html`<p role="status">${wordsOf(view).inDoubt(look.message)}</p>
    <div class="choices">
      <button type="button" part="retry-button" @click=${again}>${strings.tryAgain}</button>
    </div>`;
}

function answerInWords(event: Event, row: ControlRow, view: RowView) {
  const words = view.controls.stateOf(row.id).draft.trim();
  if (words) choose(event, row, view, words);
}

/** The pressed button is about to go; the row stays. */
function focusRow(button: Element) {
  button.closest<HTMLElement>('.ask')?.focus({preventScroll: true});
}

function choose(event: Event, row: ControlRow, {controls}: RowView, choice: string) {
  focusRow(event.currentTarget as Element);
  answer(controls, row, choice);
}

/** True for one task after a composition: Safari ends it before the Enter that confirmed it. */
let justComposed = false;

function composed() {
  justComposed = true;
  setTimeout(() => (justComposed = false));
}

/** Enter sends, but not the one that confirms a candidate of an input method. */
function isSending({key, shiftKey, isComposing, keyCode, repeat}: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !repeat && !isComposing && keyCode !== 229 && !justComposed;
}
