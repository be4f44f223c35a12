/** In which language numbers are written, and numbers in it. */

/** The language an element stands in, by the nearest `lang`, also outside the shadow roots around it; undefined for the browser's own. */
export function languageOf(element: Element): string | undefined {
  const lang = element.closest('[lang]')?.getAttribute('lang');
  const {host} = element.getRootNode() as Partial<ShadowRoot>;
  if (lang === undefined) return host && languageOf(host);
  try {
    return Intl.getCanonicalLocales(lang!)[0];
  } catch {
    // Empty where the language is not known; and a page may have written anything.
  }
  return undefined;
}

/** One for each language: to make one takes longer than to use it. */
const formats: Record<string, Intl.NumberFormat> = {};

/** A number with one decimal at most. */
export function numeral(value: number, language?: string): string {
  const format = (formats[language ?? ''] ??= new Intl.NumberFormat(language, {maximumFractionDigits: 1}));
  return format.format(value);
}
