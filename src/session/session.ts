/**
 * The session: the one mutable cell. It holds the connections of one session and the transcript they lead to.
 *
 * `bytes → SSE frames → source events → turn events → anchor` are joined here; each batch is folded once and told once.
 * This file makes the first connection; what folds and what asks the server is loaded beside it (`session-core.ts`).
 */
import type {RunStart, Stats, Transcript, TranscriptJson} from '../anchor/index.js';
import type {AgentFacts, SourceEvent} from '../protocol/index.js';
import {openEventStream, requestJson, type ConnectionState} from '../transport/index.js';
import {LONGEST_SILENCE} from '../transport/watchdog.js';
import type {Controls} from './controls.js';
import {loadedModel, loadModel} from './load-model.js';
import {missing, type SessionProblem} from './problem.js';
import {report} from './report.js';
import type {SessionCore} from './session-core.js';
import type {FollowOptions, PendingLook, SessionHost, SessionOptions} from './session-host.js';
import type {Settled} from './settled.js';
import {birthOf, routesOf, type SessionSource} from './source.js';

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

const NONE: ReadonlySet<string> = new Set();

/** Told of a change: of how many pieces of the text that is being written, which may wait a little; of 0 where anything else is new. */
export type SessionListener = (pieces: number) => void;

/** One session: its transcript, what feeds it, what it can be asked, and who is told. */
export class Session {
  readonly #listeners = new Set<SessionListener>();
  /** What is shared with the lazily loaded part. */
  readonly #host: SessionHost;
  #core: SessionCore | null = null;
  /** What waits for that part, in order, and what is done if it does not come. */
  #waiting: (readonly [work: (core: SessionCore) => void, failed: (() => void) | undefined])[] = [];
  /** True when a snapshot waits for it. */
  #hasSnapshot = false;
  #live: AbortController | null = null;
  /** How many settled payloads are asked for. */
  #loading = 0;
  /** What is being loaded of what came before. */
  #earlier: Promise<boolean> | null = null;

  constructor(options: SessionOptions = {}) {
    this.#host = {
      options,
      source: {},
      stream: null,
      signal: null,
      connection: IDLE,
      problem: null,
      pendingControls: NONE,
      pendingLook: null,
      agent: null,
      follow: (url, run, more) => this.#follow(url, run, more),
      load: (url, isPage) => this.#load(url, isPage),
      open: (source) => this.open(source),
      tell: (pieces) => this.#tell(pieces),
    };
    const model = loadedModel();
    if (model) this.#core = new model.SessionCore(this.#host);
  }

  /** The same reference means nothing changed. */
  get transcript(): Transcript {
    return this.#core?.folding.transcript ?? NOTHING;
  }

  get connection(): ConnectionState {
    return this.#host.connection;
  }

  get problem(): SessionProblem | null {
    return this.#host.problem;
  }

  /** The frames read last, raw, for bug reports. */
  get frames(): readonly SourceEvent[] {
    return this.#core?.folding.frames ?? [];
  }

  /** What was done with the frames that no turn owns; each turn has its own. */
  get stats(): Stats {
    return this.transcript.session.stats;
  }

  /** The transcript as `hermes.transcript.v1`. Setting one, or a settled session payload, shows it. */
  get snapshot(): TranscriptJson {
    return this.#core?.folding.snapshot ?? {format: 'hermes.transcript.v1', ...NOTHING};
  }

  set snapshot(payload: unknown) {
    this.#hasSnapshot = true;
    this.#with((core) => {
      this.#host.problem = core.settle(payload, 'The transcript').problem;
      this.#tell();
    });
  }

  /** True when the server takes controls from here: its full form is known, not a stream alone. */
  get canControl(): boolean {
    const {base, sessionId, wire} = this.#host.source;
    // Our gateway makes a session for the first prompt.
    return base !== undefined && (Boolean(sessionId) || wire !== 'hermes-webui');
  }

  /** True where a run that goes on takes a further instruction. */
  get canSteer(): boolean {
    return this.canControl && (this.#host.source.wire === 'hermes-webui' || this.agent?.canSteer === true);
  }

  /** Ids of the controls the server says it waits for. */
  get pendingControls(): ReadonlySet<string> {
    return this.#host.pendingControls;
  }

  /** Whether the server is being asked for them, or why it could not be; null when it has said. `connect()` asks again. */
  get pendingLook(): PendingLook | null {
    return this.#host.pendingLook;
  }

  /** What the session's agent can do and how it is set; null where the server does not say. */
  get agent(): AgentFacts | null {
    return this.#host.agent;
  }

  /** Where the session comes from. */
  get source(): SessionSource {
    return this.#host.source;
  }

  /** True when the server has more from before the first that is shown. */
  get hasEarlier(): boolean {
    return (this.#core?.folding.earliest ?? 0) > 0;
  }

  /** True while the settled session, or more of it, is asked for. */
  get isLoading(): boolean {
    return this.#loading > 0;
  }

  /** The time by its clock, in ms since 1970. */
  now(): number {
    return this.#host.options.clock?.now() ?? Date.now();
  }

  /** Calls the listener after every change, once a batch. What is told is folded when `transcript` is read. */
  subscribe(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Shows a source: its settled session first, then its stream. Another session than before begins empty. */
  open(source: SessionSource): void {
    const before = this.#host.source;
    this.disconnect();
    this.#host.source = source;
    // What could not be read of a snapshot is said also where a source follows it.
    if (before.src ?? before.history ?? before.base) this.#host.problem = null;
    this.#with((core) => core.open(before));
    this.connect();
  }

  /** Creates the turn of a run that a server has just accepted, before its first frame. */
  begin(start: RunStart): void {
    this.#with((core) => core.begin(start));
  }

  /** Connects, or goes on where it stood; asks again at once where it waits or was lost. */
  connect(): void {
    if (this.#live) return this.#with((core) => core.again());
    const {signal} = (this.#live = new AbortController());
    this.#host.signal = signal;
    void this.#attach(signal);
  }

  /** Lets go of the connections; the run goes on, and so does what is shown. */
  disconnect(): void {
    this.#live?.abort();
    this.#live = this.#host.signal = this.#host.stream = null;
    this.#host.pendingControls = NONE;
    this.#host.pendingLook = null;
    if (this.#host.connection !== IDLE) {
      this.#host.connection = IDLE;
      this.#tell();
    }
  }

  /** Starts a turn, at a gateway also the session if there is none yet. Rejects with a sentence when the server does not. `more` goes into the request as it is. */
  send(prompt: string, more?: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#want((controls) => controls.send(prompt, more));
  }

  /** Asks for a stop of the run that goes on. It has stopped when its stream says so. */
  cancel(): Promise<void> {
    return this.#want((controls) => controls.cancel());
  }

  /** Says something to the run that goes on. */
  steer(text: string): Promise<void> {
    return this.#want((controls) => controls.steer(text));
  }

  /** Puts the session's agent into another mode. */
  setMode(mode: string): Promise<void> {
    return this.#want((controls) => controls.set('mode', {mode}));
  }

  /** Gives an option of the session's agent another value. */
  setOption(id: string, value: string | boolean): Promise<void> {
    return this.#want((controls) => controls.set('config', {id, value}));
  }

  /** Answers an approval or a question: with an option's id, or in words. */
  answer(controlId: string, choice: string): Promise<void> {
    return this.#want((controls) => controls.answer(controlId, choice));
  }

  /** Loads some of what came before the first that is shown; whoever asks meanwhile gets the same. False when nothing came. */
  loadEarlier(): Promise<boolean> {
    return (this.#earlier ??= this.#ask((core) => core.loadEarlier()).finally(() => (this.#earlier = null)));
  }

  async #want(wish: (controls: Controls) => Promise<void>): Promise<void> {
    await this.#ask(async (core) => wish(await core.controls()));
  }

  async #ask<T>(question: (core: SessionCore) => Promise<T>): Promise<T> {
    const core = await this.#loaded();
    if (core) return question(core);
    throw new Error(this.#host.problem?.message);
  }

  /** Does what needs the lazily loaded part, now or as soon as it is here; always in the order it was asked for. */
  #with(work: (core: SessionCore) => void, failed?: () => void): void {
    if (this.#core) return work(this.#core);
    if (this.#waiting.push([work, failed]) > 1) return;
    loadModel().then(
      ({SessionCore}) => {
        this.#core = new SessionCore(this.#host);
        for (const [each] of this.#waiting.splice(0)) each(this.#core);
      },
      (cause: unknown) => {
        this.disconnect();
        this.#host.problem = missing(cause);
        this.#tell();
        for (const [, each] of this.#waiting.splice(0)) each?.();
      },
    );
  }

  /** The lazily loaded part; null when it did not load. */
  #loaded(): Promise<SessionCore | null> {
    return new Promise((resolve) => this.#with(resolve, () => resolve(null)));
  }

  async #attach(signal: AbortSignal) {
    this.#with((core) => signal.aborted || core.connected(signal));
    const {history, stream} = routesOf(this.#host.source);
    const settled = history === undefined ? null : await this.#load(this.#core?.known(history) ?? history);
    if (signal.aborted) return;
    const url = stream();
    if (url === undefined || !settled) this.#with((core) => signal.aborted || core.attach(settled));
    if (url === undefined || this.#host.stream) return;
    const start = birthOf(url);
    // A snapshot that still waits for the folding part may know the run.
    if (this.#hasSnapshot) await loadModel().catch(() => null);
    if (signal.aborted || this.#host.stream || (start && this.#core?.isOver(start.runId))) return;
    if (start) this.#with((core) => core.bear(start));
    this.#follow(url, start?.runId ?? null);
  }

  #follow(url: string, run: string | null, {cursor, endless = false}: FollowOptions = {}) {
    // What was asked for while it was connected may come later.
    if (!this.#live) return;
    const {headers, credentials, fetch} = this.#host.source;
    const {signal} = this.#live;
    let opened = false;
    this.#host.stream?.close();
    this.#with((core) => core.followed(run));
    const stream = (this.#host.stream = openEventStream({
      url,
      headers,
      credentials,
      fetch,
      signal,
      ...this.#host.options,
      cursor: {lastEventId: cursor === undefined ? (this.#core?.folding.cursorOf(run) ?? null) : cursor},
      ...(endless && {isTerminal: () => null, withoutIds: 'reconnect'}),
      onBatch: (events) =>
        this.#with((core) => signal.aborted || this.#host.stream !== stream || core.receive(events)),
      onState: (state) => {
        if (signal.aborted || this.#host.stream !== stream) return;
        const isBack = opened && state.phase === 'open' && this.#host.connection.phase !== 'open';
        opened ||= state.phase === 'open';
        this.#host.connection = state;
        if (isBack) this.#with((core) => signal.aborted || core.reopened());
        if (state.phase === 'ended' || state.phase === 'lost')
          this.#with((core) => signal.aborted || this.#host.stream !== stream || core.over());
        this.#tell();
      },
    }));
  }

  /** Loads a settled payload and takes it in. */
  async #load(url: string, isPage = false): Promise<Settled | null> {
    if (!this.#live) return null;
    const {headers, credentials, fetch} = this.#host.source;
    const {clock, longestSilence = LONGEST_SILENCE} = this.#host.options;
    const {signal} = this.#live;
    this.#loading++;
    // Another try is said in the place of what went wrong.
    if (this.#host.problem) this.#tell();
    try {
      const request = {headers, credentials, fetch, signal, clock, longestSilence};
      const payload = await requestJson(url, request);
      const core = await this.#loaded();
      if (signal.aborted || !core) return null;
      const settled = core.settle(payload, url, isPage);
      this.#host.problem = settled.problem;
      core.answered(payload);
      return settled;
    } catch (cause) {
      if (signal.aborted) return null;
      this.#host.problem = {code: 'history', message: (cause as Error).message, cause};
      return null;
    } finally {
      this.#loading--;
      if (!signal.aborted) this.#tell();
    }
  }

  #tell(pieces = 0) {
    if (pieces === 0) this.#core?.changed();
    // One that throws takes nothing from the others, and does not end the stream.
    for (const listener of [...this.#listeners])
      try {
        // One that left while another was told is not told.
        if (this.#listeners.has(listener)) listener(pieces);
      } catch (cause) {
        report(cause);
      }
  }
}
