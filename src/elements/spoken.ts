/** The page's words over ours. */
import {report} from '../session/index.js';

type Words = Readonly<Record<string, unknown>>;
type Word = (...about: unknown[]) => string;

/**
 * Ours, and in their place what the page says. Where a function of the page throws, the page is told and ours says it: no
 * row is lost for a word.
 */
export function spoken<T extends object>(ours: T, given: Partial<T> | undefined): T {
  return {...ours, ...(given && guarded(ours as Words, given))};
}

function guarded(ours: Words, given: Words): Words {
  const words: Record<string, unknown> = {...given};
  for (const key in words) {
    const [own, said] = [ours[key], words[key]];
    if (typeof own === 'function')
      words[key] = (...about: unknown[]) => {
        try {
          return (given[key] as Word)(...about);
        } catch (cause) {
          report(cause);
          return (own as Word)(...about);
        }
      };
    else if (isGroup(own) && isGroup(said)) words[key] = guarded(own, said);
  }
  return words;
}

function isGroup(words: unknown): words is Words {
  return typeof words === 'object' && words !== null;
}
