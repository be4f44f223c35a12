/** Opens what hides a part of a row: its worklog and group, the row, and what its body holds back. */
import type {HermesTurn} from '../hermes-turn.js';

/** In so many tasks without anything new, no more comes. */
const PATIENCE = 10;

/** `find` says where in the row that stands which is looked for, once it is drawn. */
export async function openPart(
  turn: HermesTurn,
  {row: id, part}: {readonly row: string; readonly part: string},
  find: (row: Element) => StaticRange | undefined,
): Promise<void> {
  const isBody = part !== 'text' && part !== 'label';
  // Without it, the plain body stays, and the reader is taken to the row.
  if (isBody) await import('../tool-body/tool-body.js').catch(() => null);
  turn.unfold(id);
  turn.draw();
  const row = turn.querySelector<HTMLElement>(`[data-item-id="${CSS.escape(id)}"]`);
  if (!row) return;
  if (part !== 'label') row.querySelector<HTMLElement>(':scope > button[aria-expanded=false]')?.click();
  turn.draw();
  if (!isBody) return;
  const sectionOf = () => row.querySelector(`[data-section="${CSS.escape(part)}"]`);
  for (let waits = 0; !sectionOf() && waits < PATIENCE; waits++) await pause();
  const section = sectionOf();
  if (!section) return;
  if (!find(row)) await drawAll(section, () => find(row) !== undefined);
  const line = find(row)?.startContainer.parentElement?.closest<HTMLElement>('.json-line');
  if (line) unfoldLine(line);
}

/** Lines, texts and unchanged parts that are drawn when they are asked for, which may take more than one task. */
async function drawAll(section: Element, isDrawn: () => boolean) {
  for (const button of section.querySelectorAll<HTMLElement>(
    '.unchanged, .more-text, .more-lines:not([hidden])',
  ))
    button.click();
  let drawn = -1;
  for (let waits = 0; !isDrawn() && waits < PATIENCE; waits++) {
    const {length} = section.textContent;
    if (length !== drawn) waits = 0;
    drawn = length;
    await pause();
  }
}

/** What a line of JSON is in stands before it and less far in. */
function unfoldLine(line: HTMLElement) {
  const outer: Element[] = [];
  let indent = indentOf(line);
  for (let at = line.previousElementSibling; at; at = at.previousElementSibling) {
    if (indentOf(at) >= indent) continue;
    indent = indentOf(at);
    outer.push(at);
  }
  for (const one of outer.reverse())
    if (one.hasAttribute('data-folded')) one.querySelector<HTMLElement>('button.fold')?.click();
}

function indentOf({textContent}: Element): number {
  return /^ */.exec(textContent)![0].length;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
