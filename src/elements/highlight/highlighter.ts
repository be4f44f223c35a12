/**
 * Colours code: classes only, by highlight.js, whose languages are chunks of their own. Chosen as it is small, knows the
 * languages people use and can hand over its tree, so that nothing is parsed from HTML.
 */
import core from '@highlightjs/cdn-assets/es/core.min.js';
import type {CodePiece, Highlight} from '../markdown/prose-host.js';
import {languageOf, languages} from './languages.js';
import {PieceEmitter} from './piece-emitter.js';

/** What is longer is left as it is: colours are not worth a page that stands still. */
const LONGEST = 100_000;

const hljs = core.newInstance();
hljs.configure({__emitter: PieceEmitter});

/** Languages that are here, or on their way. */
const known = new Map<string, Promise<void>>();

export const highlight: Highlight = async (name, code) => {
  const language = languageOf(name);
  if (language === null || code.length > LONGEST) return null;
  if (!known.has(language)) {
    const loading = languages[language]!().then(({default: grammar}) =>
      hljs.registerLanguage(language, grammar),
    );
    known.set(language, loading);
    // A failure may be tried again.
    loading.catch(() => known.delete(language));
  }
  await known.get(language);
  const {_emitter} = hljs.highlight(code, {language, ignoreIllegals: true});
  return linesOf((_emitter as PieceEmitter).pieces);
};

/** The pieces of each line; a piece over several lines is one in each. */
function linesOf(pieces: readonly CodePiece[]): readonly (readonly CodePiece[])[] {
  const lines: CodePiece[][] = [[]];
  for (const piece of pieces) {
    const text = typeof piece === 'string' ? piece : piece.text;
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)!.push(typeof piece === 'string' ? part : {...piece, text: part});
    }
  }
  return lines;
}
