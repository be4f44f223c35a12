/** The line that says why nothing more comes, where that is so, and asks again; or that the first of it is on its way. */
import {html, nothing} from 'lit';
import type {Session} from '../session/index.js';
import type {firstWords} from './first-words.js';
import {icon} from './icons.js';

export function connectionRow(session: Session | null, {loading, tryAgain}: typeof firstWords) {
  const {problem, connection, transcript, isLoading} = session ?? {};
  const last = transcript?.turns.at(-1);
  const message = (problem ?? (last?.status === 'settled' ? null : connection?.error))?.message;
  if (!message) return isLoading && !last ? html`<p class="loading" part="status">${loading}</p>` : nothing;
  // What cannot be read will not be read the next time.
  const helps = problem ? /^(history|script)$/.test(problem.code) : connection?.phase !== 'open';
  return html`<div class="row notice" part="status">
    <span class="line">${icon('ask')}<b>${isLoading ? loading : message}</b></span>
    ${
      helps
        ? html`<button type="button" part="retry-button" @click=${() => session!.connect()}>
            ${tryAgain}
          </button>`
        : nothing
    }
  </div>`;
}
