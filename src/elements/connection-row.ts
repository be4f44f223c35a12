/** The line that says why nothing more comes, where that is so. */
import {html, nothing} from 'lit';
import type {Session} from '../session/index.js';
import {icon} from './icons.js';

export function connectionRow(session: Session | null) {
  const {problem, connection, transcript} = session ?? {};
  const known = transcript?.turns.at(-1)?.status === 'settled';
  const message = problem?.message ?? (known ? null : connection?.error?.message);
  return message
    ? html`<div class="row notice" part="status">
        <span class="line">${icon('ask')}<b>${message}</b></span>
      </div>`
    : nothing;
}
