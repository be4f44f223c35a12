/** How Markdown looks. Comes with what draws it, and is adopted by the root it is drawn in. */

const css = `
.blocks { white-space: normal; contain: layout paint; overflow-clip-margin: 8px; }
/* Space stands before what follows: a rule that asks what is last would be asked again at each block that is added. */
.text :is(p, h1, h2, h3, h4, h5, h6, ul, ol, blockquote, figure) { margin: 0; padding: 0; }
:is(.blocks, .text blockquote, .text li, .notes) > * + *, .blocks + .blocks > :first-child { margin-block-start: 0.75em; }
.text :is(h1, h2, h3, h4, h5, h6) { line-height: 1.3; font-weight: 650; }
.blocks > * + :is(h1, h2, h3, h4, h5, h6), .blocks + .blocks > :first-child:is(h1, h2, h3, h4, h5, h6) { margin-block-start: 1.25em; }
.blocks > :is(h1, h2, h3, h4, h5, h6) + * { margin-block-start: 0.5em; }
.text h1 { font-size: 1.45em; }
.text h2 { font-size: 1.25em; }
.text h3 { font-size: 1.1em; }
.text :is(h4, h5, h6) { font-size: 1em; }
.text h6 { color: var(--_muted); }
.text :is(ul, ol) { padding-inline-start: 1.6em; }
.text ul { list-style: disc; }
.text ul ul { list-style: circle; }
.text ol { list-style: decimal; padding-inline-start: 2em; }
.text :dir(ltr) > li:dir(rtl), .text :dir(rtl) > li:dir(ltr) { list-style-position: inside; }
.text li + li { margin-block-start: 0.25em; }
.text li > :is(ul, ol) { margin-block-start: 0.25em; }
.text li > p + * { margin-block-start: 0.75em; }
.text li.task { list-style: none; }
.text li.task input { font-size: inherit; margin-inline: -1.5em 0.4em; vertical-align: -0.1em; }
.text blockquote { padding-inline-start: 0.9em; border-inline-start: 3px solid var(--_line); color: var(--_muted); }
.text hr { border: 0; border-block-start: var(--_border) solid var(--_line); }
.blocks > * + hr, .blocks > hr + * { margin-block-start: 1.25em; }
.text code { font-family: var(--_mono); font-size: 0.9em; background: var(--_code); border-radius: 0.3em; padding: 0.1em 0.3em; unicode-bidi: isolate; }
.text .html { color: var(--_muted); font-family: var(--_mono); font-size: 0.9em; white-space: pre-wrap; }
.raw:empty { display: none; }
.text .raw :is(p, ul, ol, dl, figure, blockquote, details, table, h1, h2, h3, h4, h5, h6) + *, .text summary ~ *, .raw > * + :is(p, ul, ol, dl, figure, blockquote, details, table, h1, h2, h3, h4, h5, h6) { margin-block-start: 0.75em; }
.text kbd { font-family: var(--_mono); font-size: 0.85em; border: var(--_border) solid var(--_line); border-block-end-width: 2px; border-radius: 0.3em; padding: 0.05em 0.35em; background: var(--_soft); }
.text b { font-weight: 650; }
.text small { display: inline; margin: 0; font-size: 0.85em; }
.text :is(small, sub, sup, rt, kbd) :is(small, sub, sup, rt, kbd), .text table table, .text :is(h1, h2, h3, h4, h5, h6) :is(h1, h2, h3, h4, h5, h6) { font-size: inherit; }
.text :is(sub, sup) :is(sub, sup) :is(sub, sup) { vertical-align: baseline; }
.text mark { border-radius: 0.2em; }
.text :is(sub, sup) { line-height: 0; }
.text summary { cursor: pointer; font-size: inherit; color: inherit; }
.text .raw > table { display: block; overflow: auto; min-inline-size: 0; }
.text [align=center], .text center { text-align: center; }
.text [align=right] { text-align: right; }
.text del { color: var(--_muted); }
.text img[height] { max-block-size: 2000px; object-fit: contain; }
.text img { max-inline-size: 100%; block-size: auto; border-radius: calc(var(--_radius) / 2); }
.text a.back, .text a.note { text-decoration: none; }
.text .notes { border-block-start: var(--_border) solid var(--_line); padding-block-start: 0.75em; font-size: 0.9em; }
.text figure { border: var(--_border) solid var(--_line); border-radius: calc(var(--_radius) / 1.5); overflow: clip; }
.text figcaption { display: flex; align-items: center; gap: 0.25em; padding: 0.15em 0.4em 0.15em 0.9em; font-size: 0.75em; color: var(--_muted); background: var(--_soft); min-block-size: 2.2em; box-sizing: border-box; }
/* What stands around what is said is not selected with it. */
button, .text figcaption, .text .back { -webkit-user-select: none; user-select: none; }
.text figcaption .language { flex: 1; }
.text figure.table figcaption { justify-content: end; flex-wrap: wrap; padding-inline: 0.4em; gap: 0; }
.text figcaption button, .text button.image { font: inherit; color: inherit; background: none; border: 0; border-radius: 0.4em; padding: 0.3em 0.6em; cursor: pointer; min-block-size: 24px; }
/* Three in one line, also on a phone. */
.text figure.table figcaption button { padding-inline: 0.45em; }
.text figcaption button:hover { background: var(--_soft); color: var(--hermes-color-text, inherit); }
.text figcaption button[aria-pressed=true] { text-decoration: underline; }
.text button.image { display: inline-block; inline-size: auto; margin: 0; vertical-align: baseline; border: var(--_border) dashed var(--_line); color: var(--_accent); }
.text button.image small { display: inline; color: var(--_muted); }
.text figure pre { margin: 0; border-radius: 0; max-block-size: none; white-space: pre; overflow: auto; overflow-wrap: normal; background: var(--_code); outline-offset: -2px; }
.text figure.wrapped pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.text figure pre code { display: block; inline-size: max-content; min-inline-size: 100%; padding: 0; background: none; font-size: 1em; unicode-bidi: normal; }
.text figure.wrapped pre code { inline-size: auto; }
.code-lines { contain: layout paint; }
.hl-keyword, .hl-operator, .hl-literal, .hl-doctag { color: color-mix(in oklab, #b65cc8 70%, currentColor); }
.hl-string, .hl-regexp, .hl-addition, .hl-char { color: color-mix(in oklab, #3f9a4d 70%, currentColor); }
.hl-number, .hl-symbol, .hl-link, .hl-variable { color: color-mix(in oklab, #c9772b 70%, currentColor); }
.hl-title, .hl-section, .hl-name, .hl-selector { color: color-mix(in oklab, #4f80ea 70%, currentColor); }
.hl-attr, .hl-attribute, .hl-property, .hl-type, .hl-built_in { color: color-mix(in oklab, #2b98a0 70%, currentColor); }
.hl-comment, .hl-quote, .hl-meta { color: var(--_muted); }
.hl-comment { font-style: italic; }
.hl-deletion { color: var(--_error); }
.hl-emphasis { font-style: italic; }
.hl-strong { font-weight: 650; }
.text figure .drawn { padding: 0.75em 1em; overflow: auto; }
.text figure.is-drawn :is(pre, .wrap) { display: none; }
.text .math.display { display: block; }
.math.display > .tex { white-space: pre-wrap; }
/* What scrolls keeps its place on the line in a flex box alone. */
.math > .formula { display: inline-flex; max-inline-size: 100%; overflow: auto hidden; padding: 0.1em; margin: -0.1em; }
.math > .formula > * { flex: none; }
.math.display > .formula { display: block; margin: 0; padding: 0.4em 0; outline-offset: -2px; }
.math.is-drawn:not(.as-written) > .tex, .math.as-written > .formula { display: none; }
.text .scroll { overflow: auto; outline-offset: -2px; }
.text table { border-collapse: collapse; font-size: 0.95em; min-inline-size: 100%; overflow-wrap: normal; word-break: normal; }
.text :is(th, td) { padding: 0.4em 0.8em; text-align: -webkit-match-parent; text-align: match-parent; vertical-align: top; max-inline-size: 32em; }
.text [data-length=short] { white-space: nowrap; }
.text [data-length=middle] { min-inline-size: min(5em, 20vw); }
.text [data-length=long] { min-inline-size: min(10em, 33vw); }
.text [data-length=longer] { min-inline-size: min(14em, 50vw); }
/* One of four columns scrolls on a phone in any case: then its sentences need not stand high. */
@media screen and (max-width: 30em) {
.text td:is(:nth-last-child(n + 4), :nth-last-child(n + 4) ~ *)[data-length=middle] { min-inline-size: 28vw; }
.text td:is(:nth-last-child(n + 4), :nth-last-child(n + 4) ~ *)[data-length=long] { min-inline-size: 45vw; }
.text td:is(:nth-last-child(n + 4), :nth-last-child(n + 4) ~ *)[data-length=longer] { min-inline-size: 68vw; }
}
.text tr + tr > *, .text tbody tr > * { border-block-start: var(--_border) solid var(--_line); }
.text th { font-weight: 650; white-space: nowrap; }
.text [data-align=center] { text-align: center; }
.text [data-align=right] { text-align: right; font-variant-numeric: tabular-nums; }
.text table:dir(rtl) [data-align=right] { text-align: left; }
@media print { .text .scroll, .text figure, .text figure pre, .text figure .drawn, .text .raw > table { overflow: visible; } .text table { overflow-wrap: anywhere; } .text th, .text :is(th, td)[data-length] { white-space: normal; min-inline-size: 0; } .text figcaption button { display: none; } .text figure pre { white-space: pre-wrap; } .text figure pre code { inline-size: auto; } .blocks, .code-lines { contain: none; } }
@media (forced-colors: active) { .text figure, .text code { border: 1px solid CanvasText; } }
`;

let sheet: CSSStyleSheet | null = null;

/** Sees to it that the root an element stands in has the styles. */
export function adoptProse(element: Element): void {
  const root = element.getRootNode();
  if (!(root instanceof ShadowRoot)) return;
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
