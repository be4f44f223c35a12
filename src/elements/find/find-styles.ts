/** How the find bar and what it found look; it stands in the root of a transcript, beside turn-styles.ts. */
import {css} from 'lit';

export const findStyles = css`
  .find {
    position: fixed;
    inset: auto;
    margin: 0;
    padding: 0.3em;
    box-sizing: border-box;
    inline-size: 24em;
    overflow: visible;
    z-index: 2;
    font-size: 0.875em;
    line-height: 1.5;
    color: var(--hermes-color-text, CanvasText);
    background: var(--hermes-color-ground, Canvas);
    border: var(--_border) solid var(--_line);
    border-radius: calc(var(--_radius) / 1.5);
    box-shadow: 0 4px 16px #0003;
  }
  .find:focus {
    outline: none;
  }
  .find > div {
    display: flex;
    align-items: center;
    gap: 0.15em;
  }
  .find input {
    flex: 1 1 4em;
    min-inline-size: 0;
    margin: 0;
    padding: 0.25em 0.5em;
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    border-radius: 0.4em;
  }
  .find input::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .find input:focus-visible {
    outline: 2px solid var(--hermes-color-focus, var(--_accent));
    outline-offset: -1px;
  }
  .find [role='status'] {
    flex: none;
    padding-inline: 0.5em;
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .find button {
    flex: none;
    display: grid;
    place-items: center;
    margin: 0;
    padding: 0;
    inline-size: 2em;
    block-size: 2em;
    color: var(--_muted);
  }
  .find .icon {
    stroke: currentColor;
  }
  .find button:hover:enabled {
    color: inherit;
  }
  .find button:disabled {
    opacity: 0.4;
    cursor: default;
  }
  @media (pointer: coarse) {
    .find button {
      inline-size: 2.75em;
      block-size: 2.75em;
    }
  }
  /* Not of the page's colours: what is found is to be seen in all of them. */
  ::highlight(hermes-find) {
    background-color: #ffd54a80;
  }
  ::highlight(hermes-find-current) {
    background-color: #ff9f2e;
    color: #000;
  }
  @media (forced-colors: active) {
    ::highlight(hermes-find) {
      background-color: Mark;
      color: MarkText;
    }
    ::highlight(hermes-find-current) {
      background-color: Highlight;
      color: HighlightText;
    }
    .find button {
      border: 1px solid;
    }
  }
  @media print {
    .find {
      display: none;
    }
  }
`;
