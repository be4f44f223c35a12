/** Which tags of raw HTML become elements. All others stay text: nothing a model writes is lost. */

const names = (list: string) => new Set(list.split(' '));

/** What people write in Markdown where it has no mark for it. None of them loads, runs, asks for input or is found by name. */
export const ALLOWED = names(
  'a abbr b bdi blockquote br caption center code dd del details dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li ' +
    'mark ol p pre q rp rt ruby s samp small span strike strong sub summary sup table tbody td tfoot th thead time tr tt ' +
    'u ul var wbr',
);

export const ATTRIBUTES = [
  ...['align', 'alt', 'colspan', 'datetime', 'dir', 'height', 'href', 'lang', 'open', 'reversed', 'rowspan'],
  ...['scope', 'src', 'start', 'title', 'type', 'valign', 'value', 'width'],
];

/** They hold nothing, and have no end. */
export const VOID = names('br hr img wbr');

/** They may go on over several blocks. Another ends with the block it begins in, so that it holds no more than that. */
export const AROUND_BLOCKS = names(
  'blockquote caption center dd details div dl dt h1 h2 h3 h4 h5 h6 li ol p pre summary table tbody td tfoot th thead tr ul',
);

/** What ends when another begins right in it, though nobody says so. */
export const ENDED_BY: Readonly<Record<string, ReadonlySet<string>>> = {
  li: names('li'),
  dt: names('dt dd'),
  dd: names('dt dd'),
  rt: names('rt rp'),
  rp: names('rt rp'),
  td: names('td th tr tbody tfoot thead'),
  th: names('td th tr tbody tfoot thead'),
  tr: names('tr tbody tfoot thead'),
  thead: names('tbody tfoot'),
  tbody: names('tbody tfoot'),
  caption: names('tbody tfoot thead tr'),
  p: names('blockquote center details div dl h1 h2 h3 h4 h5 h6 hr ol p pre table ul'),
};

/** What a tag has to stand in to be one. */
export const AROUND: Readonly<Record<string, string>> = {
  td: '<table><tr>',
  th: '<table><tr>',
  tr: '<table>',
  tbody: '<table>',
  tfoot: '<table>',
  thead: '<table>',
  caption: '<table>',
};
