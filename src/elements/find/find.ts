/**
 * Finding in a conversation: in all its turns as they are shown, drawn or not, folded or not. The data say what there is, so
 * that counts are whole; the document says where it stands once the reader goes there.
 */
import type {ReactiveController} from 'lit';
import type {TurnAnchor} from '../../anchor/index.js';
import {parseDisplayMode, type DisplayMode} from '../../scene/index.js';
import {actionWords} from '../export/words.js';
import {spoken} from '../spoken.js';
import type {HermesTranscript} from '../hermes-transcript.js';
import type {HermesTurn} from '../hermes-turn.js';
import {DrawnMatches} from './drawn-matches.js';
import {isStill} from './drawn-ranges.js';
import {FindBar} from './find-bar.js';
import {findStyles} from './find-styles.js';
import {countOf, foldText, occurrences} from './folded-text.js';
import {intoView} from './into-view.js';
import {hasHighlights, Marks} from './marks.js';
import {TranscriptTexts} from './transcript-texts.js';
import {openPart} from './open-part.js';

/** Opens the bar of a transcript and finds the text, where one is given. Gives back how often it stands there. */
export async function find(host: HermesTranscript, text?: string): Promise<number> {
  let one = all.get(host);
  if (!one) all.set(host, (one = new Find(host)));
  return one.open(text);
}

const all = new WeakMap<HermesTranscript, Find>();

/** How long what changes is gathered before it is looked at, in ms. */
const PATIENCE = 200;
/** As long as is looked at a time, in ms. */
const SLICE = 12;

/** A part of a row the text stands in. */
export interface Hit {
  readonly turn: TurnAnchor;
  readonly row: string;
  readonly part: string;
  readonly count: number;
  /** All of it, as it is compared. */
  readonly folded: string;
}

/** One of the places where it stands in there. */
export interface Spot {
  readonly hit: Hit;
  readonly nth: number;
}

class Find implements ReactiveController {
  readonly #host: HermesTranscript;
  readonly #bar: FindBar;
  readonly #marks = new Marks();
  #texts = new TranscriptTexts();
  #drawn = new DrawnMatches('');
  #isOpen = false;
  #wanted = '';
  #hits: readonly Hit[] = [];
  #count = 0;
  #spot: Spot | null = null;
  /** Whether the reader has been taken to the spot. */
  #isThere = false;
  #search = 0;
  #looks: Promise<void> | null = null;
  #way = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #before: HTMLElement | null = null;
  #session: HermesTranscript['shown'] = null;
  #unsubscribe: (() => void) | undefined;
  /** What is the place in it, where it was drawn when it was marked last: it stays the same element when its id changes. */
  #row: HTMLElement | null = null;
  readonly #changed = new MutationObserver((records) => {
    const rows = new Set(records.map(({target}) => rowAround(target)));
    for (const row of rows) if (row) this.#keepMarks(row);
    this.#soon();
  });

  constructor(host: HermesTranscript) {
    this.#host = host;
    this.#bar = new FindBar(host, {
      typed: (text) => void this.#typed(text),
      step: (by) => void this.#step(by),
      close: () => this.#close(true),
    });
    host.addController(this);
  }

  async open(text: string | undefined): Promise<number> {
    const {isConnected, renderRoot} = this.#host;
    if (!isConnected) return 0;
    const root = renderRoot as ShadowRoot;
    if (!this.#isOpen) this.#begin(root);
    const {field} = this.#bar;
    if (text !== undefined) field.value = text;
    field.focus({preventScroll: true});
    field.select();
    if (text === undefined) await this.#typed(field.value);
    else {
      await this.#look(text);
      if (this.#spot) await this.#go();
    }
    return this.#count;
  }

  hostUpdated(): void {
    if (this.#isOpen) this.#follow();
  }

  hostDisconnected(): void {
    this.#close(false);
  }

  #begin(root: ShadowRoot) {
    this.#isOpen = true;
    this.#texts = new TranscriptTexts(Boolean(this.#host.math));
    this.#before = (root.activeElement ?? document.activeElement) as HTMLElement | null;
    const sheet = findStyles.styleSheet!;
    if (!root.adoptedStyleSheets.includes(sheet))
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    this.#draw();
    this.#bar.open(root);
    const turns = root.querySelector('.turns')!;
    this.#changed.observe(turns, {
      childList: true,
      characterData: true,
      subtree: true,
      attributeFilter: ['hidden'],
    });
    this.#follow();
  }

  #close(givesBack: boolean) {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#search++;
    this.#way++;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.disconnect();
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#session = null;
    this.#bar.close();
    this.#marks.clear();
    this.#texts = new TranscriptTexts();
    this.#drawn = new DrawnMatches('');
    this.#wanted = '';
    this.#hits = [];
    this.#count = 0;
    this.#spot = null;
    this.#row = null;
    this.#isThere = false;
    const before = this.#before;
    this.#before = null;
    if (!givesBack) return;
    const isFocusable = before?.isConnected && before !== document.body;
    (isFocusable ? before : this.#host).focus({preventScroll: true});
  }

  /** Hears of what is not drawn, too. */
  #follow() {
    const {shown} = this.#host;
    this.#soon();
    if (shown === this.#session) return;
    this.#session = shown;
    this.#unsubscribe?.();
    this.#unsubscribe = shown?.subscribe(() => this.#soon());
  }

  #soon() {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // One that goes on is not begun again before it has seen everything.
      if (this.#looks) void this.#looks.then(() => this.#soon());
      else void this.#look(this.#bar.field.value);
    }, PATIENCE);
  }

  /** What the reader types is looked for from where they are, and gone to where nothing has to be opened for it. */
  async #typed(text: string) {
    await this.#look(text);
    if (this.#spot && !this.#isThere && this.#isSeen(this.#spot)) await this.#go(false);
  }

  /** Whether nothing has to be opened for it. */
  #isSeen({hit, nth}: Spot): boolean {
    const row = this.#rowOf(hit);
    const at = row?.hidden === false ? this.#drawn.in(row, hit)[nth] : undefined;
    return (at?.startContainer.parentElement?.getClientRects().length ?? 0) > 0;
  }

  #look(text: string): Promise<void> {
    const wanted = foldText(text).text;
    if (wanted !== this.#wanted) {
      this.#wanted = wanted;
      this.#drawn = new DrawnMatches(wanted);
      this.#spot = null;
      this.#isThere = false;
    }
    const looks = this.#countAll().finally(() => {
      if (this.#looks === looks) this.#looks = null;
    });
    return (this.#looks = looks);
  }

  async #countAll() {
    const search = ++this.#search;
    const turns = this.#turns;
    const hits: Hit[] = [];
    let end = performance.now() + SLICE;
    for (const turn of this.#wanted === '' ? [] : turns) {
      for (const {row, part, folded} of this.#texts.of(turn, this.#mode)) {
        const count = countOf(folded, this.#wanted);
        if (count > 0) hits.push({turn, row, part, count, folded});
      }
      if (performance.now() < end) continue;
      await pause();
      if (search !== this.#search) return;
      end = performance.now() + SLICE;
    }
    this.#hits = hits;
    this.#count = hits.reduce((sum, {count}) => sum + count, 0);
    const same = this.#sameSpot(this.#spot);
    // Where it was is no more: what is next is the place that is counted now.
    this.#isThere &&= same !== null;
    this.#spot = same ?? this.#nearest();
    this.#draw();
    this.#mark();
  }

  get #turns(): readonly TurnAnchor[] {
    return this.#host.shown?.transcript.turns ?? [];
  }

  get #mode(): DisplayMode {
    return parseDisplayMode(this.#host.mode);
  }

  /** Where the reader was, in what is there now. */
  #sameSpot(spot: Spot | null): Spot | null {
    if (!spot) return null;
    const {turn, row, part} = spot.hit;
    const hits = this.#hits.filter((one) => one.part === part && idsOf(one.turn).includes(turn.id));
    const now = this.#row?.isConnected ? this.#row.dataset['itemId'] : undefined;
    const hit = hits.find((one) => one.row === row) ?? hits.find((one) => one.row === now);
    return hit ? {hit, nth: this.#sameNth(spot, hit)} : null;
  }

  /** Which of them it has become: in another text, what stands before it may be the same, or what follows. */
  #sameNth({hit: before, nth}: Spot, {folded, count}: Hit): number {
    const [at] = [...occurrences(before.folded, this.#wanted)].slice(nth);
    const isMoved =
      !folded.startsWith(before.folded.slice(0, at! + this.#wanted.length)) &&
      folded.endsWith(before.folded.slice(at));
    return Math.min(isMoved ? nth + count - before.count : nth, count - 1);
  }

  /** The first from the upper edge of the view on. */
  #nearest(): Spot | null {
    const top = Math.max(0, this.#host.getBoundingClientRect().top);
    const elements = this.#elements;
    const seen = elements.findIndex((turn) => turn.getBoundingClientRect().bottom > top);
    const before = byId(elements.slice(0, Math.max(0, seen)));
    const hit = this.#hits.find(({turn}) => !before(turn)) ?? this.#hits[0];
    return hit ? {hit, nth: 0} : null;
  }

  async #step(by: 1 | -1) {
    // What has come since it was looked at counts, too.
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      await this.#look(this.#bar.field.value);
    } else if (this.#looks) await this.#looks;
    const {hit, nth} = this.#spot ?? {};
    if (!hit || nth === undefined) return;
    if (this.#isThere) {
      const at = this.#hits.indexOf(hit);
      if (hit.count > nth + by && nth + by >= 0) this.#spot = {hit, nth: nth + by};
      else {
        const next = this.#hits.at((at + by) % this.#hits.length)!;
        this.#spot = {hit: next, nth: by > 0 ? 0 : next.count - 1};
      }
    }
    await this.#go();
  }

  /** Takes the reader to the spot: draws and opens what hides it, unless it is only looked at on the way. */
  async #go(opens = true) {
    const way = ++this.#way;
    const {hit, nth} = this.#spot!;
    const turn = this.#elementOf(hit.turn);
    if (!turn) return;
    this.#isThere = true;
    this.#draw();
    turn.reader?.hold();
    if (opens) await openPart(turn, hit, (row) => this.#drawn.again(row, hit)[nth]);
    if (way !== this.#way || !this.#isOpen) return;
    // What was pressed to show all of a text may have taken the focus.
    if (opens && turn.matches(':focus-within')) this.#bar.field.focus({preventScroll: true});
    this.#reach(turn);
    // What rested until now takes its own room from the next frame on.
    await frame();
    if (way === this.#way && this.#isOpen) this.#reach(turn);
  }

  #reach({reader}: HermesTurn) {
    if (!hasHighlights()) this.#bar.leaveField();
    const at = this.#mark(true);
    const row = this.#spot && this.#rowOf(this.#spot.hit);
    // What was opened has moved what was in sight. That is over: it is held where it is seen from here on.
    reader?.hold();
    if (at) intoView(at);
    else row?.scrollIntoView({block: 'nearest'});
    // And nobody who was taken near the end follows it.
    reader?.heed();
    reader?.hold();
  }

  #draw() {
    const words = spoken({actions: actionWords}, this.#host.strings).actions.find;
    this.#bar.draw({at: this.#at, count: this.#count, isEmpty: this.#wanted === ''}, words);
  }

  get #at(): number {
    const {hit, nth} = this.#spot ?? {};
    if (!hit) return 0;
    let at = nth! + 1;
    for (const one of this.#hits) {
      if (one === hit) return at;
      at += one.count;
    }
    return 0;
  }

  /** Marks what is drawn of what was found, from the spot outwards; gives back where that is. */
  #mark(isNew = false): AbstractRange | null {
    const at = this.#spot ? this.#hits.indexOf(this.#spot.hit) : 0;
    const turnOf = byId(this.#elements);
    const marked: StaticRange[] = [];
    let current: StaticRange | null = null;
    for (let away = 0; away < this.#hits.length && marked.length < MOST; away++) {
      for (const hit of away === 0 ? [this.#hits[at]] : [this.#hits[at - away], this.#hits[at + away]]) {
        const turn = hit && turnOf(hit.turn);
        const row = turn && rowIn(turn, hit.row);
        if (!hit || !row || row.hidden !== false) continue;
        const ranges = this.#drawn.in(row, hit);
        for (const range of ranges) marked.push(range);
        if (hit !== this.#spot?.hit) continue;
        current = ranges[this.#spot.nth] ?? null;
        this.#row = row;
      }
    }
    this.#marks.show(marked, current, isNew);
    return current;
  }

  /** What is drawn there is another: marks stand on what was looked for, or nowhere, before it is seen. */
  #keepMarks(row: HTMLElement) {
    const parts = this.#drawn.last(row);
    this.#drawn.forget(row);
    const isSeen = row.hidden === false;
    if (isSeen && parts.every(([, ranges]) => ranges.every((range) => isStill(range, this.#wanted)))) return;
    for (const [part, ranges] of parts) this.#marks.change(ranges, isSeen ? this.#drawn.in(row, {part}) : []);
  }

  get #elements(): HermesTurn[] {
    return [...this.#host.renderRoot.querySelectorAll<HermesTurn>('[part=turn]')];
  }

  #elementOf(turn: TurnAnchor): HermesTurn | undefined {
    return byId(this.#elements)(turn);
  }

  #rowOf({turn, row}: Hit): HTMLElement | null {
    const element = this.#elementOf(turn);
    return element ? rowIn(element, row) : null;
  }
}

/** So many are marked at a time: more would hold up the page, and nobody looks at them all. */
const MOST = 2000;

/** Which of them shows a turn, as it was or as it has become: while it goes on, it is another value at any time. */
function byId(elements: readonly HermesTurn[]): (turn: TurnAnchor) => HermesTurn | undefined {
  const known = new Map<string, HermesTurn>();
  for (const element of elements) for (const id of idsOf(element.anchor)) known.set(id, element);
  return (turn) => {
    const id = idsOf(turn).find((one) => known.has(one));
    return id === undefined ? undefined : known.get(id);
  };
}

function idsOf(turn: TurnAnchor | undefined): readonly string[] {
  return turn ? [turn.id, ...turn.aliases] : [];
}

function rowAround(node: Node): HTMLElement | null {
  return (
    (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>('[data-item-id]') ?? null
  );
}

function rowIn(turn: HermesTurn, id: string): HTMLElement | null {
  return turn.querySelector<HTMLElement>(`[data-item-id="${CSS.escape(id)}"]`);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function frame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}
