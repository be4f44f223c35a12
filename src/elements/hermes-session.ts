import {html} from 'lit';
import type {RunStart} from '../anchor/index.js';
import {SessionElement} from './session-element.js';
import {sessionStyles} from './styles.js';

/**
 * The connections of one session, shared by what stands inside it. Draws nothing of its own.
 *
 * Attributes, properties and events that all elements share are described at `SessionElement`.
 *
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
