/**
 * Follows the end for a reader who is there, and holds what others read. Works in the own scrolling of a transcript, or of a
 * turn that stands alone, and in that of the page or box around it. It is the only one that scrolls, beside the browser, which
 * keeps `.end` where it stands in view.
 */
import type {ReactiveController, ReactiveControllerHost} from 'lit';
import {asks} from './asks.js';
import {inSight} from './in-sight.js';
import {NEAR, ReaderPlace, ROUNDED, type Sight} from './reader-place.js';
import {selectedRange} from './selected-range.js';

/** For how long it is taken as known which boxes may scroll, in milliseconds. */
const LOOK_MS = 500;

/** Something that was in sight, the edge of it that counts, and where that stood in all that is read. */
type Held = readonly [element: Element, edge: 'top' | 'bottom', at: number];

export class FollowEnd implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #place = new ReaderPlace();
  // Only the scroll: what else changes a size in here, browsers report to the page as an error of a loop.
  readonly #resized = new ResizeObserver(() => {
    this.#isTold = true;
    this.keep();
    this.#isTold = false;
  });
  /** True while sizes are told. */
  #isTold = false;
  /** What may scroll around the host, and when that was looked up. */
  #around: readonly Element[] = [];
  #lookedAt = -Infinity;
  #isKept = true;
  #scroller: Element;
  /** Where it was, and how high all that is in it, when it was seen last. */
  #top = 0;
  #height = 0;
  /** True once a reader at the head has asked for what was before it, until they go on. */
  #isHeadHeld = false;
  #held: Held[] = [];
  /** How far that was moved by us since it was noted. */
  #done = 0;
  #end: HTMLElement | null | undefined;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = this.#scroller = host;
    host.addController(this);
  }

  /** False once the reader has left the end, or was never there. */
  get following(): boolean {
    return this.#place.following !== false;
  }

  /** True while the end is out of sight, below what is read. */
  get away(): boolean {
    return !this.following && this.#sight().below > 0;
  }

  /** True where it is not the host that scrolls, but the page or a box around it. */
  get outside(): boolean {
    return this.#scroller !== this.#host;
  }

  hostConnected(): void {
    this.#lookedAt = -Infinity;
    document.addEventListener('selectionchange', this.#selected);
    this.#listen(this.#host);
    this.hostUpdated();
  }

  hostDisconnected(): void {
    document.removeEventListener('selectionchange', this.#selected);
    this.#listen(this.#host);
    this.#resized.disconnect();
  }

  hostUpdate(): void {
    this.heed();
  }

  hostUpdated(): void {
    this.#resized.observe(this.#host.shadowRoot?.querySelector('.turns') ?? this.#host);
    this.#resized.observe(this.#host);
    // Rows may change places within an unchanged height.
    if (!this.following) this.#keepSoon();
  }

  /** Goes to the end and follows it. */
  toEnd(): void {
    this.#set(true);
    this.keep();
  }

  /**
   * Before something is drawn: where the reader has scrolled to, or the browser by itself, though the event that tells it
   * is still on its way. Once more is drawn it cannot be told which of the two it was.
   */
  heed(): void {
    // Not before there is a place: to look has all be laid out that was drawn so far.
    if (this.#place.following !== null) this.#look();
  }

  /** The reader turns to something: from now on nothing moves; also what comes above who is at the head of a page, if it is asked for. */
  hold(isHeadHeld = false): void {
    this.#isHeadHeld = isHeadHeld;
    this.#set(false);
  }

  /** Follows or holds, after something has changed. Sizes are told before the paint, so neither is seen to lag. */
  readonly keep = (): void => {
    if (!this.#host.isConnected) return;
    this.#find();
    // A page is not scrolled to the end of what has only just been loaded into it, nor of what is over.
    const rows = this.#host.shadowRoot;
    if (this.#place.following === null && rows?.querySelector('.row:not(.status, .actions)')) {
      const {below, past} = this.#sight();
      this.#set(!this.outside || (rows.querySelector('.status') !== null && below < NEAR && !past));
    }
    this.#look(true);
  };

  /** Once in the next frame, however often it is asked for: asking for a frame has a price of its own. */
  #keepSoon() {
    if (!this.#isKept) return;
    this.#isKept = false;
    requestAnimationFrame(() => {
      this.#isKept = true;
      this.keep();
    });
  }

  /** The host draws what it knows of the reader; not while sizes are told, as what else waits to be drawn changes them. */
  #redraw() {
    requestAnimationFrame(() => this.#host.isConnected && this.#host.requestUpdate());
  }

  /**
   * Sees where what scrolls has been put since the last look, and what the reader does from that. Scrolls to hold what they
   * have in sight; to the end only where it was asked for: nothing takes them there while they come near.
   */
  #look(isAsked = false) {
    const scroller = this.#scroller;
    if (!isAsked && scroller.scrollTop === this.#top) return;
    const sight = this.#sight();
    const {by, grown, below} = sight;
    const far = this.#place.see(sight, this.following ? 0 : this.#moved());
    const {following} = this;
    // At once, also where a page has its scrolling glide.
    if (Math.abs(far) >= 1 && (isAsked || !following))
      scroller.scrollTo({top: scroller.scrollTop + far, behavior: 'instant'});
    this.#done += scroller.scrollTop - this.#top - by;
    this.#top = scroller.scrollTop;
    this.#height += grown;
    if (by !== 0) {
      this.#isHeadHeld = false;
      if (!following) this.#hold();
    }
    // What is shorter for a moment has the same size as before when sizes are told.
    if (grown < 0 || (following && (far < 0 || (far === 0 && below >= ROUNDED)))) this.#keepSoon();
    this.#show(below);
  }

  #sight(): Sight {
    const {scrollHeight, scrollTop, clientHeight} = this.#scroller;
    const rest = scrollHeight - scrollTop - clientHeight;
    const {top, bottom, scale} = this.#view();
    const end = this.#host.getBoundingClientRect().bottom;
    // Who follows the end is taken no further than to where it begins what is asked of them.
    const ask = [...asks].find(
      (one) => one.getRootNode() === this.#host.shadowRoot && one.getClientRects()[0],
    );
    const asked = ask ? (ask.getBoundingClientRect().top - top) / scale : Infinity;
    return {
      by: scrollTop - this.#top,
      grown: scrollHeight - this.#height,
      rest,
      // No further away than can be scrolled, whatever a browser tells where a page is zoomed.
      below: this.outside ? Math.min(rest, (end - bottom) / scale) : rest,
      asked,
      past: end <= top,
    };
  }

  /** How far what is held has moved in all that is read. */
  #moved(): number {
    // Who is at the head of a page stays there.
    if (this.outside && !this.#isHeadHeld && this.#scroller.scrollTop === 0) return 0;
    for (const [element, edge, at] of this.#held)
      if (element.getClientRects()[0])
        return this.#ruler()(element.getBoundingClientRect()[edge]) - at - this.#done;
    return 0;
  }

  /** Tells of a height on the screen where it is in all that is read, wherever that was scrolled to. */
  #ruler(): (y: number) => number {
    const {scale} = this.#view();
    const origin = this.#host.getBoundingClientRect().top - this.#host.scrollTop * scale;
    return (y) => (y - origin) / scale;
  }

  /** Where what scrolls is seen, on the screen; and how large a pixel of it is there, as a page may shrink what it holds. */
  #view(): {top: number; bottom: number; scale: number} {
    const scroller = this.#scroller as HTMLElement;
    const seen = scroller.getBoundingClientRect();
    const isPage = scroller === document.scrollingElement;
    const scale = (!isPage && seen.height / scroller.offsetHeight) || 1;
    const top = isPage ? 0 : seen.top + scroller.clientTop * scale;
    const bottom = Math.min(top + scroller.clientHeight * scale, document.documentElement.clientHeight);
    return {top, bottom, scale};
  }

  /** Notes what is in sight, what is selected first, then from the top down: the first that is still there is held. */
  #hold() {
    const host = this.#host;
    const {top: hostTop, bottom: hostBottom} = host.getBoundingClientRect();
    const {top, bottom} = this.#view();
    const placeOf = this.#ruler();
    this.#held = hostBottom > top ? [] : [[host, 'bottom', placeOf(hostBottom)]];
    this.#done = 0;
    const note = (one: Element | undefined) => {
      const rect = one?.getBoundingClientRect();
      if (one && rect && rect.bottom > top && rect.top < bottom)
        this.#held.push([one, 'top', placeOf(rect.top)]);
    };
    note(this.#selection());
    for (const one of inSight(host.shadowRoot!, Math.max(top, hostTop), Math.min(bottom, hostBottom)))
      if (one.closest(HOLDS)) note(one);
  }

  /** Finds the element that scrolls: the host, else the nearest around it. */
  #find() {
    let found = this.#mayScroll().find((element) => element.scrollHeight > element.clientHeight + 1);
    found ??= document.scrollingElement ?? document.documentElement;
    if (found !== this.#scroller) this.#listen(found);
  }

  /** The host and what is around it, where its style lets it scroll. A page seldom changes that. */
  #mayScroll(): readonly Element[] {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_MS) return this.#around;
    this.#lookedAt = now;
    const around: Element[] = [];
    let element: Element | undefined = this.#host;
    for (; element; element = element.assignedSlot ?? element.parentElement ?? hostOf(element))
      if (
        /auto|scroll/.test(overflowOf(element)) &&
        // Alone, that of a body is that of the window.
        (element !== document.body || overflowOf(document.documentElement) !== 'visible')
      )
        around.push(element);
    return (this.#around = around);
  }

  #listen(scroller: Element) {
    for (const type of HEARD) {
      heardAt(this.#scroller).removeEventListener(type, this.#heard, true);
      heardAt(scroller).addEventListener(type, this.#heard, {passive: true, capture: true});
    }
    this.#scroller = scroller;
    this.#top = scroller.scrollTop;
    this.#redraw();
  }

  /**
   * Has the browser keep the end, or not. Where others scroll, nothing of ours sticks to the lower edge: the button is put
   * there while its place is in sight.
   */
  #show(below: number) {
    // Looked for once: it stands behind all turns.
    const end = (this.#end ??= this.#host.shadowRoot?.querySelector<HTMLElement>('.edge'));
    if (!end) return;
    const foot = end.nextElementSibling as HTMLElement | null;
    // There is no button for who is at the end: nothing has to be measured, nor put somewhere at every growth.
    const isShown = end.hidden !== this.following && (!foot || (foot.hidden && this.following));
    if (isShown) return;
    if (this.#isTold) return this.#keepSoon();
    if (end.hidden === this.following) this.#redraw();
    end.hidden = !this.following;
    if (!foot) return;
    const {outside} = this;
    const {left, width, top} = this.#host.getBoundingClientRect();
    const edge = this.#view().bottom;
    foot.hidden = this.following || below < 1 || (outside && top > edge - 4 * NEAR);
    const put = (name: 'position' | 'translate' | 'left' | 'bottom', value: string) =>
      (foot.style[name] = outside ? value : '');
    put('position', 'fixed');
    put('translate', '-50%');
    put('left', `${left + width / 2}px`);
    put('bottom', `${document.documentElement.clientHeight - edge}px`);
  }

  /** A wheel, finger or key upwards stops it at once: the growing end must not win against the reader. */
  readonly #heard = (event: Event) => {
    const {type, ctrlKey, deltaX, deltaY, key, shiftKey} = event as WheelEvent & KeyboardEvent;
    const path = event.composedPath();
    const isUp =
      type === 'touchmove' ||
      // With Ctrl it zooms; a finger that goes sideways seldom does so without a touch upwards.
      (!ctrlKey && deltaY < -Math.abs(deltaX)) ||
      /^(ArrowUp|PageUp|Home)$/.test(key) ||
      (key === ' ' && shiftKey);
    if (type === 'scroll') this.#look();
    // Keys that nothing has the focus for scroll the page.
    else if (isUp && (path.includes(this.#host) || path[0] === document.body) && this.#scroller.scrollTop > 0)
      this.#set(false);
  };

  readonly #selected = () => {
    if (this.#selection()) this.#set(false);
  };

  /** Where the reader has selected something in here. */
  #selection(): Element | undefined {
    const root = this.#host.shadowRoot!;
    const range = selectedRange(root);
    const at = range && !range.collapsed && root.contains(range.endContainer) ? range.startContainer : null;
    const element = at instanceof Element ? at : at?.parentElement;
    // For some browsers, a caret in a field selects the field in what is around it.
    return element?.closest(HOLDS) ? element : undefined;
  }

  #set(following: boolean) {
    this.#place.following = following;
    if (!following) this.#hold();
    this.#show(this.#sight().below);
  }
}

/** What is held: a row, else what stands for rows that are not drawn yet, or not laid out. */
const HOLDS = '.row, .rests, [part=turn]';

const HEARD = ['scroll', 'wheel', 'touchmove', 'keydown'];

const overflowOf = (element: Element) => getComputedStyle(element).overflowY;

/** The page's scrolling is told to the document. */
function heardAt(scroller: Element): EventTarget {
  return scroller === document.scrollingElement ? document : scroller;
}

function hostOf(element: Element): Element | undefined {
  return (element.getRootNode() as Partial<ShadowRoot>).host;
}
