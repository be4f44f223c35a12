/** How the lines under a finished turn look; they stand in the roots that turn-styles.ts stands in. */
import {css} from 'lit';

const actionStyles = css`
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25em 0.5em;
    margin-inline-start: -0.4em;
    -webkit-user-select: none;
    user-select: none;
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
  /* It opens a menu, which stands below. */
  .bar .chevron {
    rotate: 135deg;
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
  .usage {
    display: flex;
    flex-wrap: wrap;
    column-gap: 1.25em;
    margin-block-start: 0.25em;
    font-size: 0.8em;
    font-variant-numeric: tabular-nums;
    color: var(--_muted);
  }
  @media (forced-colors: active) {
    .bar > button {
      border: 1px solid;
    }
  }
`;

/** The styles come with the chunk, into each root it draws in. */
export function dress(root: Node): void {
  // One that is drawn after it was removed stands in none.
  if (!(root instanceof ShadowRoot)) return;
  const sheet = actionStyles.styleSheet!;
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
