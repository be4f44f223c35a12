/** Hands the reader a file. */

/** As long as a browser may take to begin reading it, in ms. */
const KEPT_MS = 60_000;

export function saveFile(name: string, type: string, content: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], {type: `${type};charset=utf-8`}));
  link.download = fileName(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

/** Without what a file system, or the eye, takes for something else. */
export function fileName(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\p{C}\\/:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+/, '')
    .trim();
}
