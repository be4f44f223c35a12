/** Resuming: where in a run a request wants to continue, by the rules of Hermes WebUI. */
import {parseEventId} from '../../src/protocol/index.js';
import type {JournalFrame} from './journal.js';

/** What a request says about what it has read. */
export interface ResumeRequest {
  readonly query: URLSearchParams;
  readonly lastEventId: string | null;
}

/** What is known of the run when the request comes. */
export interface KnownRun {
  readonly run: string | null;
  readonly frames: readonly JournalFrame[];
  /** How many of the frames there are by now. */
  readonly length: number;
}

/**
 * The index of the first frame to send; null when the request names no cursor at all. A cursor that cannot be used (of
 * another run, ahead, no number) is no error: everything is sent again.
 *
 * Frames with a borrowed id after the cursor are sent again, where the real server may skip them for ever (a cancel then
 * waits for the worker's own). Both are at-least-once; this one always ends.
 */
export function resumeIndex(request: ResumeRequest, known: KnownRun): number | null {
  const seq = cursorOf(request, known.run);
  if (seq === null) return null;
  const last = known.frames.slice(0, known.length).findLast(({owned}) => owned);
  if (!last || seq > last.seq) return 0;
  return known.frames.findLastIndex(({owned, seq: own}) => owned && own <= seq) + 1;
}

function cursorOf({query, lastEventId}: ResumeRequest, run: string | null): number | null {
  const eventId = query.get('after_event_id');
  if (eventId !== null) return seqIn(run, eventId);
  const seq = query.get('after_seq');
  if (seq !== null) return /^\d+$/.test(seq) ? Number(seq) : 0;
  // Any cursor in the query silences the header, also one that says nothing.
  if (query.has('replay')) return 0;
  return lastEventId === null ? null : seqIn(run, lastEventId);
}

function seqIn(run: string | null, eventId: string): number {
  const id = parseEventId(eventId);
  return id?.run === run ? (id?.seq ?? 0) : 0;
}
