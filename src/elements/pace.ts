/**
 * When the turns of a long transcript are drawn: the newest at once, the others a few at a time while the page has nothing
 * else to do, from the end upwards, and at any time those a reader comes near to. Until then a turn takes about the room
 * it will need.
 */
import type {ReactiveController, ReactiveControllerHost} from 'lit';
import {restLater, restUnseen} from './rest.js';
import {selectedRange} from './selected-range.js';

/** A turn that can wait. */
export interface Paced extends HTMLElement {
  readonly hasUpdated: boolean;
  /** How high it may be, in pixels. */
  readonly likelyHeight: number;
  draw(): void;
}

/** Whoever keeps the reader's place: told before something is drawn, and after it. */
export interface Reader {
  heed(): void;
  keep(): void;
}

/** Runs something when there is time, with the milliseconds there are left; gives back how to take that back. */
export type Later = (run: (left: () => number) => void) => () => void;

/** How many of the newest are drawn at once. */
export const AT_ONCE = 4;
/** As long as drawing may take at a time, in ms; its layout takes two or three times as long, and the reader's next key waits for both. */
const SLICE = 8;
/** A page that is always busy is drawn too. */
const PATIENCE = 100;

export class Pace implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #reader: Reader;
  readonly #later: Later;
  /** In the order in which they stand, those that came later behind; some may be drawn already. */
  readonly #waiting: Paced[] = [];
  #takeBack: (() => void) | null = null;
  /** Tells of those the reader comes near to. */
  readonly #near = new IntersectionObserver((entries) => this.#came(entries), NEAR);

  constructor(host: ReactiveControllerHost & HTMLElement, reader: Reader, later: Later = whenIdle) {
    this.#host = host;
    this.#reader = reader;
    this.#later = later;
    host.addController(this);
  }

  hostConnected(): void {
    document.addEventListener('copy', this.#copied, {capture: true});
    for (const turn of this.#waiting) this.#near.observe(turn);
    this.#ask();
  }

  hostDisconnected(): void {
    document.removeEventListener('copy', this.#copied, {capture: true});
    this.#near.disconnect();
    this.#takeBack?.();
    this.#takeBack = null;
  }

  /** The turn is drawn when its time has come. */
  wait(turn: Paced): void {
    turn.dataset['undrawn'] = '';
    turn.style.minBlockSize = `${turn.likelyHeight}px`;
    this.#waiting.push(turn);
    this.#near.observe(turn);
    this.#ask();
  }

  /** The turn is drawn, whoever asked for it. */
  drawn(turn: Paced): void {
    if (turn.dataset['undrawn'] === undefined) return;
    delete turn.dataset['undrawn'];
    turn.style.minBlockSize = '';
    this.#near.unobserve(turn);
    const group = turn.parentElement;
    if (group?.nextElementSibling?.classList.contains('group')) restLater(group);
  }

  /** Draws all that is missing, for who has to see everything. */
  drawAll(): void {
    for (let turn = this.#waiting.pop(); turn; turn = this.#waiting.pop()) turn.draw();
  }

  #ask() {
    if (this.#waiting.length > 0 && this.#host.isConnected) this.#takeBack ??= this.#later(this.#slice);
  }

  readonly #slice = (left: () => number) => {
    this.#takeBack = null;
    const drawn: Paced[] = [];
    this.#reader.heed();
    do {
      const turn = this.#next();
      if (!turn) break;
      turn.draw();
      drawn.push(turn);
    } while (left() > 0);
    restUnseen(drawn);
    // At once: a page that looks before the next frame finds the place as the reader does.
    if (drawn.length > 0) this.#reader.keep();
    this.#ask();
  };

  #next(): Paced | undefined {
    let turn = this.#waiting.pop();
    while (turn && (turn.hasUpdated || !turn.isConnected)) turn = this.#waiting.pop();
    return turn;
  }

  #came(entries: readonly IntersectionObserverEntry[]) {
    this.#reader.heed();
    for (const {isIntersecting, target} of entries) if (isIntersecting) (target as Paced).draw();
    this.#reader.keep();
  }

  /** Who copies across what is not drawn yet gets all of it. */
  readonly #copied = () => {
    if (this.#waiting.length > 0 && isSelected(this.#host)) this.drawAll();
  };
}

const paces = new WeakMap<Element, Pace>();

/** That of a transcript, made with the first turn that waits. */
export function paceOf(host: ReactiveControllerHost & HTMLElement, reader: Reader): Pace {
  let pace = paces.get(host);
  if (!pace) paces.set(host, (pace = new Pace(host, reader)));
  return pace;
}

const NEAR: IntersectionObserverInit & {readonly scrollMargin: string} = {
  rootMargin: '50%',
  scrollMargin: '50%',
};

function isSelected(host: HTMLElement): boolean {
  const root = host.shadowRoot;
  const range = root && selectedRange(root);
  if (!range || range.collapsed) return false;
  const isInside = root.contains(range.startContainer) || root.contains(range.endContainer);
  return isInside || getSelection()!.containsNode(host, true);
}

function whenIdle(run: (left: () => number) => void): () => void {
  const timed = () => {
    const end = performance.now() + SLICE;
    run(() => end - performance.now());
  };
  // Not in every engine.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(timed, PATIENCE / 4);
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(timed, {timeout: PATIENCE});
  return () => cancelIdleCallback(id);
}
