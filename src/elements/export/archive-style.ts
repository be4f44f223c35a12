/** How an archived page looks, in the colours of the reader's system. */
export const archiveStyle = `
:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 46rem; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
hermes-transcript { display: block; }
h1 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 2rem; }
.answer h1, .answer h2, .answer h3 { font-size: 1.15rem; margin: 1.2em 0 0.4em; }
article { margin: 0 0 3rem; }
time { display: block; text-align: end; font-size: 0.8rem; opacity: 0.75; }
blockquote { margin: 0.75em 0; padding-inline-start: 1em; border-inline-start: 3px solid #8886; }
.prompt blockquote { margin: 0.25em 0 1em auto; padding: 0.6em 1em; width: fit-content; max-width: 40em; border: 0; border-radius: 0.75em; background: #8882; }
.prompt p { margin: 0; }
details { margin: 0.25em 0; }
summary { cursor: pointer; }
article > details { font-size: 0.9rem; }
article > details > ul { padding-inline-start: 1em; list-style: none; border-inline-start: 1px solid #8886; }
pre { margin: 0.5em 0; padding: 0.75em 1em; max-height: 30em; overflow: auto; white-space: pre-wrap; border-radius: 0.5em; background: #8882; font-size: 0.85rem; line-height: 1.5; }
code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.92em; }
pre code { font-size: inherit; }
/* The box stands in the place of the mark. */
li:has(> input, > p:first-child > input) { list-style: none; }
li > input:first-child, li > p:first-child > input:first-child { margin-inline: -1.5em 0.4em; vertical-align: -0.1em; }
img { max-width: 100%; height: auto; }
.of { margin: 0.75em 0 0; font-size: 0.85rem; opacity: 0.8; }
.files { font-size: 0.9rem; }
.terminal { padding: 0.6em 1em; border: 1px solid #8886; border-inline-start-width: 3px; border-radius: 0.4em; }
table { display: block; overflow: auto; border-collapse: collapse; }
th, td { padding: 0.3em 0.7em; border: 1px solid #8886; text-align: start; }
th[align=right], td[align=right] { text-align: right; }
th[align=center], td[align=center] { text-align: center; }
@media print {
  body { max-width: none; padding: 0; }
  pre { max-height: none; overflow: visible; }
  details::details-content { content-visibility: visible; }
  .prompt { break-after: avoid; }
}
`;
