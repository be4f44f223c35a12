/** Which turns something is selected in, told once a change to those it concerns. */
import {selectionIn} from './quote.js';

/** What is to hear of it, by the element its rows stand in. */
interface Listener {
  heard(isSelected: boolean): void;
}

const listeners = new WeakMap<Node, Listener>();
/** Roots that turns stand in; they may be gone with their page. */
const roots = new Set<WeakRef<ShadowRoot>>();
const known = new WeakSet<ShadowRoot>();
let told: readonly Listener[] = [];

/** From now on the listener hears when a selection begins or ends in what stands in `scope`. */
export function watchSelection(scope: Node, listener: Listener): void {
  listeners.set(scope, listener);
  const root = scope.getRootNode();
  // It was taken out of the page meanwhile.
  if (!(root instanceof ShadowRoot) || known.has(root)) return;
  if (roots.size === 0) document.addEventListener('selectionchange', look);
  known.add(root);
  roots.add(new WeakRef(root));
}

function look(): void {
  const found = [...roots].flatMap((reference) => {
    const root = reference.deref();
    if (!root) roots.delete(reference);
    const range = root?.host.isConnected ? selectionIn(root) : null;
    return range ? [around(range.startContainer), around(range.endContainer)] : [];
  });
  const now = [...new Set(found)].filter((listener) => listener !== null);
  for (const listener of told) if (!now.includes(listener)) listener.heard(false);
  for (const listener of now) if (!told.includes(listener)) listener.heard(true);
  told = now;
}

function around(node: Node): Listener | null {
  for (let at: Node | null = node; at; at = at.parentNode) {
    const listener = listeners.get(at);
    if (listener) return listener;
  }
  return null;
}
