/**
 * Source events: what one frame says, before any adapter has looked at it.
 *
 * `bytes → SSE frames → **source events** → turn events → anchor → scene → rows`
 */

/** What one frame says: who it is, what it is called, what it carries. Nothing is inherited from earlier frames. */
export interface SourceEvent {
  /** The id the frame itself carried; null when it had none (or an empty one). Never the id of an earlier frame. */
  readonly id: string | null;
  /** The SSE event name; null when none was given, as on wires whose JSON names itself. */
  readonly name: string | null;
  /** The text as it came over the wire, or the value already parsed, as in recorded rows. */
  readonly data: string | object;
}
