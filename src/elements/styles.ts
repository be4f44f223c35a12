/** How a transcript and a session stand in the page. What is inside a turn is styled by turn-styles.ts, which comes with it. */
import {css} from 'lit';

/** Where nothing is shown yet; said only of what does not come at once. */
export const loadingStyles = css`
  .loading {
    color: var(--hermes-color-muted, GrayText);
    animation: late 0.6s step-end;
  }
  @keyframes late {
    from {
      visibility: hidden;
    }
  }
`;

export const transcriptStyles = css`
  ${loadingStyles}
  :host {
    display: block;
    overflow: auto;
    /* What is only heard stands where it is said, and lengthens no page. */
    position: relative;
  }
  :host(:focus-visible) {
    outline: 2px solid var(--hermes-color-focus, var(--_accent));
    outline-offset: -2px;
  }
  [part='turn'] {
    /* When it begins to rest it is contained; the style of nothing else is looked at if it has been so before. */
    contain: layout style;
    outline-offset: 0.4em;
    border-radius: 0.2em;
  }
  .turns,
  .turns > .group {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hermes-space-turn, 2em);
  }
  .turns {
    max-inline-size: var(--hermes-max-width, 48em);
    margin-inline: auto;
    /* Room for the rings and grounds of buttons. */
    padding-inline: 0.4em;
  }
  /* Takes no room: what stands at the end does not move when the button comes. */
  .foot {
    position: sticky;
    inset-block-end: 0;
    z-index: 1;
    block-size: 0;
    display: flex;
    justify-content: center;
    align-items: end;
  }
  [part~='follow-button'] {
    flex: none;
    margin: 0 0 0.75em;
    padding: 0.35em 0.9em;
    font-size: 0.875em;
    background: var(--hermes-color-ground, Canvas);
    color: var(--hermes-color-text, CanvasText);
    border: var(--_border) solid var(--_line);
    border-radius: 2em;
    box-shadow: 0 2px 8px #0002;
    white-space: nowrap;
  }
  [part~='follow-button']:hover {
    background: var(--hermes-color-ground, Canvas);
    border-color: currentColor;
  }
  @media print {
    :host {
      overflow: visible !important;
      block-size: auto !important;
      max-block-size: none !important;
    }
    .foot,
    .earlier {
      display: none;
    }
    .turns {
      max-inline-size: none;
    }
    /* What stands by itself is looked at again for every page. */
    [part='turn'] {
      contain: none;
    }
  }
`;

export const sessionStyles = css`
  :host {
    display: contents;
  }
`;
