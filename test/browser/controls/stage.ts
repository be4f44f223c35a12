/** Elements on the page, found as a reader finds them, and a session whose server is the test. */
import {Session} from '../../../src/index.js';
import {createFeed, settled, type Feed} from '../elements/feed.js';
import * as assert from '../../support/assert.js';

const mounted: Element[] = [];

afterEach(() => {
  for (const element of mounted.splice(0)) element.remove();
});

/** The first element of this markup, with its properties set before it stands in the page. */
export function mount<T extends HTMLElement>(markup: string, properties: Partial<T> = {}): T {
  const box = document.createElement('div');
  box.innerHTML = markup;
  const element = box.firstElementChild as T;
  Object.assign(element, properties);
  document.body.append(box);
  mounted.push(box);
  return element;
}

/** What was asked of a session, and what its server waits for. */
export interface Desk {
  readonly session: Session;
  readonly feed: Feed;
  readonly asked: string[];
  /** The ids that the server says are pending. */
  waitFor(...ids: string[]): Promise<void>;
  /** What is known of what it waits for. */
  look(look: Session['pendingLook']): Promise<void>;
  /** The next answers are refused with this sentence; null accepts them again. */
  refuse(sentence: string | null): void;
}

/** A session of one stream that can be controlled: only its requests end at the test. */
export function createDesk({canControl = true} = {}): Desk {
  const feed = createFeed();
  const session = new Session();
  const asked: string[] = [];
  let pending: ReadonlySet<string> = new Set();
  let look: Session['pendingLook'] = null;
  let refusal: string | null = null;
  const ask =
    (name: string) =>
    async (...words: string[]) => {
      asked.push([name, ...words].join(' '));
      await Promise.resolve();
      if (refusal !== null) throw new Error(refusal);
    };
  const own = (name: string, descriptor: PropertyDescriptor) =>
    Object.defineProperty(session, name, {configurable: true, ...descriptor});
  own('canControl', {value: canControl});
  own('pendingControls', {get: () => pending});
  own('pendingLook', {get: () => look});
  for (const name of ['answer', 'cancel', 'send', 'steer']) own(name, {value: ask(name)});
  session.open({src: '/events/run_1', fetch: feed.fetch});
  return {
    session,
    feed,
    asked,
    async waitFor(...ids) {
      pending = new Set(ids);
      // A frame that changes nothing else tells the views.
      await feed.send(['title', {title: `waits for ${ids.join(' ')}`}]);
    },
    async look(next) {
      look = next;
      await feed.send(['title', {title: `looks ${next?.phase}`}]);
    },
    refuse: (sentence) => void (refusal = sentence),
  };
}

const selectors: Readonly<Record<string, string>> = {
  button: 'button',
  textbox: 'textarea, input',
  group: '[role=group]',
  alert: '[role=alert]',
  link: 'a[href]',
};

/** All elements with a role, in the shadow roots too, that are not hidden. */
export function allByRole(element: Element | ShadowRoot, role: string, name = /(?:)/): HTMLElement[] {
  const roots = [element, ...('shadowRoot' in element && element.shadowRoot ? [element.shadowRoot] : [])];
  return roots
    .flatMap((root) => [...root.querySelectorAll<HTMLElement>(selectors[role] ?? `[role=${role}]`)])
    .filter((one) => one.checkVisibility() && name.test(nameOf(one)));
}

export function byRole<T extends HTMLElement>(element: Element | ShadowRoot, role: string, name?: RegExp): T {
  const [found] = allByRole(element, role, name);
  assert.ok(found, `there is no ${role} ${name ?? ''}`);
  return found as T;
}

function nameOf(element: HTMLElement): string {
  const label = element.closest('label')?.textContent;
  return (element.ariaLabel ?? label ?? element.textContent).trim();
}

/** Draws until it is so; the test's own timeout says when it never is. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** What has just appeared is not yet to be answered; half a second later it is. */
export async function read(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 520));
  await settled();
}

/** The element that has the focus, through shadow roots. */
export function focused(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}
