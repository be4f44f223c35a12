/** How the composer and the runtime picker look: as the host's own controls would, in its font and colours. */
import {css} from 'lit';

/** What the parts of a panel share. */
export const panelStyles = css`
  :host {
    --_muted: var(--hermes-color-muted, color-mix(in srgb, currentColor 66%, transparent));
    --_line: var(--hermes-color-line, color-mix(in srgb, currentColor 22%, transparent));
    --_soft: var(--hermes-color-soft, color-mix(in srgb, currentColor 6%, transparent));
    --_accent: var(--hermes-color-accent, color-mix(in oklab, #3b6ef5 75%, currentColor));
    --_error: var(--hermes-color-error, color-mix(in oklab, #d92d20 68%, currentColor));
    display: block;
    font: inherit;
    font-family: var(--hermes-font, inherit);
    color: var(--hermes-color-text, inherit);
    line-height: 1.5;
    text-align: start;
    text-transform: none;
    text-indent: 0;
    white-space: normal;
  }
  :host([hidden]) {
    display: none !important;
  }
  button,
  select,
  textarea {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
  }
  button {
    background: none;
    border: 1px solid transparent;
    border-radius: 0.5em;
    padding: 0.15em 0.5em;
    cursor: pointer;
    flex: none;
  }
  button:hover:enabled {
    background: var(--_soft);
  }
  :is(button, select, textarea):disabled {
    opacity: 0.5;
    cursor: default;
  }
  :focus-visible {
    outline: 2px solid var(--hermes-color-focus, var(--_accent));
    outline-offset: 1px;
  }
  p,
  ol {
    margin: 0;
    padding: 0;
  }
  .icon {
    display: block;
    inline-size: 1em;
    block-size: 1em;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .refusal {
    color: var(--_error);
    font-size: 0.875em;
    margin-block-start: 0.4em;
    overflow-wrap: anywhere;
  }
  @media (prefers-contrast: more) {
    :host {
      --_muted: currentColor;
      --_line: currentColor;
    }
  }
  @media (forced-colors: active) {
    :host {
      --_muted: CanvasText;
      --_line: ButtonBorder;
      --_accent: Highlight;
      --_error: CanvasText;
    }
    button {
      border-color: ButtonBorder;
    }
  }
  @media print {
    :host {
      display: none;
    }
  }
`;

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
    [part='send-button']:enabled {
      background: var(--_accent);
      color: var(--hermes-color-on-accent, Canvas);
    }
    [part='stop-button'] {
      border-color: var(--_line);
    }
    [part='stop-button'] .icon {
      fill: currentColor;
    }
    .waiting {
      font-size: 0.875em;
      margin-block-end: 0.5em;
    }
    .waiting p {
      color: var(--_muted);
    }
    .waiting p button {
      color: var(--_accent);
    }
    ol {
      list-style: none;
      max-block-size: 9em;
      overflow: auto;
    }
    li {
      display: flex;
      align-items: center;
      gap: 0.25em;
      border-inline-start: 2px solid var(--_line);
      padding-inline-start: 0.75em;
      margin-block: 0.25em;
    }
    li .text {
      flex: 1;
      min-inline-size: 0;
      overflow: hidden;
      white-space: nowrap;
      text-overflow: ellipsis;
    }
    @media (forced-colors: active) {
      [part='send-button']:enabled {
        background: ButtonText;
        color: ButtonFace;
      }
    }
  `,
];

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
      margin-block-start: 0.4em;
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
