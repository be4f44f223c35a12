/** The words of the actions. They come with their chunk, so that what only reads does not carry them. */

export const actionWords = {
  label: 'Actions for this turn',
  copyAnswer: 'Copy answer',
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
  copied: 'Copied',
  quoted: 'Quoted',
  notCopied: 'Could not copy',
};

export type ActionWords = typeof actionWords;
