/**
 * The session: the one mutable cell. It holds the connections of one session and the transcript they lead to.
 *
 * `bytes → SSE frames → source events → turn events → anchor` are joined here; each batch is folded once and told once.
 */
import type {
  FoldedTranscript,
  RunStart,
  Stats,
  Transcript,
  TranscriptJson,
  TurnAnchor,
} from '../anchor/index.js';
import type {SourceEvent} from '../protocol/index.js';
import {
  openEventStream,
  requestJson,
  type Clock,
  type ConnectionState,
  type EventStream,
} from '../transport/index.js';
import {FrameRing} from './frame-ring.js';
import {loadedModel, loadModel, type Model} from './load-model.js';
import {birthOf, routesOf, type Routes, type SessionSource} from './source.js';
import type {WireReader} from './wire-reader.js';

/**
 * Why a session cannot show what it should: `unknown-wire` (no frame told which producer speaks; `names` are those
 * seen), `history` (the settled session could not be loaded), `unreadable` (a payload or wire that is none we know),
 * `script` (a part of this library could not be loaded).
 */
export interface SessionProblem {
  readonly code: 'unknown-wire' | 'history' | 'unreadable' | 'script';
  /** A sentence that says what to do. */
  readonly message: string;
  readonly names?: readonly string[];
  readonly cause?: unknown;
}

/** What a session waits by; given by tests. */
export interface SessionOptions {
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** What is shown before anything was folded. */
const NOTHING = {
  session: {
    id: null,
    aliases: [],
    title: null,
    usage: null,
    context: null,
    sideEffects: [],
    notices: [],
    stats: {applied: 0, duplicate: 0, mismatched: 0, borrowed: 0, excluded: {}},
  },
  turns: [],
} satisfies Transcript;

const IDLE: ConnectionState = Object.freeze({phase: 'idle', attempt: 1, error: null, retryAt: null});

/** One session: its transcript, what feeds it, and who is told. Another session needs another one of these. */
export class Session {
  readonly #options: SessionOptions;
  readonly #ring = new FrameRing();
  readonly #listeners = new Set<() => void>();
  #source: SessionSource = {};
  #model: Model | null = loadedModel();
  #folded: FoldedTranscript | null = null;
  /** What waits for the folding part, in order. */
  #waiting: ((model: Model) => void)[] = [];
  #reader: WireReader | null = null;
  #connection = IDLE;
  #problem: SessionProblem | null = null;
  /** The present connection; what an earlier one still brings is dropped. */
  #live: AbortController | null = null;
  #stream: EventStream | null = null;
  #run: string | null = null;
  /** Runs known from a snapshot that cannot be continued; they are read from the start. */
  readonly #painted = new Set<string>();
  /** The turn made from the address alone, until a frame says whether the address told the truth. */
  #birth: {
    readonly start: RunStart;
    readonly before: FoldedTranscript;
    readonly after: FoldedTranscript;
  } | null = null;

  constructor(options: SessionOptions = {}) {
    this.#options = options;
  }

  /** The same reference means nothing changed. */
  get transcript(): Transcript {
    return this.#folded ?? NOTHING;
  }

  get connection(): ConnectionState {
    return this.#connection;
  }

  get problem(): SessionProblem | null {
    return this.#problem;
  }

  /** The frames read last, raw, for bug reports. */
  get frames(): readonly SourceEvent[] {
    return this.#ring.last;
  }

  /** What was done with the frames that no turn owns; each turn has its own. */
  get stats(): Stats {
    return this.transcript.session.stats;
  }

  /** The transcript as `hermes.transcript.v1`. Setting one, or a settled session payload, shows it. */
  get snapshot(): TranscriptJson {
    return this.#model && this.#folded
      ? this.#model.toSnapshot(this.#folded)
      : {format: 'hermes.transcript.v1', ...NOTHING};
  }

  set snapshot(payload: unknown) {
    this.#with((model) => {
      this.#problem = null;
      this.#settle(model, payload, 'The transcript');
      this.#tell();
    });
  }

  /** Calls the listener after every change, once a batch. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Shows a source: its settled session first, then its stream. */
  open(source: SessionSource): void {
    this.disconnect();
    this.#source = source;
    this.#reader = null;
    this.connect();
  }

  /** Creates the turn of a run that a server has just accepted, before its first frame. */
  begin(start: RunStart): void {
    this.#with((model) => {
      this.#folded = model.beginTurn(this.#transcriptOf(model), start);
      this.#tell();
    });
    const free = this.#stream === null || this.#stream.state.phase === 'ended';
    const url = this.#live && free ? this.#routes.stream(start.streamId ?? start.runId) : undefined;
    if (url !== undefined && url !== this.#source.src) this.#follow(url, start.runId);
  }

  /** Connects, or goes on where it stood; asks again at once where it waits or was lost. */
  connect(): void {
    if (this.#live) {
      const {phase} = this.#connection;
      if (phase === 'waiting' || phase === 'lost') this.#stream?.reconnect();
      return;
    }
    this.#live = new AbortController();
    void this.#attach(this.#live.signal);
  }

  /** Lets go of the connections; the run goes on, and so does what is shown. */
  disconnect(): void {
    this.#live?.abort();
    this.#live = this.#stream = null;
    if (this.#connection !== IDLE) {
      this.#connection = IDLE;
      this.#tell();
    }
  }

  /** Does what folds, now or as soon as the folding part is here; always in the order it was asked for. */
  #with(work: (model: Model) => void): void {
    if (this.#model) return work(this.#model);
    this.#waiting.push(work);
    if (this.#waiting.length > 1) return;
    loadModel().then(
      (model) => {
        this.#model = model;
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const each of waiting) each(model);
      },
      (cause: unknown) => {
        this.#waiting = [];
        this.disconnect();
        this.#fail('script', 'A part of hermes-elements did not load. Serve its chunks folder beside it.', {
          cause,
        });
      },
    );
  }

  async #loaded(): Promise<Model | null> {
    if (!this.#model) await new Promise<void>((resolve) => this.#with(() => resolve()));
    return this.#model;
  }

  #transcriptOf(model: Model): FoldedTranscript {
    return (this.#folded ??= model.createTranscript());
  }

  get #routes(): Routes {
    return routesOf(this.#source);
  }

  async #attach(signal: AbortSignal) {
    const {history, stream} = this.#routes;
    const active = history === undefined ? null : await this.#load(history, signal);
    const url = stream(active);
    if (signal.aborted || this.#stream || url === undefined) return;
    const start = birthOf(url);
    // A snapshot that still waits for the folding part may know the run.
    if (this.#waiting.length > 0) await loadModel().catch(() => null);
    if (signal.aborted || this.#stream) return;
    const turn = start && this.#turnOf(start.runId);
    if (turn && isKnown(turn)) return;
    if (start && !turn) this.#with((model) => this.#bear(model, start));
    this.#follow(url, start?.runId ?? null);
  }

  #bear(model: Model, start: RunStart) {
    const before = this.#transcriptOf(model);
    const after = model.beginTurn(before, start);
    this.#folded = after;
    this.#birth = {start, before, after};
    this.#tell();
  }

  #follow(url: string, run: string | null) {
    const {headers, credentials, fetch} = this.#source;
    const {signal} = this.#live!;
    this.#run = run;
    this.#stream = openEventStream({
      url,
      headers,
      credentials,
      fetch,
      signal,
      ...this.#options,
      cursor: {lastEventId: (run !== null && !this.#painted.has(run) && this.#turnOf(run)?.cursor) || null},
      onBatch: (events) => this.#with((model) => signal.aborted || this.#receive(model, events)),
      onState: (state) => {
        if (signal.aborted) return;
        this.#connection = state;
        if (state.phase === 'ended' || state.phase === 'lost')
          this.#with(() => signal.aborted || this.#over(signal));
        this.#tell();
      },
    });
  }

  #receive(model: Model, events: readonly SourceEvent[]) {
    this.#ring.push(events);
    try {
      this.#reader ??= new model.WireReader(this.#routes.wire);
    } catch (cause) {
      this.disconnect();
      return this.#fail('unreadable', String(cause instanceof Error ? cause.message : cause), {cause});
    }
    const turnEvents = this.#reader.read(events);
    const names = this.#reader.unknown;
    if (names.length > 0) {
      return this.#fail(
        'unknown-wire',
        `No known producer sends ${names.join(', ')}. Name the wire, or check the address.`,
        {
          names,
        },
      );
    }
    this.#problem = null;
    if (this.#run) this.#painted.delete(this.#run);
    const named = turnEvents.find((event) => event.run !== null);
    if (named?.run) this.#correctBirth(model, named.run);
    if (turnEvents.length > 0) this.#birth = null;
    this.#folded = model.applyTurnEvents(this.#transcriptOf(model), turnEvents, {run: this.#run});
    this.#tell();
  }

  /** The frames name another run than the address did: the frames know. */
  #correctBirth(model: Model, run: string) {
    const birth = this.#birth;
    if (!birth || run === this.#run) return;
    this.#run = run;
    if (this.#folded !== birth.after) return;
    this.#folded = model.beginTurn(birth.before, {...birth.start, runId: run, streamId: birth.start.runId});
  }

  /** Nothing more will be streamed. Where that left the end in doubt, the settled session is asked once more. */
  #over(signal: AbortSignal) {
    const birth = this.#birth;
    this.#birth = null;
    // Nothing was ever heard of it: an address, not a turn, and no shell of one is left standing.
    if (birth && this.#folded === birth.after) {
      this.#folded = birth.before;
      this.#tell();
    }
    const {history} = this.#routes;
    const turn = (this.#run && this.#turnOf(this.#run)) ?? this.transcript.turns.at(-1);
    if (history !== undefined && !(turn && isKnown(turn))) void this.#load(history, signal);
  }

  /** Loads the settled session; the run that is active in it, if there is one. */
  async #load(url: string, signal: AbortSignal): Promise<string | null> {
    const {headers, credentials, fetch} = this.#source;
    try {
      const payload = await requestJson(url, {headers, credentials, fetch, signal});
      const model = await this.#loaded();
      if (signal.aborted || !model) return null;
      this.#problem = null;
      return this.#settle(model, payload, url);
    } catch (cause) {
      if (!signal.aborted) this.#problem = {code: 'history', message: (cause as Error).message, cause};
      return null;
    } finally {
      if (!signal.aborted) this.#tell();
    }
  }

  #settle(model: Model, payload: unknown, from: string): string | null {
    const {transcript = payload, activeRunId = null} = (payload ?? {}) as {
      transcript?: unknown;
      activeRunId?: string | null;
    };
    if (transcript === null) return activeRunId;
    try {
      if ((transcript as {format?: unknown}).format !== undefined) {
        this.#folded = model.applySnapshot(this.#transcriptOf(model), transcript, 'history');
        for (const {resume, runIds} of (transcript as TranscriptJson).turns)
          if (!resume) for (const run of runIds) this.#painted.add(run);
        return activeRunId;
      }
      const settled = model.readSettled(transcript);
      if (settled) {
        this.#folded = model.applySettled(this.#transcriptOf(model), settled);
        return activeRunId ?? settled.activeRun;
      }
      this.#fail('unreadable', `${from} is neither hermes.transcript.v1 nor a session of Hermes WebUI.`);
    } catch (cause) {
      this.#fail('unreadable', (cause as Error).message, {cause});
    }
    return null;
  }

  #turnOf(run: string): TurnAnchor | undefined {
    return this.transcript.turns.find(
      ({id, aliases, runIds, streamIds}) =>
        id === run || [runIds, streamIds, aliases].some((ids) => ids.includes(run)),
    );
  }

  #fail(code: SessionProblem['code'], message: string, more: Partial<SessionProblem> = {}) {
    this.#problem = {code, message, ...more};
    this.#tell();
  }

  #tell() {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** True when the turn's end is known and not guessed. */
function isKnown({status, evidence}: TurnAnchor): boolean {
  return status === 'settled' && (evidence === 'settled' || evidence === 'observed');
}
