/** A piece of drawn text as a reader sees it: where the layout makes spaces of line ends, so does this. */
export function asSeen(node: Text, text: string): string {
  const around = node.parentElement?.closest('pre, .tex, .html, .blocks, .text, [data-text], .short, .diff');
  if (around && !around.matches('.blocks')) return text;
  const seen = text.replace(/[ \t\n\r]+/g, ' ');
  return node.previousSibling instanceof HTMLBRElement ? seen.trimStart() : seen;
}
