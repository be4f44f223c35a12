/**
 * Where the reader is: at the end, which is followed, or elsewhere, which is held. Works in the own scrolling of a
 * transcript, or of a turn that stands alone, and in that of the page or box around it. It is the only one that scrolls.
 */
import type {ReactiveController, ReactiveControllerHost} from 'lit';
import {inSight} from './in-sight.js';
import {selectedRange} from './selected-range.js';

/** How near the end counts as there, in pixels. */
const NEAR = 32;
/** For how long it is taken as known which boxes may scroll, in milliseconds. */
const LOOK_MS = 500;

/** Something that was in sight, the edge of it that counts, and where that stood below the view's upper edge. */
type Held = readonly [element: Element, edge: 'top' | 'bottom', at: number];

export class FollowEnd implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  // Only the scroll: what else changes a size in here, browsers report to the page as an error of a loop.
  readonly #resized = new ResizeObserver(() => {
    this.#isTold = true;
    // Whether the end is followed is decided at the first row, not a frame and many rows later.
    if (this.#following === null) this.keep();
    else if (this.#host.isConnected) {
      this.#scroll(this.#following ? this.#find() : (this.#scroller ?? this.#find()));
      // Who is at the end is there again; for others something may have to be put somewhere.
      if (!this.#following || !this.#foot?.hidden) this.#keepSoon();
    }
    this.#isTold = false;
  });
  /** True while sizes are told. */
  #isTold = false;
  /** What may scroll around the host, and when that was looked up. */
  #around: readonly Element[] = [];
  #lookedAt = -Infinity;
  #isKept = true;
  #scroller: Element | null = null;
  #following: boolean | null = null;
  #top = 0;
  /** How high that was which scrolls, when it was last put somewhere. */
  #height = 0;
  #held: Held[] = [];
  #foot: HTMLElement | null | undefined;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
  }

  /** False once the reader has left the end, or was never there. */
  get following(): boolean {
    return this.#following !== false;
  }

  /** True while the end is out of sight, below what is read. */
  get away(): boolean {
    return this.#following === false && this.#below() > 0;
  }

  /** True where it is not the host that scrolls, but the page or a box around it. */
  get outside(): boolean {
    return this.#scroller !== this.#host;
  }

  hostConnected(): void {
    const host = this.#host;
    this.#lookedAt = -Infinity;
    for (const type of INTENTS) host.addEventListener(type, this.#meant, {passive: true});
    document.addEventListener('selectionchange', this.#selected);
    this.hostUpdated();
  }

  hostDisconnected(): void {
    for (const type of INTENTS) this.#host.removeEventListener(type, this.#meant);
    document.removeEventListener('selectionchange', this.#selected);
    this.#listen(null);
    this.#resized.disconnect();
  }

  hostUpdate(): void {
    this.heed();
  }

  hostUpdated(): void {
    const root = this.#host.shadowRoot;
    if (!root) return;
    const content = root.querySelector('.turns');
    if (content) this.#resized.observe(content);
    this.#resized.observe(this.#host);
    // Rows may change places within an unchanged height.
    if (this.#following === false) this.#keepSoon();
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
    if (this.#following !== null && this.#scroller?.scrollTop !== this.#top) this.#scrolled();
  }

  /** The reader turns to something: from now on nothing moves. */
  hold(): void {
    this.#set(false);
  }

  /** Follows or holds, after something has changed. Sizes are told before the paint, so neither is seen to lag. */
  readonly keep = (): void => {
    if (!this.#host.isConnected) return;
    const scroller = this.#find();
    // A page is not scrolled to the end of what has only just been loaded into it, nor of what is over.
    const rows = this.#host.shadowRoot;
    if (this.#following === null && rows?.querySelector('.row'))
      this.#set(
        scroller === this.#host ||
          (rows.querySelector('.status') !== null && this.#below() < NEAR && !this.#past()),
      );
    this.#scroll(scroller);
    this.#place();
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
    const draw = () => this.#host.isConnected && this.#host.requestUpdate();
    if (this.#isTold) requestAnimationFrame(draw);
    else draw();
  }

  #scroll(scroller: Element) {
    this.heed();
    const by = this.following ? Math.max(0, this.#below()) : this.#moved();
    if (this.#following !== null && Math.abs(by) >= 1) this.#go(scroller, by);
    this.#top = scroller.scrollTop;
    this.#height = scroller.scrollHeight;
  }

  /** At once, also where a page has its scrolling glide. */
  #go(scroller: Element, by: number) {
    scroller.scrollTo({top: scroller.scrollTop + by, behavior: 'instant'});
  }

  /** How much of the end is out of sight below. */
  #below(): number {
    const {scrollHeight, scrollTop, clientHeight} = this.#host;
    return this.outside
      ? this.#host.getBoundingClientRect().bottom - this.#view().bottom
      : scrollHeight - scrollTop - clientHeight;
  }

  /** Whether the reader is at something of the page, below. */
  #past(): boolean {
    return this.outside && this.#host.getBoundingClientRect().bottom <= this.#view().top;
  }

  /** How far what the reader looks at has moved. */
  #moved(): number {
    // Who is at the head of a page stays there.
    if (this.outside && this.#scroller?.scrollTop === 0) return 0;
    const {top} = this.#view();
    for (const [element, edge, at] of this.#held)
      if (element.getClientRects()[0]) return element.getBoundingClientRect()[edge] - top - at;
    return 0;
  }

  #view(): {top: number; bottom: number} {
    const scroller = this.#scroller;
    if (!scroller || scroller === document.scrollingElement)
      return {top: 0, bottom: document.documentElement.clientHeight};
    const top = scroller.getBoundingClientRect().top + scroller.clientTop;
    return {top, bottom: Math.min(top + scroller.clientHeight, document.documentElement.clientHeight)};
  }

  /** Notes what is in sight, what is selected first, then from the top down: the first that is still there is held. */
  #hold() {
    this.#held = [];
    const host = this.#host;
    const {top: hostTop, bottom: hostBottom} = host.getBoundingClientRect();
    const {top, bottom} = this.#view();
    if (hostBottom <= top) this.#held.push([host, 'bottom', hostBottom - top]);
    const note = (one: Element) => this.#held.push([one, 'top', one.getBoundingClientRect().top - top]);
    const selected = this.#selection();
    const rect = selected?.getBoundingClientRect();
    if (selected && rect && rect.bottom > top && rect.top < bottom) note(selected);
    for (const one of inSight(host.shadowRoot!, Math.max(top, hostTop), Math.min(bottom, hostBottom)))
      if (one.closest(HOLDS)) note(one);
  }

  /** The element that scrolls: the host, else the nearest around it. */
  #find(): Element {
    let found = this.#mayScroll().find((element) => element.scrollHeight > element.clientHeight + 1);
    found ??= document.scrollingElement ?? document.documentElement;
    if (found !== this.#scroller) this.#listen(found);
    return found;
  }

  /** The host and what is around it, where its style lets it scroll. A page seldom changes that. */
  #mayScroll(): readonly Element[] {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_MS) return this.#around;
    this.#lookedAt = now;
    const around: Element[] = [];
    let element: Element | null = this.#host;
    for (; element; element = element.assignedSlot ?? element.parentElement ?? shadowHost(element))
      if (/auto|scroll/.test(getComputedStyle(element).overflowY)) around.push(element);
    return (this.#around = around);
  }

  #listen(scroller: Element | null) {
    heardAt(this.#scroller)?.removeEventListener('scroll', this.#scrolled);
    this.#scroller = scroller;
    this.#top = scroller?.scrollTop ?? 0;
    this.#redraw();
    heardAt(scroller)?.addEventListener('scroll', this.#scrolled, {passive: true});
  }

  readonly #scrolled = () => {
    const scroller = this.#scroller;
    if (!scroller || scroller.scrollTop === this.#top) return;
    const by = scroller.scrollTop - this.#top;
    const up = by < 0;
    // The browser goes along with what it has chosen below a transcript that grows: that is no reader at the end.
    const isDrawnAlong = !up && !this.following && Math.abs(scroller.scrollHeight - this.#height - by) < 1;
    const isShorter = scroller.scrollHeight < this.#height;
    this.#top = scroller.scrollTop;
    this.#height = scroller.scrollHeight;
    if (isDrawnAlong) return;
    const below = this.#below();
    if (this.#past()) this.#set(false);
    else if (up ? below >= 1 : below < NEAR) this.#set(!up);
    else if (!this.following) this.#hold();
    // The browser scrolls up where the content has become shorter, if only for a moment; then the end is still near.
    else if (isShorter) this.#keepSoon();
    this.#place();
  };

  /** Where others scroll, nothing of ours sticks to the lower edge: the button is put there while its place is in sight. */
  #place() {
    // Looked for once: it stands behind all turns.
    const foot = (this.#foot ??= this.#host.shadowRoot?.querySelector<HTMLElement>('.foot'));
    if (!foot) return;
    const {outside} = this;
    // There is no button for who is at the end: nothing has to be measured, nor put somewhere at every growth.
    if (this.#following && foot.hidden) return;
    if (!outside && !foot.hidden && !foot.classList.contains('outside')) return;
    const {left, width, top, bottom} = this.#host.getBoundingClientRect();
    const edge = this.#view().bottom;
    foot.classList.toggle('outside', outside);
    foot.hidden = this.#following === true || (outside && (top > edge - 4 * NEAR || bottom <= edge));
    foot.style.left = outside ? `${left + width / 2}px` : '';
    foot.style.bottom = outside ? `${document.documentElement.clientHeight - edge}px` : '';
  }

  /** A wheel, finger or key upwards stops it at once: the growing end must not win against the reader. */
  readonly #meant = (event: Event) => {
    const {deltaY, key, shiftKey} = event as WheelEvent & KeyboardEvent;
    const up =
      event.type === 'touchmove' ||
      deltaY < 0 ||
      /^(ArrowUp|PageUp|Home)$/.test(key) ||
      (key === ' ' && shiftKey);
    if (up && this.#scroller && this.#scroller.scrollTop > 0) this.#set(false);
  };

  readonly #selected = () => {
    if (this.#selection()) this.#set(false);
  };

  /** Where the reader has selected something in here. */
  #selection(): Element | null {
    const root = this.#host.shadowRoot!;
    const range = selectedRange(root);
    const at = range && !range.collapsed && root.contains(range.endContainer) ? range.startContainer : null;
    return at instanceof Element ? at : (at?.parentElement ?? null);
  }

  #set(following: boolean) {
    if (!following) this.#hold();
    if (following === this.#following) return;
    this.#following = following;
    this.#redraw();
  }
}

/** What is held: a row, else what stands for rows that are not drawn yet, or not laid out. */
const HOLDS = '.row, .rests, [part=turn]';

const INTENTS = ['wheel', 'touchmove', 'keydown'];

/** The page's scrolling is told to the document. */
function heardAt(scroller: Element | null): EventTarget | null {
  return scroller && scroller === document.scrollingElement ? document : scroller;
}

function shadowHost(element: Element): Element | null {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}
