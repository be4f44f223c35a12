import {html, LitElement} from 'lit';

/** A session's turns, one after the other. */
export class HermesTranscript extends LitElement {
  protected override render() {
    return html`<slot></slot>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hermes-transcript': HermesTranscript;
  }
}
