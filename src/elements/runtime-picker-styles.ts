/** How the runtime picker looks. */
import {css} from 'lit';
import {panelStyles} from './panel-styles.js';

export const runtimePickerStyles = [
  panelStyles,
  css`
    :host {
      font-size: 0.875em;
    }
    .choices {
      display: flex;
      flex-wrap: wrap;
      gap: 0.4em 0.75em;
    }
    label {
      display: flex;
      align-items: center;
      gap: 0.4em;
      min-inline-size: 0;
      color: var(--_muted);
    }
    select {
      /* As wide as what is chosen, where the browser knows how: a missing runtime has a long name. */
      field-sizing: content;
      max-inline-size: 14em;
      min-inline-size: 0;
      color: var(--hermes-color-text, FieldText);
      background: var(--hermes-color-ground, Field);
      border: 1px solid var(--_line);
      border-radius: 0.5em;
      padding: 0.2em 0.4em;
    }
    .note,
    details {
      color: var(--_muted);
    }
    .note {
      margin-block-start: 0.4em;
    }
    /* Beside the choices while it is closed, below them when it is open. */
    details {
      padding-block: 0.2em;
    }
    details[open] {
      flex-basis: 100%;
    }
    summary {
      cursor: pointer;
    }
    ul {
      margin: 0.25em 0 0;
      padding-inline-start: 1.25em;
    }
    li {
      overflow-wrap: anywhere;
    }
    b {
      font-weight: 500;
    }
  `,
];
