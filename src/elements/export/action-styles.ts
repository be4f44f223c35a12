/** How the line of actions looks; it stands in the roots that turn-styles.ts stands in. */
import {css} from 'lit';

export const actionStyles = css`
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25em 0.5em;
    margin-inline-start: -0.4em;
  }
  .bar > button {
    margin: 0;
    color: var(--_muted);
    white-space: nowrap;
  }
  .bar > button:hover,
  .bar > [aria-expanded='true'] {
    color: inherit;
  }
  .icon.more {
    stroke-width: 2.2;
  }
  .icon.done {
    stroke: var(--_success);
  }
  .bar > [aria-expanded='true'] {
    background: var(--_soft);
  }
  .menu {
    position: fixed;
    inset: auto;
    margin: 0;
    padding: 0.3em;
    min-inline-size: 12em;
    max-inline-size: calc(100vw - 16px);
    max-block-size: calc(100vh - 16px);
    box-sizing: border-box;
    overflow: auto;
    z-index: 2;
    color: var(--hermes-color-text, CanvasText);
    background: var(--hermes-color-ground, Canvas);
    border: var(--_border) solid var(--_line);
    border-radius: calc(var(--_radius) / 1.5);
    box-shadow: 0 4px 16px #0003;
  }
  .menu button {
    inline-size: 100%;
    max-inline-size: none;
    margin: 0;
    padding: 0.4em 0.7em;
  }
  .menu button:focus {
    background: var(--_soft);
  }
  @media (forced-colors: active) {
    .bar > button {
      border: 1px solid;
    }
  }
`;
