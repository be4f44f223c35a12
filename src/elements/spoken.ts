/** The page's words over ours. */
import {report} from '../session/index.js';

type Words = Readonly<Record<string, unknown>>;
type Word = (...about: unknown[]) => unknown;

/**
 * Ours, and in their place what the page says. Where code of the page throws, be it a function or a getter, the page is told and
 * ours says it: no row is lost for a word.
 */
export function spoken<T extends object>(
  ours: T,
  given: {readonly [K in keyof T]?: Partial<T[K]>} | undefined,
): T {
  return given ? (guarded(ours as Words, given) as T) : ours;
}

function guarded(ours: Words, given: Words): Words {
  const words: Record<string, unknown> = {...ours};
  for (const key of Object.keys(given)) {
    const own = ours[key];
    if (typeof own === 'function')
      words[key] = (...about: unknown[]) =>
        attempt(
          () => (given[key] as Word)(...about),
          () => (own as Word)(...about),
        );
    else {
      const said = attempt(
        () => given[key],
        () => own,
      );
      words[key] = isGroup(own) && isGroup(said) ? guarded(own, said) : (said ?? own);
    }
  }
  return words;
}

function attempt(page: () => unknown, otherwise: () => unknown): unknown {
  try {
    return page();
  } catch (cause) {
    report(cause);
    return otherwise();
  }
}

function isGroup(words: unknown): words is Words {
  return typeof words === 'object' && words !== null;
}
