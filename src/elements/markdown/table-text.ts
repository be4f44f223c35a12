/** The cells of a table as text, for a clipboard. */

type Rows = readonly (readonly string[])[];

export const tableFormats: Readonly<Record<string, (rows: Rows) => string>> = {
  Markdown: (rows) => {
    const lines = rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
    const rule = `|${' --- |'.repeat(rows[0]?.length ?? 0)}`;
    return [lines[0] ?? '', rule, ...lines.slice(1), ''].join('\n');
  },
  // Quoted as RFC 4180 says; a cell that a spreadsheet would take for a formula gets a mark before it.
  CSV: (rows) => rows.map((cells) => cells.map((cell) => quoted(harmless(cell), ',')).join(',')).join('\r\n'),
  TSV: (rows) =>
    rows.map((cells) => cells.map((cell) => harmless(cell).replace(/[\t\n]/g, ' ')).join('\t')).join('\n'),
};

function quoted(cell: string, separator: string): string {
  return /["\n\r]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function harmless(cell: string): string {
  return /^[=+@\t\r]|^-(?![\d.])/.test(cell) ? `'${cell}` : cell;
}
