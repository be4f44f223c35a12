/** Addresses of turns and items on the page, `#turn-<id>` and `#turn-<id>/<item id>`, and how the reader comes there. */
import type {ReactiveController} from 'lit';
import type {HermesTranscript} from '../hermes-transcript.js';
import type {HermesTurn} from '../hermes-turn.js';

export interface Place {
  readonly turnId: string;
  readonly itemId?: string | undefined;
}

export function fragmentOf({turnId, itemId}: Place): string {
  const item = itemId === undefined ? '' : `/${encodeURIComponent(itemId)}`;
  return `#turn-${encodeURIComponent(turnId)}${item}`;
}

/** Null for a fragment that is another's. */
export function placeOf(fragment: string): Place | null {
  const [, turnId, itemId] = /^#turn-([^/]+)(?:\/([^/]+))?$/.exec(fragment) ?? [];
  if (turnId === undefined) return null;
  try {
    return {turnId: decodeURIComponent(turnId), itemId: itemId && decodeURIComponent(itemId)};
  } catch {
    return null;
  }
}

/**
 * Goes to a turn or to an item of it, opens what hides it, and focuses it; what is not loaded yet is loaded for it, page by
 * page, as long as it is still wanted. False where it is not there.
 */
export async function reveal(
  transcript: HermesTranscript,
  {turnId, itemId}: Place,
  isStill = () => true,
): Promise<boolean> {
  const turn = await loadedTurn(transcript, turnId, isStill);
  if (!turn || !isStill()) return false;
  turn.reader?.hold();
  await turn.updateComplete;
  if (itemId !== undefined) turn.unfold(itemId);
  await turn.updateComplete;
  const row =
    itemId === undefined ? null : turn.querySelector<HTMLElement>(`[data-item-id="${CSS.escape(itemId)}"]`);
  const target = row ?? turn;
  const button = row?.querySelector<HTMLElement>(':scope > [aria-expanded]');
  if (row && !button) row.tabIndex = -1;
  (button ?? target).focus({preventScroll: true});
  toHead(target);
  // Nobody who was taken near the end follows it.
  turn.reader?.heed();
  turn.reader?.hold();
  return itemId === undefined || row !== null;
}

async function loadedTurn(transcript: HermesTranscript, turnId: string, isStill: () => boolean) {
  const session = transcript.shown;
  for (;;) {
    const turns = [...transcript.renderRoot.querySelectorAll<HermesTurn>('[part=turn]')];
    const turn = turns.find(({anchor}) => anchor?.id === turnId || anchor?.aliases.includes(turnId));
    if (turn || !session?.hasEarlier || !isStill()) return turn;
    if (!(await session.loadEarlier().catch(() => false)) || transcript.shown !== session) return undefined;
    await transcript.updateComplete;
  }
}

/** What the ring around what has the focus takes, in pixels. */
const RING = 12;

/** Scrolls it to the head of the view, with room for its ring, unless the page has chosen how much is left there. */
function toHead(target: HTMLElement) {
  const isChosen = parseFloat(getComputedStyle(target).scrollMarginBlockStart) > 0;
  if (!isChosen) target.style.scrollMarginBlockStart = `${RING}px`;
  target.scrollIntoView({block: 'start'});
  if (!isChosen) target.style.scrollMarginBlockStart = '';
}

/** Goes where the page's address says: once that is there, and whenever the fragment changes. */
export class LinkFollower implements ReactiveController {
  static readonly #all = new WeakSet<HermesTranscript>();
  #wanted: Place | null = null;
  #isGoing = false;

  /** From now on, and as long as it has `links`. */
  static follow(host: HermesTranscript): void {
    if (this.#all.has(host)) return;
    this.#all.add(host);
    new LinkFollower(host);
  }

  private constructor(private readonly host: HermesTranscript) {
    for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
      host.addEventListener(type, this.#forget, {passive: true});
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('hashchange', this.#read);
    this.#read();
  }

  hostDisconnected(): void {
    removeEventListener('hashchange', this.#read);
  }

  hostUpdated(): void {
    if (this.#wanted && this.host.links && !this.#isGoing) void this.#go(this.#wanted);
  }

  async #go(wanted: Place) {
    const isStill = () => this.#wanted === wanted;
    this.#isGoing = true;
    const isThere = await reveal(this.host, wanted, isStill).catch(() => false);
    this.#isGoing = false;
    if (!isStill()) return this.hostUpdated();
    // What could not be loaded is not asked for at every change.
    if (isThere || this.host.shown?.hasEarlier) this.#wanted = null;
  }

  readonly #read = () => {
    this.#wanted = placeOf(location.hash);
    this.hostUpdated();
  };

  /** Who has begun to read is not taken elsewhere by what comes late. */
  readonly #forget = () => (this.#wanted = null);
}
