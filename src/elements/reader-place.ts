/**
 * Where the reader is: at the end, which is followed, or elsewhere, which is held. Knows numbers only: who measures them
 * scrolls as far as it is told.
 */

/** How near the end counts as there, in pixels. */
export const NEAR = 32;
/** So near it is there: browsers round, the more so where a page is zoomed. */
export const ROUNDED = 3;
/** How often it is looked again before a browser that has taken the reader along is seen not to. */
const PATIENCE = 8;

/** What is seen of that which scrolls, since it was seen last; in pixels. */
export interface Sight {
  /** How far it was scrolled: by the reader, the page, or the browser itself. */
  readonly by: number;
  /** How much higher all that is in it has become. */
  readonly grown: number;
  /** How far down it may still be scrolled. */
  readonly rest: number;
  /** How far below the view the end is. */
  readonly below: number;
  /** How far below the upper edge of the view that begins which is asked of the reader; infinite without it. */
  readonly asked: number;
  /** True where even the end is above the view: the reader is at something else of the page. */
  readonly past: boolean;
}

export class ReaderPlace {
  /** Null before it is decided. The reader chooses, or the page, beside what is seen. */
  following: boolean | null = null;
  /** How often it may still be waited for a browser that has taken the reader along so far. */
  #patience = 0;
  /** Where it began when it was seen last, and not passed by the browser alone. */
  #asked = Infinity;

  /** How far to scroll now, where what is held has moved so far among all that is read. */
  see({by, grown, rest, below, past, asked}: Sight, moved: number): number {
    // The browser goes along with the end, also past what is asked there.
    if (this.following && asked <= -1 && this.#asked >= 0 && by >= 0 && by < grown + ROUNDED) return asked;
    this.#asked = asked;
    // Not so far that what is asked would go out of sight; who has passed that has chosen.
    const goal = asked > -1 ? Math.min(below, asked) : below;
    const isFar = goal >= ROUNDED;
    // A browser that takes the reader along goes as far as the end has moved. Who gets less far is on the way up.
    const isUp = by < (this.following ? Math.max(0, grown) : 0);
    const isPassed = asked <= -1 && below >= NEAR;
    if (by !== 0 && (past || isPassed || (isUp && isFar))) this.following = false;
    else if (by > 0 && !isUp && !this.following && goal < NEAR) this.following = true;
    if (this.following) {
      if (!isFar && by > 0 && grown > 0) this.#patience = PATIENCE;
      // A glide that begins keeps the browser from that, and would end if it was scrolled now.
      return isFar && (by !== 0 || --this.#patience <= 0) ? goal : 0;
    }
    this.#patience = 0;
    // The browser goes along with what stands below; and who scrolls there does not see what moves above.
    if (past && by !== 0) return 0;
    // Where there is less, the browser may have scrolled up as nothing else was left.
    return by < 0 && grown < 0 && rest < ROUNDED ? moved - by : moved;
  }
}
