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
import {FindBar} from './find-bar.js';
import {findStyles} from './find-styles.js';
import {countOf, foldText} from './folded-text.js';
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
  readonly #changed = new MutationObserver((records) => {
    for (const {target} of records) this.#drawn.forget(target);
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
        if (count > 0) hits.push({turn, row, part, count});
      }
      if (performance.now() < end) continue;
      await pause();
      if (search !== this.#search) return;
      end = performance.now() + SLICE;
    }
    this.#hits = hits;
    this.#count = hits.reduce((sum, {count}) => sum + count, 0);
    this.#spot = this.#sameSpot(this.#spot) ?? this.#nearest();
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
    const hit = this.#hits.find((one) => one.row === row && one.part === part && isSameTurn(one.turn, turn));
    return hit ? {hit, nth: Math.min(spot.nth, hit.count - 1)} : null;
  }

  /** The first from the upper edge of the view on. */
  #nearest(): Spot | null {
    const top = Math.max(0, this.#host.getBoundingClientRect().top);
    const seen = this.#elements.findIndex((turn) => turn.getBoundingClientRect().bottom > top);
    const before = new Set(this.#turns.slice(0, Math.max(0, seen)));
    const hit = this.#hits.find(({turn}) => !before.has(turn)) ?? this.#hits[0];
    return hit ? {hit, nth: 0} : null;
  }

  async #step(by: 1 | -1) {
    if (this.#looks) await this.#looks;
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
    this.#reach();
    // What rested until now takes its own room from the next frame on.
    await frame();
    if (way === this.#way && this.#isOpen) this.#reach();
  }

  #reach() {
    if (!hasHighlights()) this.#bar.leaveField();
    const at = this.#mark(true);
    const row = this.#spot && this.#rowOf(this.#spot.hit);
    if (at) intoView(at);
    else row?.scrollIntoView({block: 'nearest'});
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
    const elements = this.#elements;
    const places = new Map(this.#turns.map((turn, index) => [turn, elements[index]]));
    const marked: StaticRange[] = [];
    let current: StaticRange | null = null;
    for (let away = 0; away < this.#hits.length && marked.length < MOST; away++) {
      for (const hit of away === 0 ? [this.#hits[at]] : [this.#hits[at - away], this.#hits[at + away]]) {
        const turn = hit && places.get(hit.turn);
        const row = turn && rowIn(turn, hit.row);
        if (!hit || !row || row.hidden !== false) continue;
        const ranges = this.#drawn.in(row, hit);
        for (const range of ranges) marked.push(range);
        if (hit === this.#spot?.hit) current = ranges[Math.min(this.#spot.nth, ranges.length - 1)] ?? null;
      }
    }
    this.#marks.show(marked, current, isNew);
    return current;
  }

  get #elements(): HermesTurn[] {
    return [...this.#host.renderRoot.querySelectorAll<HermesTurn>('[part=turn]')];
  }

  /** They stand in the order of the turns. */
  #elementOf(turn: TurnAnchor): HermesTurn | undefined {
    const at = this.#turns.findIndex((one) => isSameTurn(one, turn));
    return this.#elements[at];
  }

  #rowOf({turn, row}: Hit): HTMLElement | null {
    const element = this.#elementOf(turn);
    return element ? rowIn(element, row) : null;
  }
}

/** So many are marked at a time: more would hold up the page, and nobody looks at them all. */
const MOST = 2000;

/** The same, or the one it has become: a turn that was bound to a run has another id. */
function isSameTurn({id, aliases}: TurnAnchor, before: TurnAnchor): boolean {
  return id === before.id || aliases.includes(before.id);
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
