/**
 * A keyed list that moves nothing it need not move. Lit's `repeat` finds the fewest steps and may carry a row past
 * another to get there; a node that is carried loses the reader's selection and focus.
 */
import {noChange} from 'lit';
import {Directive, directive, type ChildPart} from 'lit/directive.js';
import {clearPart, insertPart, removePart, setChildPartValue} from 'lit/directive-helpers.js';

class Keyed extends Directive {
  /** In the order they stand. */
  #parts: Map<unknown, ChildPart> | undefined;

  render<T>(items: readonly T[], _key: (item: T) => unknown, template: (item: T) => unknown): unknown {
    return items.map(template);
  }

  override update(
    container: ChildPart,
    [items, key, template]: Parameters<typeof this.render<unknown>>,
  ): unknown {
    if (!this.#parts) clearPart(container);
    const before = this.#parts ?? new Map<unknown, ChildPart>();
    const keys = items.map(key);
    const kept = new Set(keys);
    for (const [old, part] of before) if (!kept.has(old)) removePart(part);
    const standing = [...before].filter(([old]) => kept.has(old)).map(([, part]) => part);
    let at = 0;
    this.#parts = new Map(
      items.map((item, index) => {
        let part = before.get(keys[index]);
        const next = standing[at];
        if (part && part === next) at++;
        else {
          if (part) standing.splice(standing.indexOf(part), 1);
          part = insertPart(container, next, part);
        }
        return [keys[index], setChildPartValue(part, template(item))];
      }),
    );
    return noChange;
  }
}

/** `keyed(items, key, template)`: one template an item, kept with its key. */
export const keyed = directive(Keyed) as <T>(
  items: readonly T[],
  key: (item: T) => unknown,
  template: (item: T) => unknown,
) => unknown;
