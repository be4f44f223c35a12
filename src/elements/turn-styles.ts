/**
 * How it looks. Colours are mixed from the host's own text colour, so light and dark need no theme; a page changes
 * them with `--hermes-*`. Sheets are constructed: nothing here needs `style-src 'unsafe-inline'`.
 */
import {css} from 'lit';
import {loadingStyles} from './styles.js';

/** Everything inside a turn. Stands in the turn's root when it is alone, else is adopted by the transcript's. */
export const turnStyles = css`
  ${loadingStyles}
  :host {
    --_muted: var(--hermes-color-muted, color-mix(in srgb, currentColor 66%, transparent));
    --_line: var(--hermes-color-line, color-mix(in srgb, currentColor 16%, transparent));
    --_soft: var(--hermes-color-soft, color-mix(in srgb, currentColor 6%, transparent));
    --_accent: var(--hermes-color-accent, color-mix(in oklab, #3b6ef5 75%, currentColor));
    --_error: var(--hermes-color-error, color-mix(in oklab, #d92d20 68%, currentColor));
    --_success: var(--hermes-color-success, color-mix(in oklab, #12855a 70%, currentColor));
    --_warning: var(--hermes-color-warning, color-mix(in oklab, #b7791f 70%, currentColor));
    --_code: var(--hermes-color-code, var(--_soft));
    --_mono: var(--hermes-font-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace);
    --_radius: var(--hermes-radius, 0.75em);
    --_border: var(--hermes-border-width, 1px);
    display: block;
    font: inherit;
    font-family: var(--hermes-font, inherit);
    color: var(--hermes-color-text, inherit);
    line-height: var(--hermes-line-height, 1.6);
    text-align: start;
    /* Words and commands are shown as they were written, whatever the page does to its own. */
    text-transform: none;
    text-indent: 0;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  /* What the reader looks at is held by our own code, in every engine alike. */
  :host > * {
    overflow-anchor: none;
  }
  /* Whom the end is followed for, the browser takes along where it can: that ends no glide away from there. */
  .edge {
    overflow-anchor: auto;
    /* Some of it is in sight also where the end is missed by the part of a pixel that browsers round. */
    block-size: 4px;
    margin-block-start: -4px;
    pointer-events: none;
  }
  /* What has the focus is not under the button to the end. */
  :host :focus-visible {
    scroll-margin-block-end: 4em;
  }
  :host([hidden]),
  [hidden]:not([hidden='until-found']) {
    display: none !important;
  }
  /* Not laid out, and found by the reader's search. */
  [hidden='until-found'] {
    content-visibility: hidden;
    border: 0 !important;
    margin: 0 !important;
    padding: 0 !important;
  }
  .unseen {
    /* At the head of what contains it: a box that each new line moves has all that is drawn painted again. */
    position: absolute;
    inset-block-start: 0;
    inset-inline-start: 0;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
    -webkit-user-select: none;
    user-select: none;
  }
  /* A change in one group is not looked for in the others. */
  .group {
    contain: layout style;
  }
  @supports (overflow-clip-margin: 8px) {
    .group {
      contain: layout style paint;
      /* Room for the rings and grounds of buttons. */
      overflow-clip-margin: 10px;
    }
  }
  .rests {
    content-visibility: auto;
  }
  .row {
    padding-block: var(--hermes-space-row, 0.2em);
    font-size: var(--hermes-font-size-activity, 0.875em);
    line-height: 1.5;
  }
  p,
  pre,
  ul {
    margin: 0;
    padding: 0;
  }
  /* As it was written, until Markdown can be drawn. */
  .text {
    white-space: pre-wrap;
  }
  ul {
    list-style: none;
  }
  a {
    color: var(--_accent);
    text-underline-offset: 0.15em;
  }
  pre {
    font-family: var(--_mono);
    font-size: var(--hermes-font-size-code, 0.875em);
    line-height: 1.5;
    background: var(--_code);
    border-radius: calc(var(--_radius) / 1.5);
    padding: 0.75em 1em;
    white-space: pre-wrap;
    tab-size: 2;
    max-block-size: var(--hermes-output-max-height, 24em);
    overflow: auto;
    overscroll-behavior: contain;
  }
  pre[data-language]::before {
    content: attr(data-language);
    display: block;
    font-size: 0.85em;
    color: var(--_muted);
    margin-block-end: 0.4em;
  }
  code {
    font: inherit;
  }
  .answer pre,
  .prose pre {
    max-block-size: none;
  }

  .prompt {
    font-size: 1em;
    inline-size: fit-content;
    max-inline-size: min(100%, var(--hermes-prompt-max-width, 40em));
    box-sizing: border-box;
    margin-inline-start: auto;
    margin-block-end: 0.75em;
    padding: 0.6em 1em;
    color: var(--hermes-color-prompt-text, inherit);
    background: var(--hermes-color-prompt, var(--_soft));
    border-radius: var(--_radius);
    border-end-end-radius: 0.2em;
  }
  .prompt p {
    white-space: pre-wrap;
  }
  /* Prose may turn out to be the answer, and the answer to be prose: no line of it moves for that. */
  .answer,
  .prose {
    font-size: var(--hermes-font-size-answer, 1em);
    line-height: inherit;
    padding-block: 0.4em;
  }
  .prose {
    color: color-mix(in srgb, currentColor 86%, transparent);
  }

  [data-worklog]:not(.prose) {
    border-inline-start: var(--_border) solid var(--_line);
    margin-inline-start: 0.5em;
    padding-inline-start: var(--hermes-space-indent, 0.9em);
  }
  .tool[data-worklog] {
    padding-block: 0;
    padding-inline-start: calc(var(--hermes-space-indent, 0.9em) + 1.5em);
  }

  button {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    border-radius: 0.4em;
    padding: 0.15em 0.4em;
    margin: 0;
    margin-inline-start: -0.4em;
    display: flex;
    align-items: center;
    gap: 0.5em;
    max-inline-size: calc(100% + 0.4em);
    text-align: start;
    cursor: pointer;
  }
  button:has(.wide) {
    inline-size: calc(100% + 0.4em);
    box-sizing: border-box;
  }
  button:hover {
    background: var(--_soft);
  }
  :focus-visible {
    outline: 2px solid var(--hermes-color-focus, var(--_accent));
    outline-offset: 1px;
  }
  .line {
    display: flex;
    align-items: center;
    gap: 0.5em;
    min-inline-size: 0;
  }
  b {
    font-weight: 500;
    flex: none;
    max-inline-size: 100%;
  }
  .more,
  .end,
  small,
  summary,
  .reasoning .body,
  :is(.worklog-summary, .tool-group, .reasoning, .lifecycle, .notice, .side-effects, .status, .condition) b {
    color: var(--_muted);
  }
  .wide {
    flex: 1;
  }
  /* Its own width must not widen the host's grid: it takes what is left. */
  .more {
    flex: 1;
    inline-size: 0;
    text-align: -webkit-match-parent;
    text-align: match-parent;
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  /* A path is cut at its beginning. */
  .more:has(bdi) {
    direction: rtl;
  }
  .short {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
    white-space: pre-wrap;
    margin-inline-start: 1.75em;
    color: var(--_muted);
  }
  .short,
  :is(.tool, .status, .error, .tool-group) .more,
  .artifacts b {
    font-family: var(--_mono);
    font-size: 0.92em;
  }
  .end {
    flex: none;
    color: var(--_muted);
    white-space: nowrap;
    font-size: 0.9em;
    font-variant-numeric: tabular-nums;
  }
  svg.icon {
    flex: none;
    inline-size: 1em;
    block-size: 1em;
    fill: none;
    stroke: var(--_muted);
    stroke-width: 1.6;
  }
  /* Two sides of a box, turned; that of a row about the middle of its place. */
  .chevron,
  .completed {
    border: solid var(--_muted);
    border-width: 0.11em 0.11em 0 0;
  }
  .chevron {
    padding: 0.1em;
    margin: 0.4em 0.2em 0.3em;
    rotate: 45deg;
    transform-origin: 75% 25%;
  }
  /* Only for who opens and folds: in a long turn a movement has the browser look at the styles of all of it. */
  :is(:hover, :focus-visible) > .chevron {
    transition: rotate var(--hermes-motion, 0.15s);
  }
  :dir(rtl) .chevron {
    rotate: 225deg;
  }
  [aria-expanded='true'] .chevron {
    rotate: 135deg;
  }
  .icon.running,
  .icon.ask {
    stroke: var(--_accent);
  }
  .icon.running {
    animation: turn 0.9s linear infinite;
  }
  .icon.error {
    stroke: var(--_error);
  }
  .completed {
    padding: 0.1em 0.25em;
    margin: 0.3em 0.2em 0.4em;
    border-color: var(--_success);
    rotate: 135deg;
  }
  .body {
    padding-block: 0.25em 0.5em;
    padding-inline-start: 1.5em;
  }
  .add {
    color: var(--_success);
  }
  .remove {
    color: var(--_error);
  }
  small {
    display: block;
    margin-block: 0.5em 0.2em;
  }
  summary {
    margin-block: 0.5em 0.2em;
    cursor: pointer;
  }

  .control,
  .terminal {
    margin-block: 0.5em;
    padding: 0.6em 1em;
    border: var(--_border) solid var(--_line);
    border-inline-start: 3px solid var(--_warning);
    border-radius: 0.4em;
  }
  :is(.control, .terminal) :is(p, pre) {
    margin-block-start: 0.4em;
  }
  .control:not([data-status='pending']),
  .terminal {
    border-inline-start-color: var(--_line);
  }
  .terminal:not([data-status='cancelled'], [data-status='interrupted']) {
    border-inline-start-color: var(--_error);
  }
  [part='option'],
  [part='earlier-button'],
  [part='retry-button'],
  [part='stop-button'] {
    margin: 0;
    padding: 0.3em 0.9em;
    border: 1px solid var(--_line);
  }
  .mark {
    unicode-bidi: isolate;
  }
  .mark::before {
    content: attr(data-code);
    padding-inline: 0.3em;
    border: 1px solid var(--_error);
    border-radius: 0.3em;
  }
  .status {
    display: flex;
    align-items: center;
    gap: 0.75em;
  }
  .error b,
  .refusal {
    color: var(--_error);
  }
  .artifacts a {
    color: inherit;
    text-decoration: none;
  }
  .next {
    color: var(--_muted);
  }
  /* Its room is there before its buttons are. */
  .actions {
    font-size: 0.8em;
    min-block-size: 1.8em;
  }
  .artifacts a b {
    color: var(--_accent);
  }
  .artifacts a:hover b {
    text-decoration: underline;
  }
  .plan .running {
    animation: none;
  }
  .plan [data-status='completed'] b {
    color: var(--_muted);
    text-decoration: line-through;
  }
  :is(.plan, .tool-group, .artifacts, .notice, .terminal) b {
    flex: 0 1 auto;
  }
  .pulse {
    flex: none;
    inline-size: 0.5em;
    block-size: 0.5em;
    margin: 0.25em;
    border-radius: 50%;
    background: var(--_accent);
    animation: pulse 1.4s ease-in-out infinite;
  }
  /* A text that is being written moves by itself; on a computer that draws without its graphics card, a second movement costs a tenth more. */
  .still {
    animation: none;
  }
  .answer.transparent-stream,
  .prose.transparent-stream {
    padding-inline-start: 1em;
    border-inline-start: 3px solid transparent;
  }
  .answer.transparent-stream {
    border-color: var(--_accent);
  }
  /* Only as a transform does it leave the layers of the page alone. */
  @keyframes turn {
    to {
      transform: rotate(1turn);
    }
  }
  @keyframes pulse {
    50% {
      opacity: 0.25;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .icon,
    .pulse {
      animation: none !important;
      transition: none !important;
    }
  }
  @media (prefers-contrast: more) {
    :host {
      --_muted: currentColor;
      --_line: currentColor;
    }
    .prompt,
    pre {
      outline: 1px solid;
    }
    .mark::before {
      border-width: 2px;
    }
  }
  /* Colours of the system; what only a colour said is said by a line. */
  @media (forced-colors: active) {
    :host {
      --_muted: CanvasText;
      --_line: CanvasText;
      --_accent: LinkText;
      --_error: CanvasText;
      --_success: CanvasText;
      --_warning: CanvasText;
    }
    .prompt,
    pre {
      border: 1px solid;
    }
    .pulse {
      background: CanvasText;
      forced-color-adjust: none;
    }
    .add {
      text-decoration: underline;
    }
    .remove {
      text-decoration: line-through;
    }
    button:hover {
      outline: 1px solid;
    }
  }
  @media print {
    pre {
      max-block-size: none !important;
      overflow: visible;
    }
    /* Thousands of pictures take a third of the time. What only they say stays: what failed, what was asked, how far a plan is. */
    .icon:not(.error, .ask, .stopped, .plan *),
    .choices,
    .actions,
    .pulse,
    .unseen,
    [part='stop-button'] {
      display: none !important;
    }
    /* What clips, or stands by itself, is looked at again for every page: in a long transcript that took most of the time. A folded thought is open, too. */
    .more,
    .short,
    .reasoning .body {
      display: block !important;
      overflow: visible;
    }
    .more {
      white-space: normal;
    }
    details::details-content {
      content-visibility: visible;
    }
    .group {
      contain: none;
      content-visibility: visible;
    }
    .prompt,
    .control,
    .terminal {
      break-inside: avoid;
    }
    .prompt,
    .worklog-summary {
      break-after: avoid;
    }
    .answer a[href]::after {
      content: ' (' attr(href) ')';
    }
  }
`;
