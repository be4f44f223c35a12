/** The context through which elements find the session around them, or the one they name. */
import {createContext, type ContextCallback} from '@lit/context';
import type {Session} from '../session/index.js';

/** The context's key; null where an element stands between that has no session. A registered symbol with a version, so that two copies of the bundle on one page meet. */
export const sessionContext = createContext<Session | null, symbol>(Symbol.for('hermes-elements.session.v1'));

/**
 * A request of the community's context protocol. One that does not bubble asks its target alone: an element that is
 * named, but is no provider yet, must not answer with what stands around it.
 */
class ContextRequest extends Event {
  readonly context = sessionContext;
  readonly subscribe = true;

  constructor(
    readonly contextTarget: Element,
    readonly callback: ContextCallback<Session | null>,
    bubbles: boolean,
  ) {
    super('context-request', {bubbles, composed: bubbles});
  }
}

/** Asks for the session around an element, or for that of the element in its tree, else in its document, with this id. */
export function requestSession(
  element: HTMLElement,
  callback: ContextCallback<Session | null>,
  id?: string,
): void {
  const root = element.getRootNode() as Document | ShadowRoot;
  const target = id ? (root.getElementById?.(id) ?? element.ownerDocument.getElementById(id)) : element;
  target?.dispatchEvent(new ContextRequest(element, callback, !id));
}

const seekers = new Set<() => void>();
let isDue = false;

/** A provider has come: upgraded late, moved here, or given the id that was missing. */
function onProvider({context}: Event & {context?: unknown}): void {
  if (context !== sessionContext || isDue) return;
  isDue = true;
  // Many may come at once, and each says so before it has its session.
  queueMicrotask(() => {
    isDue = false;
    for (const seek of [...seekers]) seek();
  });
}

/** From now on `seek` is called whenever a provider comes to the document. */
export function startSeeking(document: Document, seek: () => void): void {
  seekers.add(seek);
  // Captured: a provider stops the event of one that stands in it.
  document.addEventListener('context-provider', onProvider, true);
}

export function stopSeeking(seek: () => void): void {
  seekers.delete(seek);
}
