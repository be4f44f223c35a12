/**
 * Page life: what freezing, hiding, sleeping and going offline mean for a page's streams.
 *
 * Over HTTP/1.1 a browser allows six connections to a server, for all its tabs. So a page that has been hidden for seconds
 * pauses streams on which it waits for nothing, and after minutes all that can be resumed without loss. A frozen page, or
 * one put aside for the back button, lets go of them at once. Coming back asks again at once where that helps.
 */
import {systemClock, type Clock} from './clock.js';
import type {EventStream} from './event-stream.js';

/** How long a hidden page keeps streams on which it waits for nothing, in ms; so often it looks whether it does. */
export const LONGEST_IDLE = 3_000;

/** How long a hidden page keeps streams on which it waits for something, in ms. */
export const LONGEST_HIDDEN = 300_000;

/** What of a page its life is told by; the page itself, or a test's. */
export interface Page {
  readonly document: EventTarget & {readonly visibilityState: string};
  readonly window: EventTarget;
  readonly navigator: {readonly onLine?: boolean};
}

/** Streams as their page moves them. */
export type PagedStream = Pick<
  EventStream,
  'state' | 'resumable' | 'pause' | 'resume' | 'offline' | 'reconnect'
>;

/** What follows a page. */
export interface PageFollower {
  /** The streams of this moment. */
  streams(): readonly PagedStream[];
  /** True while nothing goes on that these streams would have to tell a page nobody looks at. */
  isIdle?(): boolean;
  /** The page may never come back: the last chance to keep something. */
  onLeave?(): void;
  /** The page is seen again, or online again. */
  onReturn?(): void;
  readonly page?: Page | null | undefined;
  readonly clock?: Clock | undefined;
}

/** The page this script runs in; null in Node and workers. */
export function thisPage(): Page | null {
  return typeof document === 'undefined' || typeof window === 'undefined'
    ? null
    : {document, window, navigator};
}

/** True while nobody can see the page or it says it is offline: no time to call anything lost. */
export function isAway(page: Page | null = thisPage()): boolean {
  return page !== null && (page.document.visibilityState === 'hidden' || page.navigator.onLine === false);
}

/** Follows the page until the function it returns is called. */
export function followPage(follower: PageFollower): () => void {
  const {page = thisPage(), clock = systemClock} = follower;
  if (!page) return () => undefined;
  const end = new AbortController();
  let looks: unknown;
  const isHidden = () => page.document.visibilityState === 'hidden';
  const on = (target: EventTarget, names: string, run: () => void) => {
    for (const name of names.split(' ')) target.addEventListener(name, run, {signal: end.signal});
  };
  const each = (run: (stream: PagedStream) => void) => follower.streams().forEach(run);
  // Never on a wire without a cursor: what it says meanwhile could not be asked for again.
  const pause = () => each((stream) => stream.resumable && stream.pause());
  const watch = () => {
    clock.clearTimeout(looks);
    if (!isHidden()) return;
    let since = clock.now();
    // Again and again: runs end, and others begin, also where nobody looks.
    const look = () => {
      const isIdle = follower.isIdle?.();
      if (isIdle) since = clock.now();
      if (isIdle || clock.now() - since >= LONGEST_HIDDEN) pause();
      looks = clock.setTimeout(look, LONGEST_IDLE);
    };
    looks = clock.setTimeout(look, LONGEST_IDLE);
  };
  // Also of a page that stays hidden: it is loaded, thawed or online.
  const back = () => {
    watch();
    each((stream) => stream.resume());
    follower.onReturn?.();
  };
  const leave = () => {
    follower.onLeave?.();
    pause();
  };
  const visibility = () => (isHidden() ? watch() : back());
  on(page.document, 'visibilitychange', visibility);
  on(page.document, 'freeze', leave);
  on(page.window, 'pagehide', leave);
  on(page.document, 'resume', back);
  on(page.window, 'pageshow', back);
  on(page.window, 'offline', () => each((stream) => stream.offline()));
  on(page.window, 'online', () => {
    // The network may be another one, and an open connection dead without knowing it.
    each((stream) => stream.resumable && stream.state.phase === 'open' && stream.reconnect());
    back();
  });
  watch();
  return () => {
    end.abort();
    clock.clearTimeout(looks);
  };
}
