import {html} from 'lit';
import type {RunStart} from '../anchor/index.js';
import {SessionElement} from './session-element.js';
import {sessionStyles} from './styles.js';

/**
 * The connections of one session, shared by what stands inside it. Draws nothing of its own.
 *
 * @attr src - The stream of one run.
 * @attr history - The address of the settled session, loaded before the stream.
 * @attr base - The server. With `session-id` streams and history are found from it.
 * @attr session-id - The session at that server.
 * @attr wire - `auto` (default), `hermes-webui` or `hermes-runs`.
 * @prop headers - Request headers: an object, or a function asked again on every attempt.
 * @prop fetch - Used in place of the global one.
 * @prop credentials - As in `fetch`.
 * @prop snapshot - The transcript as `hermes.transcript.v1`; set one to show it.
 * @fires hermes-turn-started - A turn began, or was found running.
 * @fires hermes-turn-settled - A turn has ended; again with the next revision if its end or answer is found to be another.
 * @fires hermes-connection-changed - The connection is in another state, or the session has another problem.
 * @fires hermes-artifact-added - A turn wrote or changed a file.
 * @slot - Transcripts, turns and anything else; they find the session through context.
 */
export class HermesSession extends SessionElement {
  static override styles = sessionStyles;

  /** Creates the turn of a run that the server has just accepted, before its first frame. */
  begin(start: RunStart): void {
    if (this.shown) this.shown.begin(start);
    else void this.updateComplete.then(() => this.shown?.begin(start));
  }

  protected override get alwaysOwns() {
    return true;
  }

  protected override onSession(): void {
    // Nothing is drawn here.
  }

  protected override render() {
    return html`<slot></slot>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hermes-session': HermesSession;
  }
}
