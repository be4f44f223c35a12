/** A host with a Lit of its own. */
/* global customElements, document */
import {LitElement, html} from 'lit';

customElements.define(
  'host-card',
  class extends LitElement {
    render() {
      return html`<b>${'The host draws.'}</b>`;
    }
  },
);
const card = document.createElement('host-card');
document.body.append(card);
card.updateComplete.then(() => {
  document.title = card.shadowRoot.textContent.trim();
});
