/**
 * The core of a session: what is done with what its connections bring, and with what its reader wants.
 *
 * It folds (`Folding`), keeps the recovery copy and moves with the page; where the server is known, it follows that over its
 * runs (`Follower`) and asks it (`Controls`), which are loaded for it.
 */
import type {RunStart, TurnEvent} from '../anchor/index.js';
import type {SourceEvent} from '../protocol/index.js';
import {RequestError, systemClock, type Clock, type EventStream} from '../transport/index.js';
import {followPage, isAway, thisPage, type Page} from '../transport/page-life.js';
import {agentAfter, readAgent} from './agent-facts.js';
import {AcpGrace} from './acp-grace.js';
import type {Controls} from './controls.js';
import type {Follower} from './follower.js';
import {Folding, isKnown} from './folding.js';
import {loadedServer, loadServer, type Server} from './load-server.js';
import {missing} from './problem.js';
import {cacheOf, type RecoveryCache} from './recovery-cache.js';
import type {SessionHost} from './session-host.js';
import type {Settled} from './settled.js';
import {isSameSession, routesOf, type Routes, type SessionSource} from './source.js';
import {STAGES} from './stages.js';
import {partBefore, partSince} from './window.js';

/** How long a turn has been settled before it is kept, so that a burst of them is written once. */
const SAVE_DELAY = 1000;

/** Statuses that say the reader may not see this session, or that it is gone. */
const NOT_YOURS: ReadonlySet<unknown> = new Set([401, 403, 404]);

export class SessionCore {
  readonly folding = new Folding();
  readonly #grace = new AcpGrace(this);
  #controls: Controls | null = null;
  #follower: Follower | null = null;
  #cache: RecoveryCache | null = null;
  #saving: unknown = null;
  /** The turns that were settled when the copy was last written. */
  #kept: unknown = null;
  #retrying = false;
  /** True while the settled session could not be had. */
  #isMissing = false;
  /** How many messages were known when the stream began. */
  #countBefore = 0;
  /** Who waits for the page to be seen and online. */
  #waiting: (() => void)[] = [];

  constructor(readonly host: SessionHost) {}

  get clock(): Clock {
    return this.host.options.clock ?? systemClock;
  }

  /** The session's id of this moment: a compression may have given it another. */
  get sessionId(): string {
    const {sessionId = ''} = this.host.source;
    const {id, aliases} = this.folding.transcript.session;
    return id !== null && aliases.includes(sessionId) ? id : sessionId;
  }

  get routes(): Routes {
    return routesOf({...this.host.source, ...(this.host.source.sessionId && {sessionId: this.sessionId})});
  }

  /** What follows the server; null for a source that names its stream, and until it is loaded. */
  get follower(): Follower | null {
    return this.#follower;
  }

  /** What asks the server. Rejects with a sentence where it does not load. */
  async controls(): Promise<Controls> {
    const server = loadedServer() ?? (await loadServer());
    this.#meets(server);
    return (this.#controls ??= new server.Controls(this));
  }

  open(before: SessionSource): void {
    const {source, options} = this.host;
    const opened = before.src ?? before.history ?? before.base;
    if (opened !== undefined && !isSameSession(before, source)) this.folding.reset();
    this.folding.rewire();
    this.host.agent = null;
    this.#follower = null;
    this.#isMissing = false;
    const server = loadedServer();
    if (server) this.#meets(server);
    // Early; whoever needs it says when it does not load.
    else if (source.base !== undefined) loadServer().catch(() => undefined);
    this.#cache = cacheOf(source, options.storage);
    if (this.folding.transcript.turns.length === 0) this.#restore();
  }

  /** What is followed is followed from now on. */
  #meets({followerOf}: Server): void {
    if (this.#root !== null) this.#follower ??= followerOf(this, this.#root);
  }

  /** The server of a source in its full form; null where the source names its stream. */
  get #root(): string | null {
    const {root, stream} = this.routes;
    return stream() === undefined ? root : null;
  }

  /** Does what needs the follower, now or as soon as it is here; always in the order it was asked for. */
  #withFollower(work: (follower: Follower) => void): void {
    if (this.#follower) return work(this.#follower);
    if (this.#root === null) return;
    const {source, signal} = this.host;
    const isPast = () => this.host.source !== source || signal?.aborted;
    loadServer().then(
      (server) => {
        if (isPast()) return;
        this.#meets(server);
        work(this.#follower!);
      },
      (cause: unknown) => isPast() || this.lacks(cause),
    );
  }

  /** A part of this library did not load: the session says so. */
  lacks(cause: unknown): void {
    this.host.problem = missing(cause);
    this.host.tell();
  }

  /** A connection begins: the page's life is its life. */
  connected(signal: AbortSignal): void {
    const end = followPage({
      streams: () => this.#streams,
      isIdle: () => this.#isIdle,
      onLeave: () => this.#save(),
      onReturn: () => {
        for (const go of this.#waiting.splice(0)) go();
      },
      clock: this.clock,
      page: this.#page,
    });
    signal.addEventListener('abort', end);
  }

  /** The settled session is here: what is live in it is followed. Where it failed for a moment, it is asked for again. */
  attach(settled: Settled | null): void {
    this.#forgetIfRefused();
    // Refused, it is the reader's to mend; a stream would be refused too.
    if (settled || this.host.problem?.code !== 'history')
      this.#withFollower((follower) => follower.attach(settled));
    else if (this.host.signal && this.#failedForNow) void this.#retry(this.host.signal);
  }

  get #failedForNow(): boolean {
    const cause = this.host.problem?.cause;
    return (
      cause instanceof RequestError &&
      (cause.code === 'server-error' || cause.code === 'connection-failed' || cause.code === 'timed-out')
    );
  }

  async #retry(signal: AbortSignal): Promise<void> {
    if (this.#retrying) return;
    this.#retrying = this.#isMissing = true;
    let settled: Settled | null = null;
    for (let stage = 0; ; stage++) {
      await this.#chance(STAGES[stage], signal);
      // A run that was begun meanwhile has made its own way, and somebody may have asked.
      if (signal.aborted || (this.#root !== null && this.host.stream) || !this.#isMissing) break;
      settled = await this.reload();
      if (settled || !this.#failedForNow) break;
    }
    this.#retrying = false;
    if (!signal.aborted && settled) this.#withFollower((follower) => follower.attach(settled));
  }

  /** After some time, or when the page is seen or online again; only then where no time is given. */
  #chance(ms: number | undefined, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (ms === undefined) signal.addEventListener('abort', () => resolve());
      else void this.wait(ms, signal).then(resolve);
    });
  }

  begin(start: RunStart): void {
    this.folding.begin(start);
    this.host.tell();
    if (this.host.signal) this.#withFollower((follower) => follower.began(start));
  }

  /** Makes the turn a bare address names. */
  bear(start: RunStart): void {
    if (this.folding.turnOf(start.runId)) return;
    this.folding.bear(start);
    this.host.tell();
  }

  isOver(run: string): boolean {
    return isKnown(this.folding.turnOf(run));
  }

  /** The reader or the page wants another try. */
  again(): void {
    const {connection, problem, stream} = this.host;
    if (this.#isMissing || problem?.code === 'history' || problem?.code === 'script')
      void this.reload().then((settled) => this.attach(settled));
    if (this.#follower?.again()) return;
    const {phase, error} = connection;
    // A stream that ended without the end of its turn may have more by now.
    if (['waiting', 'lost', 'paused'].includes(phase) || (phase === 'ended' && error)) stream?.reconnect();
  }

  /** The stream is open again after a break. */
  reopened(): void {
    this.#follower?.reopened();
  }

  /** A batch of the stream. */
  receive(events: readonly SourceEvent[]): void {
    this.#heard(this.folding.receive(events, this.routes.wire), events);
  }

  /** A batch of a channel beside it. */
  receiveOfSession(events: readonly SourceEvent[]): void {
    this.#heard(this.folding.receive(events, this.routes.wire, true), events);
  }

  /** The server has answered with the session: what it says of the agent counts too. */
  answered(payload: unknown): void {
    this.host.agent = readAgent(payload) ?? this.host.agent;
  }

  #heard(heard: ReturnType<Folding['receive']>, frames: readonly SourceEvent[]): void {
    if (heard === null && !this.host.problem) {
      this.host.tell(frames.length);
      return this.#grace.watch();
    }
    if (heard && 'code' in heard) {
      // A wire nobody can read stays unreadable; one that did not tell its name yet may.
      if (heard.code === 'unreadable') this.host.stream?.close();
      this.host.problem = heard;
      return this.host.tell();
    }
    this.host.problem = null;
    this.host.agent = agentAfter(this.host.agent, heard ?? [], frames);
    // Who is told may open another source, which none of this is of.
    const follower = this.#follower;
    this.host.tell();
    this.#grace.watch();
    follower?.heard(heard ?? []);
  }

  /** Turn events that no frame brought: what a server answered. */
  apply(events: readonly TurnEvent[]): void {
    this.folding.apply(events, null);
    this.host.tell();
  }

  /** The stream of this run is read from now on. */
  followed(run: string | null): void {
    this.folding.run = run;
    this.#countBefore = this.folding.messageCount ?? 0;
  }

  /**
   * Takes in a settled payload. One that has grown since the stream began, while that is cut, knows how the run ended:
   * the run is fitted to it as one that was lost, and is no turn beside it.
   */
  settle(payload: unknown, from: string, isPage = false): Settled {
    this.#isMissing = false;
    const settled = this.folding.settle(payload, from, isPage);
    const {run, messageCount} = this.folding;
    const {phase} = this.host.connection;
    const isCut = phase === 'waiting' || phase === 'lost' || phase === 'ended';
    const turn = settled.activeRun ? undefined : this.folding.turnOf(run);
    if (turn && !isKnown(turn) && isCut && (messageCount ?? 0) > this.#countBefore) {
      // Made up by us, so that the messages tell what was not heard.
      const state = {type: 'terminal', state: 'connection_lost', strength: 'synthetic'} as const;
      this.folding.apply([{run, seq: null, name: 'connection_lost', borrows: true, ...state}], run);
    }
    return settled;
  }

  /** Nothing more will be streamed. Where that left the end in doubt, the settled session is asked once more. */
  over(): void {
    this.#grace.end();
    // Raw lines name no end of a stream; where every turn has its own, nothing was lost.
    if (this.folding.isAcpAtRest)
      this.host.connection = Object.freeze({...this.host.connection, phase: 'ended', error: null});
    this.folding.bury();
    this.#forgetIfRefused();
    if (this.#follower) return this.#follower.over();
    const {run, transcript} = this.folding;
    const turn = (run !== null && this.folding.turnOf(run)) || transcript.turns.at(-1);
    if (!isKnown(turn)) void this.reload();
  }

  /** The address of the settled session; of one that is loaded in parts, from the first one known on. */
  known(history: string): string {
    const {folding} = this;
    return folding.onlyRestored || folding.transcript.turns.length === 0
      ? history
      : partSince(history, folding);
  }

  /** Loads the settled session again, under the id it has now. */
  async reload(): Promise<Settled | null> {
    const {history} = this.routes;
    const settled = history === undefined ? null : await this.host.load(this.known(history));
    this.#forgetIfRefused();
    return settled;
  }

  async loadEarlier(): Promise<boolean> {
    const {earliest} = this.folding;
    const {history} = this.routes;
    if (earliest === 0 || history === undefined || !this.host.signal) return false;
    await this.host.load(partBefore(history, this.folding), true);
    this.#forgetIfRefused();
    return this.folding.earliest < earliest;
  }

  /** After some time, and not before the page is seen and online; at once when the connection is over. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.clock.setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        this.clock.clearTimeout(timer);
        resolve();
      });
    });
    while (this.#isAway && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        signal.addEventListener('abort', () => resolve());
      });
    }
  }

  get #page(): Page | null {
    const {page} = this.host.options;
    return page === undefined ? thisPage() : page;
  }

  get #isAway(): boolean {
    return isAway(this.#page);
  }

  /** Something may have changed: a turn that has just settled is kept before long. */
  changed(): void {
    if (!this.#cache || this.#saving !== null) return;
    const last = this.folding.transcript.turns.at(-1);
    if (last?.status !== 'settled' || last === this.#kept) return;
    this.#saving = this.clock.setTimeout(() => this.#save(), SAVE_DELAY);
  }

  /** True where the server says of the session what happens in it, and no run goes on: it can say that later. */
  get #isIdle(): boolean {
    const {activeRun} = this.#follower ?? {};
    return activeRun === null || (activeRun !== undefined && this.isOver(activeRun));
  }

  get #streams(): EventStream[] {
    return [this.host.stream, this.#follower?.beside].filter((stream) => stream != null);
  }

  #restore(): void {
    const copy = this.#cache?.read();
    if (copy == null) return;
    try {
      this.folding.restore(copy);
      this.host.tell();
    } catch {
      // Written by another version, or by somebody else: of no use.
      this.#cache!.clear();
    }
  }

  #save(): void {
    this.clock.clearTimeout(this.#saving);
    this.#saving = null;
    const {transcript, snapshot, onlyRestored} = this.folding;
    if (!this.#cache || transcript.turns.length === 0 || onlyRestored) return;
    this.#kept = transcript.turns.at(-1);
    this.#cache.write(snapshot);
  }

  /** Whoever may not see the session may not see its copy. */
  #forgetIfRefused(): void {
    const {problem, connection} = this.host;
    const session = problem?.cause instanceof RequestError ? problem.cause.status : null;
    // A stream that is not found is a run's; the session may be there.
    const {status} = connection.error ?? {};
    if (!this.#cache || !(NOT_YOURS.has(session) || status === 401 || status === 403)) return;
    this.clock.clearTimeout(this.#saving);
    this.#saving = null;
    this.#cache.clear();
    if (!this.folding.onlyRestored) return;
    this.folding.reset();
    this.host.tell();
  }
}
