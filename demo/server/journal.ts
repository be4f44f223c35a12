/** Journals: what a server would hold of a run, put together from what was recorded of it. */
import {borrowsId, parseEventId, type SourceEvent} from '../../src/protocol/index.js';

/** One frame and when it came, in ms after the first request. */
export interface JournalFrame {
  readonly event: SourceEvent;
  /** Its place in the run; frames without an id take that of the frame before them. */
  readonly seq: number;
  /** True when the id is the frame's own, so that a reader's cursor can stand on it. */
  readonly owned: boolean;
  readonly at: number;
}

/** One recorded stream. */
export interface RecordedStream {
  readonly events: readonly SourceEvent[];
  /** When each frame came. */
  readonly arrivals: readonly number[];
}

/**
 * The frames of all streams, each once, in the order of the run. Delivery may have been in another order (a frame that
 * came late, a second reader), which says something about that delivery and nothing about the run.
 */
export function journalOf(streams: readonly RecordedStream[]): readonly JournalFrame[] {
  const known = new Set<string>();
  const frames: JournalFrame[] = [];
  let offset = 0;
  for (const {events, arrivals} of streams) {
    let seq = 0;
    for (const [n, event] of events.entries()) {
      seq = parseEventId(event.id ?? '')?.seq ?? seq;
      const key = `${event.id} ${event.name}`;
      if (event.id !== null && known.has(key)) continue;
      known.add(key);
      const owned = event.id !== null && !borrowsId(event);
      frames.push({event, seq, owned, at: offset + (arrivals[n] ?? 0)});
    }
    offset = frames.at(-1)?.at ?? offset;
  }
  const inOrder = frames.sort((a, b) => a.seq - b.seq || Number(b.owned) - Number(a.owned));
  return withoutGoingBack(inOrder);
}

/** The runs that the ids of these frames name. */
export function runsOf(frames: readonly JournalFrame[]): readonly string[] {
  const runs = frames.map(({event}) => parseEventId(event.id ?? '')?.run);
  return [...new Set(runs.filter((run) => run !== undefined))];
}

// A frame that was recorded late was still there before those that follow it.
function withoutGoingBack(frames: readonly JournalFrame[]): JournalFrame[] {
  let soonest = Infinity;
  const capped = frames.toReversed().map((frame) => {
    soonest = Math.min(soonest, frame.at);
    return {...frame, at: soonest};
  });
  return capped.reverse();
}
