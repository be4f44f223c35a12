/** Connection states: what a stream is doing right now, as frozen data. */
import type {StreamError} from './stream-error.js';

/**
 * `idle` before the first attempt, `connecting`, `open` while the body is read, `waiting` for the next attempt, `paused`
 * while the page is frozen or has long been hidden, `ended` when there is nothing more to read, `lost` when asking again
 * by itself would not help.
 */
export type ConnectionPhase = 'idle' | 'connecting' | 'open' | 'waiting' | 'paused' | 'ended' | 'lost';

/** What a stream is doing, and why. */
export interface ConnectionState {
  readonly phase: ConnectionPhase;
  /** Which attempt this is, from 1; counted anew after every one that brought the stream further. */
  readonly attempt: number;
  /**
   * Why it waits or is lost; also why an `ended` stream never told how the turn ended, and `buffered` on an `open` one
   * that something on the way holds back. Null when all is well.
   */
  readonly error: StreamError | null;
  /** When the next attempt begins, ms since 1970, while waiting. */
  readonly retryAt: number | null;
}
