/** How the composer looks. */
import {css} from 'lit';
import {panelStyles} from './panel-styles.js';

export const composerStyles = [
  panelStyles,
  css`
    .box {
      border: 1px solid var(--_line);
      border-radius: var(--hermes-radius, 0.75em);
      background: var(--hermes-color-ground, Field);
      color: var(--hermes-color-text, FieldText);
      padding: 0.5em;
      cursor: text;
    }
    .box:focus-within {
      border-color: var(--hermes-color-focus, var(--_accent));
      box-shadow: 0 0 0 1px var(--hermes-color-focus, var(--_accent));
    }
    /* In line with the text; takes no room while nothing is in it. */
    slot[name='attachments'] {
      display: flex;
      flex-wrap: wrap;
      gap: 0.4em;
      padding-inline: 0.4em;
      overflow-wrap: anywhere;
    }
    textarea {
      display: block;
      box-sizing: border-box;
      inline-size: 100%;
      margin: 0;
      padding: 0.25em 0.4em;
      border: 0;
      background: none;
      resize: none;
      field-sizing: content;
      min-block-size: 2lh;
      max-block-size: var(--hermes-composer-max-height, 12em);
      overflow: auto;
      overflow-wrap: anywhere;
    }
    textarea:focus-visible {
      outline: none;
    }
    textarea::placeholder {
      color: var(--_muted);
      opacity: 1;
    }
    .buttons {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.4em;
    }
    .gap {
      flex: 1;
    }
    [part='send-button'],
    [part='stop-button'] {
      display: grid;
      place-items: center;
      inline-size: 2em;
      block-size: 2em;
      padding: 0;
      border-radius: 50%;
    }
    /* Also under the pointer. */
    button[part='send-button']:enabled {
      background: var(--_accent);
    }
    /* Not of the button: the accent is mixed with the colour of what it stands on. */
    [part='send-button']:enabled .icon {
      color: var(--hermes-color-on-accent, Canvas);
    }
    [part='stop-button'] {
      border-color: var(--_line);
    }
    [part='stop-button'] .icon {
      fill: currentColor;
    }
    [part='stop-button'].worded {
      grid-auto-flow: column;
      gap: 0.4em;
      inline-size: auto;
      padding-inline: 0.6em;
      border-radius: 1em;
      font-size: 0.875em;
      block-size: calc(2em / 0.875);
    }
    [aria-disabled='true'] {
      color: var(--_muted);
      cursor: default;
    }
    button[aria-disabled='true']:hover {
      background: none;
    }
    .waiting {
      font-size: 0.875em;
      margin-block-end: 0.5em;
    }
    .waiting > p,
    .from,
    .what > [role='status'] {
      color: var(--_muted);
    }
    .waiting > p button,
    [part='sending'] button {
      color: var(--_accent);
    }
    ol {
      list-style: none;
      max-block-size: 9em;
      overflow: auto;
    }
    .entry {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      justify-content: end;
      gap: 0.25em;
      border-inline-start: 2px solid var(--_line);
      padding-inline-start: 0.75em;
      margin-block: 0.25em;
    }
    [part='sending'] {
      border-inline-start-color: var(--_accent);
      margin-block-end: 0.5em;
    }
    .can {
      display: flex;
      gap: inherit;
    }
    .entry button {
      min-inline-size: 24px;
      min-block-size: 24px;
    }
    .entry button > .icon {
      margin-inline: auto;
    }
    /* Where it would have less, what can be done stands below it. */
    .what {
      flex: 1 1 min(14em, 100%);
      min-inline-size: 0;
    }
    .what .refusal {
      font-size: inherit;
      margin: 0;
    }
    .text {
      overflow: hidden;
      white-space: nowrap;
      text-overflow: ellipsis;
    }
    @media (forced-colors: active) {
      button[part='send-button']:enabled {
        background: ButtonText;
      }
      [part='send-button']:enabled .icon {
        color: ButtonFace;
      }
    }
  `,
];
