/** What the parts of a panel share: they look as the host's own controls would, in its font and colours. */
import {css} from 'lit';

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
