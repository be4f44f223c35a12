/** Tags as elements, by DOMPurify: parsed in a document of their own, where nothing loads or runs. */
import createPurifier, {type Config} from 'dompurify';
import {MOST_SPANNED} from './spans.js';
import {ALLOWED, AROUND, ATTRIBUTES} from './tag-names.js';

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: {createHTML(html: string): string},
  ): NonNullable<Config['TRUSTED_TYPES_POLICY']>;
}

/** The policy that the script-tag files bring, shared with them; undefined in browsers that ask for none. */
function ourPolicy() {
  const page = globalThis as unknown as Record<symbol, ReturnType<TrustedTypes['createPolicy']>> & {
    trustedTypes?: TrustedTypes;
  };
  return (page[Symbol.for('hermes-elements.policy')] ??= page.trustedTypes?.createPolicy('hermes-elements', {
    createHTML: (html) => html,
  }) as never);
}

/** Throws where the page does not allow our policy. */
const config: Config = {
  // Never one of its own; null where nobody asks for one.
  TRUSTED_TYPES_POLICY: ourPolicy() ?? null,
  RETURN_DOM_FRAGMENT: true,
  ALLOWED_TAGS: [...ALLOWED],
  ALLOWED_ATTR: ATTRIBUTES,
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
};

// Not the one of the module: a page may have given that one hooks.
const purifier = createPurifier(window);

if (!purifier.isSupported) throw new Error('Raw HTML cannot be sanitized in this browser. It stays text.');

const sanitized = (html: string) => purifier.sanitize(html, config) as unknown as DocumentFragment;

/** Tags that were met, and what they became. */
const known = new Map<string, Element | null>();
const MOST_KNOWN = 500;
/** One that says more than this is an image that carries its own data, and is met once. */
const LONGEST_KNOWN = 1000;

/** What the attribute says, as far as it may; null where it may not be said. */
function saidBy(name: string, attribute: string, value: string): string | null {
  switch (attribute) {
    case 'colspan':
    case 'rowspan':
      return /^0*[1-9]\d*$/.test(value) ? String(Math.min(Number(value), MOST_SPANNED)) : null;
    case 'width':
    case 'height':
      return isInReason(name, attribute, value) ? value : null;
    default:
      return value;
  }
}

const PIXELS = /^\d{1,4}(?:px)?$/;
const PART = /^(?:100|\d\d?)%$/;

/** Whether a tag may say that it is so large: an image in reason, what has a width as a part of its line. */
function isInReason(name: string, attribute: string, value: string): boolean {
  if (name === 'img') return PIXELS.test(value) || PART.test(value);
  return attribute === 'width' && /^(?:table|t[dh]|hr)$/.test(name) && PART.test(value);
}

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g;

/** The tag with what it may say. Handlers and styles are violations of a strict policy already where they are parsed. */
function cleared(name: string, opening: string): string {
  const attributes = [...opening.slice(1 + name.length).matchAll(ATTRIBUTE)].map(
    ([, attribute, value = '']) => {
      const known = attribute!.toLowerCase();
      if (!ATTRIBUTES.includes(known)) return '';
      const said = saidBy(name, known, value.replace(/^(["'])([^]*)\1$/, '$2'));
      return said === null ? '' : ` ${known}="${said.replaceAll('"', '&quot;')}"`;
    },
  );
  return `<${name}${attributes.join('')}>`;
}

/** The element a tag opens, without content, in a document of its own; null where nothing is left of it. */
export function elementOf(opening: string): Element | null {
  const found = known.get(opening);
  if (found !== undefined) return found;
  const name = /^<(\w+)/.exec(opening)![1]!.toLowerCase();
  const element = (sanitized((AROUND[name] ?? '') + cleared(name, opening))
    .querySelector(name)
    ?.cloneNode() ?? null) as Element | null;
  if (known.size >= MOST_KNOWN) known.clear();
  if (opening.length <= LONGEST_KNOWN) known.set(opening, element);
  return element;
}

/** The text that HTML without tags says: its entities. */
export function decode(text: string): string {
  return text.includes('&') ? (sanitized(text.replaceAll('<', '&lt;')).textContent ?? '') : text;
}
