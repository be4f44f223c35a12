/**
 * Draws formulas as MathML, by Temml: an example of what a page gives as `math`, and as `figure` for blocks of `math`.
 *
 * MathML needs no fonts of ours, is read out by screen readers, and Temml makes nodes, not markup: neither a Trusted
 * Types policy nor `'unsafe-inline'` is needed. What cannot be parsed rejects, and stays as it was written.
 */

/** Mathematical fonts that systems bring along; without one, fractions stick to their line and roots do not stretch. */
const fonts =
  "'Cambria Math', 'STIX Two Math', 'Latin Modern Math', 'Noto Sans Math', 'DejaVu Math TeX Gyre', math";

let ready;

/** Temml and its style sheet, loaded when the first formula is there. */
function load() {
  ready ??= Promise.all([import('/temml/temml.mjs'), loadSheet('/temml/Temml-Local.css')]).catch((cause) => {
    ready = undefined;
    throw cause;
  });
  return ready;
}

/**
 * The page's own sheets do not reach into a transcript. Text as a constructed sheet needs no `'unsafe-inline'`. Its one font,
 * of script letters, is left out: engines load none for a root, and a policy without `font-src` counts the attempt.
 */
async function loadSheet(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`);
  const rules = (await answer.text()).replace(/@font-face\s*\{[^}]*\}/g, '');
  return new window.CSSStyleSheet().replace(`${rules} math { font-family: ${fonts}; }`);
}

/** The formula in a root of its own, where only its own sheet holds; in a line, or by itself. */
export async function drawFormula(tex, display) {
  const [{default: temml}, sheet] = await load();
  const tree = temml.__renderToMathMLTree(tex, {displayMode: display, annotate: true, throwOnError: true});
  const box = document.createElement('div');
  const root = box.attachShadow({mode: 'open'});
  root.adoptedStyleSheets = [sheet];
  root.append(withoutStyleAttributes(tree).toNode());
  return box;
}

/**
 * Temml sets styles through the object model, which a strict policy allows, but for two rare cases (`\sideset`, `\pmb`) that
 * would become attributes, which it does not: they are moved to the others.
 */
function withoutStyleAttributes(node) {
  for (const declaration of node.attributes?.style?.split(';') ?? []) {
    const [name, value] = declaration.split(':');
    if (value) node.style[name.trim()] = value.trim();
  }
  delete node.attributes?.style;
  node.children?.forEach(withoutStyleAttributes);
  return node;
}
