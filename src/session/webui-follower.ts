/**
 * Following Hermes WebUI: the stream of the run that is active, and between runs the session's own channel, which says
 * what the server starts by itself. One connection at a time: browsers allow six a server.
 */
import {readData, readPending, readStart} from '../adapters/index.js';
import type {RunStart, TurnEvent} from '../anchor/index.js';
import type {SourceEvent} from '../protocol/index.js';
import {openEventStream, requestJson, type EventStream} from '../transport/index.js';
import type {Follower} from './follower.js';
import {isKnown} from './folding.js';
import {LostRun} from './lost-run.js';
import {PendingControls} from './pending-controls.js';
import {webuiRoutes} from './server-routes.js';
import type {SessionCore} from './session-core.js';
import type {Settled} from './settled.js';

/** Reasons that asking for the status would not change. */
const FINAL: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'handler-failed']);

export class WebuiFollower implements Follower {
  readonly #core: SessionCore;
  readonly #root: string;
  readonly #pending: PendingControls;
  readonly #lost: LostRun;
  #watch: EventStream | null = null;
  /** What the server last said it knows; said again, it is no news. */
  #compared = '';
  #lastRun: string | null = null;
  /** A run that was called lost; the server may call it active for long. */
  #gaveUp: string | null = null;
  activeRun: string | null = null;

  constructor(core: SessionCore, root: string) {
    this.#core = core;
    this.#root = root;
    this.#pending = new PendingControls(core, () =>
      this.routes.pending.map((url) => ({url, read: pendingIds})),
    );
    this.#lost = new LostRun(core, this);
  }

  get routes(): ReturnType<typeof webuiRoutes> {
    return webuiRoutes(this.#root, this.#core.sessionId);
  }

  get beside(): EventStream | null {
    return this.#watch;
  }

  attach(settled: Settled | null): void {
    const run = settled?.activeRun ?? null;
    if (run !== null && run !== this.#gaveUp && !this.#core.isOver(run)) this.#attachTo(run);
    else if (this.activeRun === null) this.idle();
  }

  began({runId, streamId}: RunStart): void {
    // The first to read a new run gets all of it without a cursor.
    this.#read(streamId ?? runId, '');
  }

  heard(events: readonly TurnEvent[]): void {
    this.#pending.heard(events);
  }

  over(): void {
    const {host} = this.#core;
    const {error, phase} = host.connection;
    if (isKnown(this.#core.folding.turnOf(this.activeRun))) return this.idle();
    if (!error || !FINAL.has(error.code)) void this.#lost.look(this.activeRun!, phase === 'ended');
  }

  again(): boolean {
    const run = this.#gaveUp;
    this.#gaveUp = null;
    if (run === null) {
      this.#pending.refresh();
      return this.#lost.again();
    }
    this.#attachTo(run);
    return true;
  }

  /** All was tried for a run. Others may follow. */
  giveUp(run: string): void {
    this.#gaveUp = run;
    this.idle();
  }

  reopened(): void {
    this.#pending.refresh();
  }

  poll(): void {
    this.#pending.poll();
  }

  /** Nothing runs, as far as is known: the channel says when something does. */
  idle(): void {
    const {host, folding} = this.#core;
    this.activeRun = null;
    this.#pending.set([]);
    // Disconnected, nobody would close it.
    if (!host.signal) return;
    if (this.#watch && !['ended', 'lost'].includes(this.#watch.state.phase)) return;
    const {headers, credentials, fetch} = host.source;
    this.#watch = openEventStream({
      url: () => this.routes.watch(folding.messageCount),
      headers,
      credentials,
      fetch,
      signal: host.signal,
      ...host.options,
      withoutIds: 'reconnect',
      isTerminal: () => null,
      onBatch: (events) => this.#told(events),
      // What began between the settled session and this channel was told to nobody.
      onState: ({phase}) => void (phase === 'open' && this.#catchUp()),
    });
  }

  /** Reads a run that goes on, all of it: the server's journal is exact where its picture of the run is not. */
  #attachTo(run: string): void {
    this.#read(run, this.#core.folding.cursorOf(run) === null ? '&replay=1' : '');
    this.poll();
  }

  #read(run: string, query: string): void {
    const {host, routes, folding} = this.#core;
    if (this.activeRun === run && host.stream && !['ended', 'lost'].includes(host.stream.state.phase)) return;
    this.#watch?.close();
    this.#watch = null;
    this.#lost.forget();
    if (run !== this.#lastRun) this.#compared = '';
    this.activeRun = this.#lastRun = run;
    host.follow(routes.stream(run)! + query, run, {cursor: folding.cursorOf(run)});
  }

  /** What the channel says: facts of the session, runs that began, messages that came. */
  #told(events: readonly SourceEvent[]): void {
    this.#core.receiveOfSession(events);
    for (const {name, data} of events) {
      if (name === 'server_turn_started') this.#startedByServer(readData(data));
      else if (name === 'session-updated') this.#compare(readData(data));
    }
  }

  #startedByServer(payload: unknown): void {
    const start = readStart(payload);
    if (!start || start.runId === this.activeRun) return;
    this.#core.begin(start);
    // Its prompt is in the settled session only.
    void this.#core.reload();
  }

  async #catchUp(): Promise<void> {
    const {signal, source} = this.#core.host;
    const {headers, credentials, fetch} = source;
    try {
      const options = {headers, credentials, fetch, ...(signal && {signal})};
      this.#compare(await requestJson(this.routes.sessionStatus, options));
    } catch {
      // The channel itself is open; what comes from now on it will say.
    }
  }

  /** Loads the session again when the server knows more of it than we do, and follows what runs in it. */
  #compare(payload: unknown): void {
    const {message_count: count, active_stream_id: active} = (payload ?? {}) as Record<string, unknown>;
    const said = `${String(count)} ${String(active)}`;
    if (this.activeRun !== null || this.#core.host.signal?.aborted || said === this.#compared) return;
    this.#compared = said;
    const news = typeof count === 'number' && count !== this.#core.folding.messageCount;
    if (news || active)
      void this.#core.reload().then((settled) => settled?.activeRun && this.attach(settled));
  }
}

/** The id of the one control an answer names, if it names one. */
function pendingIds(answer: unknown): readonly string[] {
  const id = readPending(answer)?.controlId;
  return id == null ? [] : [id];
}
