/** What drawing Markdown needs of the element around it: words and decisions. */

/** What the element hands over: the page's choices as they are, and what needs the rest of this library. */
export interface ProseChoices {
  /** The page's words over ours. */
  words?(ours: ProseWords): ProseWords;
  /** Origins whose images are shown without asking, parted by spaces; `*` for all, `none` for no images at all. */
  readonly images?: string | null | undefined;
  /** What raw HTML is: `sanitize` for the elements of harmless tags; else text. */
  readonly html?: string | null | undefined;
  /** Colours code; nobody does without it. */
  readonly highlight?: Highlight | null | undefined;
  /** Draws code of a language in another way once it is whole: mathematics, diagrams. */
  readonly figure?: ProseHost['figure'];
  /** Draws formulas; without it they are text. */
  readonly math?: DrawMath | null | undefined;
  /** The address a link may have; null where it stays text. */
  address(address: string): string | null;
  /** In which language numbers are written; the browser's own without one. */
  readonly language?: string | undefined;
}

/** The same as drawing asks for it. */
export interface ProseHost {
  readonly words: ProseWords;
  /** Parts the ids of this text from those of others on the page. */
  readonly scope: string;
  /** The address a link may have; null where it stays text. */
  address(address: string): string | null;
  /** Whether an image is shown, or stands behind a button until the reader asks for it; null where it is never shown. */
  image(address: string): {readonly src: string; readonly shown: boolean} | null;
  /** Whether harmless tags of raw HTML become elements; else they are text. */
  readonly html?: boolean;
  /** Lines of code as coloured pieces, once the language is there; null where nobody colours it. */
  readonly highlight?: Highlight | undefined;
  /** Draws code of a language in another way once it is whole: mathematics, diagrams. */
  readonly figure?: ((language: string, code: string) => Promise<Node | null> | null) | undefined;
  /** Draws formulas; without it they are text. */
  readonly math?: DrawMath | undefined;
  /** Whether the text still grows. */
  readonly grows: () => boolean;
}

/** Draws a formula from its TeX, in a line or, with `display`, by itself; null where it stays as it was written. */
export type DrawMath = (tex: string, display: boolean) => Node | null | Promise<Node | null>;

/** A piece of code, and the class of its kind where it has one. */
export type CodePiece = string | {readonly kind: string; readonly text: string};

/** Colours the code; the pieces of each line. Null where the language is not known. */
export type Highlight = (language: string, code: string) => Promise<readonly (readonly CodePiece[])[] | null>;

export interface ProseWords {
  copy: string;
  copied: string;
  notCopied: string;
  copyAs: (format: string) => string;
  wrap: string;
  code: string;
  table: string;
  formula: string;
  toDo: string;
  done: string;
  notes: string;
  toText: string;
  showImage: (from: string) => string;
}
