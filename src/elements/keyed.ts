/**
 * A keyed list that moves nothing it need not move, and looks only at what changed.
 *
 * Lit's `repeat` finds the fewest steps and may carry a row past another to get there; a node that is carried loses the
 * reader's selection and focus. It also draws every item anew, which in a long turn costs more than the token did.
 *
 * The items of a long list stand in groups, those of a very long one in groups of groups, which the page contains: a browser looks
 * at all children of what it lays out and paints. An item is put into its group when it is made and stays there; a loose one
 * stands between the groups.
 */
import {html, noChange, type TemplateResult} from 'lit';
import {Directive, directive, type ChildPart} from 'lit/directive.js';
import {clearPart, insertPart, removePart, setChildPartValue} from 'lit/directive-helpers.js';
import {restLater} from './rest.js';
import {selectedRange} from './selected-range.js';

type Draw<T> = (item: T, index: number) => unknown;
type IsLoose<T> = (item: T) => boolean;

/** How many items a group takes, unless it is said; it gets more only where they come between two that it has. */
const GROUP = 64;
/** How many groups stand in one together, once so many stand alone: the browser looks at each in every frame. */
const GROUPS = 8;

interface Group {
  /** What the group is. */
  readonly outer: ChildPart;
  /** What is in it. */
  readonly inner: ChildPart;
  /** 0 for one of items, 1 for one of groups. */
  readonly level: number;
  size: number;
}

class Keyed extends Directive {
  #items: readonly unknown[] | undefined;
  #version: unknown;
  /** Beside each item. */
  #keys: unknown[] = [];
  #parts: ChildPart[] = [];
  readonly #groups = new WeakMap<ChildPart, Group | undefined>();

  render(
    items: readonly unknown[],
    _key: (item: unknown) => unknown,
    _version: unknown,
    draw: Draw<unknown>,
    _isLoose?: IsLoose<unknown>,
    _size?: number,
  ) {
    return items.map(draw);
  }

  override update(
    container: ChildPart,
    [items, key, version, draw, isLoose = () => false, size = GROUP]: Parameters<this['render']>,
  ): typeof noChange {
    if (!this.#items) clearPart(container);
    const start = this.#redraw(items, key, version === this.#version, draw);
    const keys = items.slice(start).map(key);
    const kept = new Set(keys);
    const before = new Map<unknown, ChildPart>();
    for (const [index, part] of this.#parts.slice(start).entries()) {
      const old = this.#keys[start + index];
      if (kept.has(old)) before.set(old, part);
      else this.#remove(part);
    }
    const standing = [...before.values()];
    let at = 0;
    let last = this.#parts[start - 1];
    const parts = keys.map((one, index) => {
      const item = items[start + index];
      let part = before.get(one);
      const place = part ? standing.indexOf(part, at) : -1;
      // What the reader is at stays, and what stands before it is carried past it.
      if (part && place > at && isRead(part)) at = place;
      if (part && place === at) at++;
      else {
        if (place >= 0) standing.splice(place, 1);
        const sizes = isLoose(item) ? [] : [size, isFar(start + index, size) ? GROUPS : 0];
        part = this.#insert(container, last, standing[at], part, sizes);
      }
      return (last = setChildPartValue(part, draw(item, start + index)));
    });
    this.#parts.splice(start, Infinity, ...parts);
    this.#keys.splice(start, Infinity, ...keys);
    this.#items = items;
    this.#version = version;
    return noChange;
  }

  /** Draws what has changed of those that stand where they stood; gives back how many those are. */
  #redraw(
    items: readonly unknown[],
    key: (item: unknown) => unknown,
    isSameVersion: boolean,
    draw: Draw<unknown>,
  ): number {
    const before = this.#items ?? [];
    const count = Math.min(items.length, before.length);
    for (let at = 0; at < count; at++) {
      if (isSameVersion) {
        const differs = firstDifference(items, before, at);
        if (differs === items.length && differs === before.length) break;
        // The one before reads it.
        at = Math.max(at, differs - 1);
      }
      const isSame = isSameVersion && items[at] === before[at];
      if (!isSame && key(items[at]) !== this.#keys[at]) return at;
      setChildPartValue(this.#parts[at]!, draw(items[at], at));
    }
    return count;
  }

  /** Makes a part, or carries it, to stand after `last` and before `next`, in groups of those sizes, from the inside. */
  #insert(
    container: ChildPart,
    last: ChildPart | undefined,
    next: ChildPart | undefined,
    part: ChildPart | undefined,
    sizes: readonly number[],
    level = 0,
  ): ChildPart {
    const [behind, ahead] = [this.#groupOf(last, level), this.#groupOf(next, level)];
    const [before, after] = [behind?.outer ?? last, ahead?.outer ?? next];
    const size = sizes[level];
    let group = behind === ahead ? behind : undefined;
    if (!group && size) {
      if (behind && behind.size < size) group = behind;
      else {
        group = openGroup(this.#insert(container, before, after, undefined, sizes, level + 1), level);
        // All but the last rest.
        const whole = ahead ? group : behind;
        if (whole && level === 0) restLater(whole.inner.parentNode as HTMLElement);
      }
    }
    if (!group && level === 0) return this.#insert(container, before, after, part, sizes, 1);
    const left = part && this.#groups.get(part);
    const placed = insertPart(
      group?.inner ?? container,
      group ? (ahead === group ? next : undefined) : after,
      part,
    );
    if (group) group.size++;
    this.#groups.set(placed, group);
    this.#leave(left);
    return placed;
  }

  #groupOf(part: ChildPart | undefined, level: number): Group | undefined {
    const group = part && this.#groups.get(part);
    return group?.level === level ? group : undefined;
  }

  #remove(part: ChildPart) {
    const group = this.#groups.get(part);
    removePart(part);
    this.#leave(group);
  }

  /** A group without items goes. */
  #leave(group: Group | undefined) {
    if (group && --group.size === 0) this.#remove(group.outer);
  }
}

/** Whether an item stands behind so many groups that more of them stand in groups. Short groups are for few, large items. */
function isFar(at: number, size: number): boolean {
  return size === GROUP && at >= GROUP * GROUPS;
}

function openGroup(outer: ChildPart, level: number): Group {
  let inner = outer;
  setChildPartValue(
    outer,
    groupTemplate((part) => (inner = part)),
  );
  return {outer, inner, level, size: 0};
}

class Inside extends Directive {
  render(_take: (part: ChildPart) => void) {
    return noChange;
  }

  override update(part: ChildPart, [take]: [(part: ChildPart) => void]) {
    take(part);
    return noChange;
  }
}

const inside = directive(Inside);

function groupTemplate(take: (part: ChildPart) => void): TemplateResult {
  return html`<div class="group">${inside(take)}</div>`;
}

/** Where two lists differ, from there on; in a loop so small that a browser soon makes it fast. */
export function firstDifference(a: readonly unknown[], b: readonly unknown[], from = 0): number {
  const end = Math.min(a.length, b.length);
  while (from < end && a[from] === b[from]) from++;
  return from;
}

/** The last item that matches, looked for from the end, where what changes stands. */
export function lastItem(list: ParentNode, matches: (item: HTMLElement) => boolean): HTMLElement | undefined {
  for (
    let at = list.lastElementChild as HTMLElement | null;
    at;
    at = at.previousElementSibling as HTMLElement
  ) {
    const found = at.classList.contains('group') ? lastItem(at, matches) : matches(at) ? at : undefined;
    if (found) return found;
  }
  return undefined;
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

/**
 * `keyed(items, key, version, draw, isLoose?, size?)`: one template an item, kept with its key. An item that has not changed
 * is drawn again only when `version` is another, which stands for all that `draw` reads besides an item and the next.
 */
export const keyed = directive(Keyed) as <T>(
  items: readonly T[],
  key: (item: T) => unknown,
  version: unknown,
  draw: Draw<T>,
  isLoose?: IsLoose<T>,
  size?: number,
) => unknown;
