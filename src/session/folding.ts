/**
 * Folding: frames and payloads in, one transcript out. The session's mutable cell for what is shown; it knows no network.
 *
 * `bytes → SSE frames → **source events → turn events → anchor** → scene → rows`
 */
import {readSettled} from '../adapters/index.js';
import {
  applySettled,
  applySnapshot,
  applyTurnEvents,
  beginTurn,
  createTranscript,
  toSnapshot,
  unrelatedSessions,
  UnreadableError,
  type FoldedTranscript,
  type RunStart,
  type SnapshotRank,
  type TextEvent,
  type TranscriptJson,
  type TurnAnchor,
  type TurnEvent,
} from '../anchor/index.js';
import {asObject, firstString, ownList, ownNumber, ownObject, ownValue} from '../anchor/json.js';
import {isSessionRun, type SourceEvent} from '../protocol/index.js';
import {FrameRing} from './frame-ring.js';
import type {SessionProblem} from './problem.js';
import {readPendingIds, type Settled} from './settled.js';
import type {Window} from './window.js';
import {WireReader} from './wire-reader.js';

/** So many pieces of a growing text are kept until somebody looks. */
const MOST_WAITING = 512;

export class Folding {
  readonly #ring = new FrameRing();
  #state = createTranscript();
  /** More of the text that was folded last: folded when somebody looks, all at once. */
  #growth: TurnEvent[] = [];
  /** What was folded last, where it was a piece of a text, and the run whose stream it came by. */
  #piece: {readonly event: TextEvent; readonly run: string | null} | null = null;
  #reader: WireReader | null = null;
  /** Runs known from a snapshot that cannot be continued; they are read from the start. */
  readonly #painted = new Set<string>();
  /** The turn made from the address alone, until a frame says whether the address told the truth. */
  #birth: {
    readonly start: RunStart;
    readonly before: FoldedTranscript;
    readonly after: FoldedTranscript;
  } | null = null;
  /** The run whose stream is read. */
  run: string | null = null;
  /** The place of the first message known, or of the first turn, where only a window of them was loaded; else 0. */
  earliest = 0;
  /** Which of the two the server counts. */
  unit: Window['unit'] = 'msg';
  /** How many messages the server last said there are. */
  messageCount: number | null = null;
  /** True while all that is shown comes from a recovery copy. */
  onlyRestored = false;

  get transcript(): FoldedTranscript {
    return this.#folded;
  }

  get #folded(): FoldedTranscript {
    if (this.#growth.length > 0) {
      const {run} = this.#piece!;
      this.#state = applyTurnEvents(this.#state, this.#growth.splice(0), {run});
    }
    return this.#state;
  }

  set #folded(folded: FoldedTranscript) {
    this.#state = folded;
    this.#piece = null;
  }

  get snapshot(): TranscriptJson {
    return toSnapshot(this.#folded);
  }

  get frames(): readonly SourceEvent[] {
    return this.#ring.last;
  }

  /** Forgets everything: another session follows. */
  reset(): void {
    this.#growth = [];
    this.#folded = createTranscript();
    this.#painted.clear();
    this.#birth = this.#reader = this.messageCount = null;
    this.earliest = 0;
    this.unit = 'msg';
    this.onlyRestored = false;
  }

  /** Forgets which wire speaks: another source follows. */
  rewire(): void {
    this.#reader = null;
  }

  begin(start: RunStart): void {
    this.#folded = beginTurn(this.#folded, start);
  }

  /** Makes the turn an address names, on probation. */
  bear(start: RunStart, before = this.#folded): void {
    this.#folded = beginTurn(before, start);
    this.#birth = {start, before, after: this.#folded};
  }

  /** Removes that turn if nothing was ever heard of it: an address, not a turn. */
  bury(): void {
    const birth = this.#birth;
    this.#birth = null;
    if (birth && this.#folded === birth.after) this.#folded = birth.before;
  }

  /**
   * Folds a batch of a run's stream, or (`ofSession`) of a channel beside it. Why that failed, else what it said; null
   * where it is more of the text that is being written, and nothing else.
   */
  receive(
    events: readonly SourceEvent[],
    wire: string,
    ofSession = false,
  ): SessionProblem | readonly TurnEvent[] | null {
    this.#ring.push(events);
    try {
      this.#reader ??= new WireReader(wire);
    } catch (cause) {
      return {code: 'unreadable', message: (cause as Error).message, cause};
    }
    const turnEvents = this.#reader.read(events);
    const names = this.#reader.unknown;
    if (names.length > 0) {
      const message = `No known producer sends ${names.join(', ')}. Name the wire, or check the address.`;
      return {code: 'unknown-wire', message, names};
    }
    if (!ofSession && this.#grows(turnEvents)) return null;
    if (!ofSession) this.#place(turnEvents);
    for (const {session} of turnEvents) if (session) this.#count(session);
    this.apply(turnEvents, ofSession ? null : this.run);
    const strangers = ofSession || this.turnOf(this.run) ? [] : unrelatedSessions(this.#folded);
    if (strangers.length > 0) {
      const message = `The stream is of another session (${strangers.join(', ')}) than its history. Check src and history.`;
      return {code: 'foreign', message, names: strangers};
    }
    return turnEvents;
  }

  /** What reads the wire is on its way; null when it is here. */
  get loading(): Promise<void> | null {
    return this.#reader?.loading ?? null;
  }

  /** True while the end of a run of raw ACP lines is known and not told. */
  get isDue(): boolean {
    return this.#reader?.isDue ?? false;
  }

  /** True when raw ACP lines are read and no turn of theirs goes on. */
  get isAcpAtRest(): boolean {
    return this.#reader?.isAcp === true && this.#folded.turns.every(({status}) => status === 'settled');
  }

  /** Tells the end of a run of raw ACP lines, if it is due. */
  finish(): boolean {
    const events = this.#reader?.finish() ?? [];
    if (events.length > 0) this.apply(events, this.run);
    return events.length > 0;
  }

  apply(events: readonly TurnEvent[], run: string | null): void {
    this.#folded = applyTurnEvents(this.#folded, events, {run});
    const event = events.at(-1);
    this.#piece = event?.type === 'text' && !event.claim ? {event, run} : null;
    this.onlyRestored &&= events.length === 0;
  }

  /** Takes in a settled payload: a transcript of ours, alone or in a gateway's answer, or a session of Hermes WebUI. A page lies over what is known. */
  settle(payload: unknown, from: string, isPage = false): Settled {
    const answer = asObject(payload) ?? {};
    const transcript =
      ownValue(answer, 'transcript') ?? (Object.hasOwn(answer, 'transcript') ? null : payload);
    const settled: Settled = {
      activeRun: firstString(answer, 'activeRunId'),
      cursor: firstString(answer, 'cursor'),
      pending: readPendingIds(answer),
      problem: null,
    };
    // A session of the gateway in which nothing was said yet.
    if (transcript === null && payload !== null) return settled;
    try {
      if (Object.hasOwn(asObject(transcript) ?? {}, 'format')) {
        const earlier = ownNumber(answer, 'earlier')! | 0;
        // A copy yields: what came between it and this is not known, nor what of it is still there.
        if (this.onlyRestored) this.#folded = createTranscript();
        const lost = this.#takeIn(transcript, isPage ? 'earlier' : 'history');
        this.unit = 'turn';
        this.earliest = earlier;
        return lost === 0 ? settled : {...settled, problem: damaged(from, lost)};
      }
      const whole = readSettled(transcript);
      const session = whole && (isPage ? {...whole, window: true} : whole);
      if (!session)
        throw new UnreadableError(`${from} is neither hermes.transcript.v1 nor a session of Hermes WebUI.`);
      const {live} = session;
      // A picture the server made of a run is shown until its frames are here, from the first one on.
      if (live && this.cursorOf(live.run) === null) this.#painted.add(live.run);
      this.#folded = applySettled(this.#folded, session);
      const {activeRun: runId, pending: asked, sessionId} = session;
      // The server names the run beside the message it answers: proof of where the run stands, also later (law 10).
      if (runId && asked?.startedAt != null)
        this.begin({runId, streamId: runId, sessionId, startedAtSeconds: asked.startedAt});
      this.#count(session);
      this.onlyRestored = false;
      return {...settled, activeRun: settled.activeRun ?? session.activeRun};
    } catch (cause) {
      return {activeRun: null, cursor: null, pending: null, problem: unreadable(from, cause)};
    }
  }

  /** Paints a recovery copy, which yields to everything. Throws when it is none. */
  restore(snapshot: unknown): void {
    this.#takeIn(snapshot, 'cache');
    this.onlyRestored = true;
  }

  turnOf(run: string | null): TurnAnchor | undefined {
    return this.#folded.turns.find(
      ({id, aliases, runIds, streamIds}) =>
        id === run || [runIds, streamIds, aliases].some((ids) => ids.includes(run!)),
    );
  }

  /** Where the stream of a run goes on; null where it must be read from the start. */
  cursorOf(run: string | null): string | null {
    // Positions of raw ACP lines are our own count, which no server knows.
    if (run === null || this.#painted.has(run) || this.#reader?.isAcp) return null;
    return this.turnOf(run)?.cursor || null;
  }

  /** True for a run that can only be shown until it is read from its start. */
  isPainted(run: string): boolean {
    return this.#painted.has(run);
  }

  /** Keeps more of the text that was folded last. False where something else was said, or what is kept grows too much. */
  #grows(events: readonly TurnEvent[]): boolean {
    const piece = this.#piece;
    if (!piece || piece.run !== this.run || this.#birth || events.length === 0) return false;
    if (this.#growth.length + events.length > MOST_WAITING) return false;
    if (!events.every((event) => continues(event, piece.event))) return false;
    this.#growth.push(...events);
    return true;
  }

  /** Takes a snapshot in. How many turns of it could not be read. */
  #takeIn(snapshot: unknown, rank: SnapshotRank): number {
    this.#folded = applySnapshot(this.#folded, snapshot, rank);
    if (rank !== 'cache') this.onlyRestored = false;
    const given = ownList(asObject(snapshot) ?? {}, 'turns');
    const turns = given.map(asObject).filter((turn) => turn !== null && firstString(turn, 'id') !== null);
    for (const turn of turns) {
      const resumable = ownObject(turn!, 'resume') !== null;
      for (const run of ownList(turn!, 'runIds')) {
        if (typeof run !== 'string') continue;
        // What it says to go on from may have been of no use.
        if (!(resumable && this.#folded.evidence.runs.get(run)?.seen)) this.#painted.add(run);
      }
    }
    return given.length - turns.length;
  }

  #count({offset, messageCount}: {readonly offset: number; readonly messageCount: number}): void {
    // A newer window loads no earlier messages away; where it does not reach those that are known, what is between is loaded first.
    this.earliest = offset <= (this.messageCount ?? -1) ? Math.min(this.earliest, offset) : offset;
    this.messageCount = messageCount;
  }

  /** The frames name another run than the address did: the frames know. */
  #place(events: readonly TurnEvent[]): void {
    if (this.run) this.#painted.delete(this.run);
    const birth = this.#birth;
    if (!birth || events.length === 0) return;
    const isUntouched = this.#folded === birth.after;
    const of = events.find(({run}) => run === null || !isSessionRun(run));
    if (!of) {
      // What is said of the session says nothing of its address: the turn stays on probation.
      const before = applyTurnEvents(birth.before, events);
      if (isUntouched) this.bear(birth.start, before);
      return;
    }
    const named = events.find(({run}) => run !== null && !isSessionRun(run))?.run;
    if (named && named !== this.run) {
      this.run = named;
      if (isUntouched)
        this.#folded = beginTurn(birth.before, {...birth.start, runId: named, streamId: birth.start.runId});
    }
    this.#birth = null;
  }
}

/** True for more of the same text, by the same name. */
function continues(event: TurnEvent, piece: TextEvent): boolean {
  return (
    event.type === 'text' &&
    !event.claim &&
    !event.session &&
    event.name === piece.name &&
    event.run === piece.run &&
    event.channel === piece.channel &&
    (event.messageId ?? null) === (piece.messageId ?? null) &&
    (event.sessionId ?? null) === (piece.sessionId ?? null)
  );
}

/** Why nothing could be read, in words for the reader. */
function unreadable(from: string, cause: unknown): SessionProblem {
  const isKnown = cause instanceof UnreadableError;
  const message = isKnown ? cause.message : `${from} could not be read. Load it again.`;
  return {code: 'unreadable', message, cause};
}

function damaged(from: string, lost: number): SessionProblem {
  const turns = lost === 1 ? '1 turn' : `${lost} turns`;
  const named = from.charAt(0).toLowerCase() + from.slice(1);
  return {code: 'unreadable', message: `${turns} of ${named} could not be read. The others are shown.`};
}

/** True when the turn's end is known and not guessed. */
export function isKnown(turn: TurnAnchor | undefined): boolean {
  return turn?.status === 'settled' && (turn.evidence === 'settled' || turn.evidence === 'observed');
}
