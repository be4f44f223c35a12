/**
 * A keyed list that moves nothing it need not move, and looks only at what changed.
 *
 * Lit's `repeat` finds the fewest steps and may carry a row past another to get there; a node that is carried loses the
 * reader's selection and focus. It also draws every item anew, which in a long turn costs more than the token did.
 */
import {noChange} from 'lit';
import {Directive, directive, type ChildPart} from 'lit/directive.js';
import {clearPart, insertPart, removePart, setChildPartValue} from 'lit/directive-helpers.js';
import {selectedRange} from './selected-range.js';

type Draw<T> = (item: T, index: number) => unknown;

class Keyed extends Directive {
  #items: readonly unknown[] | undefined;
  #version: unknown;
  /** Beside each item. */
  #keys: unknown[] = [];
  #parts: ChildPart[] = [];

  render(
    items: readonly unknown[],
    _key: (item: unknown) => unknown,
    _version: unknown,
    draw: Draw<unknown>,
  ) {
    return items.map(draw);
  }

  override update(
    container: ChildPart,
    [items, key, version, draw]: Parameters<this['render']>,
  ): typeof noChange {
    if (!this.#items) clearPart(container);
    const start = version === this.#version ? Math.max(0, firstDifference(this.#items ?? [], items) - 1) : 0;
    const keys = items.slice(start).map(key);
    const kept = new Set(keys);
    const before = new Map<unknown, ChildPart>();
    for (const [index, part] of this.#parts.slice(start).entries()) {
      const old = this.#keys[start + index];
      if (kept.has(old)) before.set(old, part);
      else removePart(part);
    }
    const standing = [...before.values()];
    let at = 0;
    const parts = keys.map((one, index) => {
      let part = before.get(one);
      const place = part ? standing.indexOf(part, at) : -1;
      // What the reader is at stays, and what stands before it is carried past it.
      if (part && place > at && isRead(part)) at = place;
      if (part && place === at) at++;
      else {
        if (place >= 0) standing.splice(place, 1);
        part = insertPart(container, standing[at], part);
      }
      return setChildPartValue(part, draw(items[start + index], start + index));
    });
    this.#parts.splice(start, Infinity, ...parts);
    this.#keys.splice(start, Infinity, ...keys);
    this.#items = items;
    this.#version = version;
    return noChange;
  }
}

/** Whether the focus is in it, or the selection begins or ends there. */
function isRead({startNode, endNode}: ChildPart): boolean {
  const root = startNode?.getRootNode() as ShadowRoot;
  const range = selectedRange(root);
  const read = [
    root.activeElement,
    ...(range && !range.collapsed ? [range.startContainer, range.endContainer] : []),
  ];
  for (let node = startNode; node && node !== endNode; node = node.nextSibling)
    if (read.some((one) => one && node.contains(one))) return true;
  return false;
}

function firstDifference(a: readonly unknown[], b: readonly unknown[]): number {
  let index = 0;
  while (index < a.length && index < b.length && a[index] === b[index]) index++;
  return index;
}

/**
 * `keyed(items, key, version, draw)`: one template an item, kept with its key. Items well before the first that changed
 * are drawn again only when `version` is another, which stands for all that `draw` reads besides an item and the next.
 */
export const keyed = directive(Keyed) as <T>(
  items: readonly T[],
  key: (item: T) => unknown,
  version: unknown,
  draw: Draw<T>,
) => unknown;
