/** The words of what stands under a finished turn. They come with their chunk, so that what only reads does not carry them. */

export const actionWords = {
  label: 'Actions for this turn',
  copyAnswer: 'Copy answer',
  copySoFar: 'Copy so far',
  quote: 'Quote selection',
  more: 'More',
  copyAs: {
    markdown: 'Copy turn as Markdown',
    text: 'Copy turn as text',
    html: 'Copy turn as HTML',
    json: 'Copy turn as JSON',
  },
  link: 'Copy link to this turn',
  download: 'Download conversation',
  /** The bar of `find()`; `label` also opens it, from the menu. */
  find: {
    label: 'Find in this conversation',
    field: 'Find',
    previous: 'Previous match',
    next: 'Next match',
    close: 'Close',
    none: 'No matches',
    count: (at: number, of: number) => `${at} of ${of}`,
  },
  copied: 'Copied',
  quoted: 'Quoted',
  notCopied: 'Could not copy',
};

/** What a finished turn took. */
export const usageWords = {
  took: (time: string) => time,
  read: (tokens: string) => `${tokens} tokens read`,
  cached: (rate: string) => `${rate} from the cache`,
  written: (tokens: string) => `${tokens} written`,
  context: (rate: string) => `${rate} of the context used`,
  cost: (price: string) => price,
};

export type UsageWords = typeof usageWords;
export type ActionWords = typeof actionWords;
export type FindWords = ActionWords['find'];
