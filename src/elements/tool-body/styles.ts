/** How the body of a tool looks. Adopted by the root it stands in when the chunk that draws it is loaded. */
import {css} from 'lit';

export const toolBodyStyles = css`
  /* Of a middle lightness: mixed with the text's colour they can be read on any ground. */
  .tool-body {
    container-type: inline-size;
    --_red: var(--hermes-color-terminal-red, #d13c36);
    --_green: var(--hermes-color-terminal-green, #1c8a4a);
    --_yellow: var(--hermes-color-terminal-yellow, #a87400);
    --_blue: var(--hermes-color-terminal-blue, #2f74e0);
    --_magenta: var(--hermes-color-terminal-magenta, #a64ac9);
    --_cyan: var(--hermes-color-terminal-cyan, #0c8599);
  }
  .section {
    margin-block-end: 0.75em;
  }
  .head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    min-block-size: 1.75em;
    -webkit-user-select: none;
    user-select: none;
  }
  .head small {
    margin: 0;
  }
  /* The answer has copy buttons and notes of its own in the same root. */
  .head > .copy {
    flex: none;
    color: var(--_muted);
    font-size: 0.9em;
  }
  .head > .copy::before {
    content: '';
    inline-size: 0.75em;
    block-size: 0.75em;
    border: 1px solid currentColor;
    border-radius: 0.15em;
    /* Another square behind it, of which only the edge is seen. */
    box-shadow:
      0.22em -0.22em 0 -1px var(--hermes-color-ground, Canvas),
      0.22em -0.22em 0 0 currentColor;
    margin-block-start: 0.25em;
  }
  .head > .copy[data-copied]::before {
    content: none;
  }
  .said:empty {
    display: none;
  }
  .tool-body pre {
    color: inherit;
  }
  .more-lines,
  .more-text,
  .unchanged {
    color: var(--_muted);
    font-size: 0.9em;
  }
  .more-text {
    display: inline;
    margin: 0;
    font-family: var(--hermes-font, sans-serif);
    text-decoration: underline;
  }
  .more-lines {
    margin-block-start: 0.25em;
  }
  .tool-body .section > pre + pre,
  .tool-body .section > pre + p,
  .tool-body .part + .part {
    margin-block-start: 0.5em;
  }

  .styled.bold {
    font-weight: 600;
  }
  .dim {
    color: var(--_muted);
  }
  .italic {
    font-style: italic;
  }
  .underline {
    text-decoration-line: underline;
  }
  .strike {
    text-decoration-line: line-through;
  }
  .underline.strike {
    text-decoration-line: underline line-through;
  }
  /* Black and white would be seen on one ground only: they are the text's colour; grey is the muted one. */
  .colour-8 {
    color: var(--_muted);
  }
  .ground-0,
  .ground-7,
  .ground-8,
  .ground-15 {
    --_ground: currentColor;
  }
  .colour-1,
  .colour-9 {
    --_colour: var(--_red);
  }
  .ground-1,
  .ground-9 {
    --_ground: var(--_red);
  }
  .colour-2,
  .colour-10 {
    --_colour: var(--_green);
  }
  .ground-2,
  .ground-10 {
    --_ground: var(--_green);
  }
  .colour-3,
  .colour-11 {
    --_colour: var(--_yellow);
  }
  .ground-3,
  .ground-11 {
    --_ground: var(--_yellow);
  }
  .colour-4,
  .colour-12 {
    --_colour: var(--_blue);
  }
  .ground-4,
  .ground-12 {
    --_ground: var(--_blue);
  }
  .colour-5,
  .colour-13 {
    --_colour: var(--_magenta);
  }
  .ground-5,
  .ground-13 {
    --_ground: var(--_magenta);
  }
  .colour-6,
  .colour-14 {
    --_colour: var(--_cyan);
  }
  .ground-6,
  .ground-14 {
    --_ground: var(--_cyan);
  }
  [class*='colour-']:not(.colour-0, .colour-7, .colour-8, .colour-15) {
    color: color-mix(in oklab, var(--_colour) var(--_mix, 72%), currentColor);
  }
  [class*='ground-'] {
    --_mix: 40%;
    background: color-mix(in oklab, var(--_ground) 24%, transparent);
  }
  .colour-own {
    --_mix: 30%;
  }
  /* Of the same middle lightness as the named ones, where the engine can say so. */
  @supports (color: oklch(from red l c h)) {
    .styled.colour-own {
      color: color-mix(
        in oklab,
        oklch(from var(--_colour) clamp(0.55, l, 0.68) c h) var(--_mix),
        currentColor
      );
      --_mix: 65%;
    }
  }
  .inverse {
    background: color-mix(in srgb, currentColor 18%, transparent);
  }

  .json-line {
    display: block;
    position: relative;
    padding-inline-start: 1.25em;
  }
  .json-line[data-folded] > .rest::after {
    content: attr(data-rest);
    color: var(--_muted);
  }
  .fold {
    position: absolute;
    inset-inline-start: -0.25em;
    inset-block-start: 0;
    margin: 0;
    padding: 0;
    inline-size: 1.5em;
    block-size: 1.5em;
    justify-content: center;
    color: var(--_muted);
  }
  .fold::before {
    content: '▸';
    content: '▸' / '';
    line-height: 1;
  }
  .fold[aria-expanded='true']::before {
    rotate: 90deg;
  }
  .key {
    color: var(--_accent);
  }
  .json .string {
    color: color-mix(in oklab, var(--_green) 55%, currentColor);
  }
  .json .number,
  .json .word {
    color: color-mix(in oklab, var(--_magenta) 60%, currentColor);
  }

  .diff {
    font-family: var(--_mono);
    font-size: var(--hermes-font-size-code, 0.875em);
    line-height: 1.5;
    background: var(--_code);
    border-radius: calc(var(--_radius) / 1.5);
    padding-block: 0.5em;
    max-block-size: var(--hermes-output-max-height, 24em);
    overflow: auto;
    overscroll-behavior: contain;
    tab-size: 2;
  }
  .tool-body .diff .file,
  .hunk,
  .diff .note {
    padding-inline: 1em;
    white-space: pre-wrap;
    color: var(--_muted);
  }
  .tool-body .diff .file {
    color: inherit;
    font-weight: 600;
    padding-block-end: 0.25em;
  }
  .tool-body .diff .file small {
    display: inline;
    font-weight: 400;
  }
  .tool-body .diff .file:not(:first-child),
  .hunk:not(:first-child, .file + .hunk) {
    margin-block-start: 0.5em;
    padding-block-start: 0.25em;
    border-block-start: var(--_border) solid var(--_line);
  }
  .diff-line {
    display: grid;
    grid-template-columns: minmax(2.2em, max-content) minmax(2.2em, max-content) 1.5em minmax(0, 1fr);
  }
  .diff-line::before,
  .diff-line::after {
    content: attr(data-before);
    grid-row: 1;
    inline-size: 3.2em;
    padding-inline: 0.3em;
    box-sizing: border-box;
    text-align: end;
    color: var(--_muted);
    font-size: 0.85em;
    line-height: calc(1.5 / 0.85);
    font-variant-numeric: tabular-nums;
  }
  .diff-line::after {
    content: attr(data-after);
    grid-column: 2;
  }
  .sign {
    grid-column: 3;
    grid-row: 1;
    white-space: pre;
    text-align: center;
    font-weight: 600;
  }
  .content {
    grid-column: 4;
    grid-row: 1;
    white-space: pre-wrap;
    min-block-size: 1.5em;
    padding-inline-end: 1em;
  }
  .diff-line.add,
  .diff-line.remove {
    color: inherit;
  }
  .diff-line.add {
    background: color-mix(in srgb, var(--_success) 12%, transparent);
  }
  .diff-line.remove {
    background: color-mix(in srgb, var(--_error) 11%, transparent);
  }
  .add .sign {
    color: var(--_success);
  }
  .remove .sign {
    color: var(--_error);
  }
  .diff ins,
  .diff del {
    text-decoration: none;
    border-radius: 0.2em;
    background: color-mix(in srgb, var(--_success) 30%, transparent);
    box-shadow: 0 2px 0 -0.5px var(--_success);
  }
  .diff del {
    background: color-mix(in srgb, var(--_error) 26%, transparent);
    box-shadow: 0 2px 0 -0.5px var(--_error);
  }
  .unchanged {
    margin: 0.15em 0;
    padding-inline: 1em;
    inline-size: 100%;
    max-inline-size: none;
    border-radius: 0;
    background: var(--_soft);
    font-family: var(--hermes-font, inherit);
  }
  .unchanged::before {
    content: '⋯';
  }
  /* One number is enough where there is little room: the old one of what went, the new one of what is there. */
  @container (inline-size < 26em) {
    .diff-line {
      grid-template-columns: 2.6em 1.2em minmax(0, 1fr);
    }
    .diff-line::before,
    .diff-line::after {
      inline-size: 2.8em;
      grid-column: 1;
    }
    .same::before,
    .add::before,
    .remove::after {
      content: none;
    }
    .sign {
      grid-column: 2;
    }
    .content {
      grid-column: 3;
    }
  }
  @container (inline-size >= 44em) {
    .change {
      display: grid;
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
      grid-template-rows: repeat(var(--_rows), auto);
    }
    .side {
      display: grid;
      grid-row: 1 / span var(--_rows);
      grid-template-rows: subgrid;
    }
    .change .diff-line {
      grid-template-columns: 3.2em 1.5em minmax(0, 1fr);
    }
    .change .sign {
      grid-column: 2;
    }
    .change .content {
      grid-column: 3;
    }
    .diff {
      background:
        linear-gradient(var(--_line), var(--_line)) 50% / var(--_border) 100% no-repeat,
        var(--_code);
    }
    .diff-line.same {
      grid-template-columns: 3.2em 1.5em minmax(0, 1fr) 3.2em 1.5em minmax(0, 1fr);
    }
    .same .sign {
      grid-column: 2;
    }
    .same .content {
      grid-column: 3;
    }
    .same::after {
      grid-column: 4;
    }
    /* The same line beside itself, for the eye alone. */
    .same .beside {
      grid-column: 6;
      grid-row: 1;
      white-space: pre-wrap;
      padding-inline-end: 1em;
    }
    .same .beside::after {
      content: attr(data-text);
      content: attr(data-text) / '';
    }
    .remove::after,
    .add::before {
      content: none !important;
    }
    .add::after {
      grid-column: 1;
    }
  }

  .tool-body img {
    display: block;
    max-inline-size: 100%;
    max-block-size: var(--hermes-output-max-height, 24em);
    border-radius: calc(var(--_radius) / 1.5);
  }
  .no-picture {
    color: var(--_muted);
  }
  .tool-body .part > p {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .tool-body .show-picture {
    margin: 0.25em 0 0;
    color: var(--_accent);
    border: var(--_border) dashed var(--_line);
  }
  .address small {
    display: inline;
    margin-inline-start: 0.75em;
    color: var(--_muted);
  }
  @media (forced-colors: active) {
    .diff ins {
      text-decoration: underline;
    }
    .diff del {
      text-decoration: line-through;
    }
    .diff-line.add,
    .diff-line.remove {
      text-decoration: none;
    }
    .diff {
      border: 1px solid;
    }
    .inverse,
    [class*='ground-'] {
      outline: 1px solid;
    }
  }
  @media print {
    .diff {
      max-block-size: none !important;
      overflow: visible;
    }
    .head > .copy,
    .fold {
      display: none;
    }
  }
`;
