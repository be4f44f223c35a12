/** Where a text stands in rows as they are drawn; each row is read again only after it has changed. */
import {rangesIn} from './drawn-ranges.js';

interface Found {
  readonly ranges: readonly StaticRange[];
  isOld: boolean;
}

export class DrawnMatches {
  readonly #wanted: string;
  readonly #rows = new WeakMap<Element, Map<string, Found>>();

  constructor(wanted: string) {
    this.#wanted = wanted;
  }

  in(row: Element, {part}: {readonly part: string}): readonly StaticRange[] {
    let parts = this.#rows.get(row);
    if (!parts) this.#rows.set(row, (parts = new Map<string, Found>()));
    let found = parts.get(part);
    if (!found || found.isOld) {
      found = {ranges: scopesOf(row, part).flatMap((one) => rangesIn(one, this.#wanted)), isOld: false};
      parts.set(part, found);
    }
    return found.ranges;
  }

  /** After something that may have changed it. */
  again(row: Element, where: {readonly part: string}): readonly StaticRange[] {
    this.forget(row);
    return this.in(row, where);
  }

  /** Something has changed there. */
  forget(row: Element): void {
    for (const found of this.#rows.get(row)?.values() ?? []) found.isOld = true;
  }

  /** What was found there last: its parts, and where in them it stood. */
  last(row: Element): readonly (readonly [part: string, ranges: readonly StaticRange[]])[] {
    return [...(this.#rows.get(row) ?? [])].map(([part, {ranges}]) => [part, ranges] as const);
  }
}

/** Where a part of a row stands; a tool that is closed may show the begin of its output. */
function scopesOf(row: Element, part: string): readonly Element[] {
  switch (part) {
    case 'text':
      return row.matches('.artifacts') ? [...row.querySelectorAll('.line')] : [row];
    case 'label':
      return [...row.querySelectorAll(':scope > button > .line')];
    default: {
      const section = row.querySelector(`[data-section="${CSS.escape(part)}"]`);
      const short = part === 'output' ? row.querySelector(':scope > .short') : null;
      return [section ?? short].filter((one) => one !== null);
    }
  }
}
