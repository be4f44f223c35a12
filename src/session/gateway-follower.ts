/**
 * Following our gateway: one stream of the session brings all its runs in one order, after the cursor of its settled
 * history: one connection. A server that has no such stream is read run by run.
 */
import type {RunStart, TurnEvent} from '../anchor/index.js';
import type {EventStream} from '../transport/index.js';
import type {Follower} from './follower.js';
import {isKnown} from './folding.js';
import {PendingControls} from './pending-controls.js';
import {gatewayRoutes} from './server-routes.js';
import type {SessionCore} from './session-core.js';
import {readPendingIds, type Settled} from './settled.js';

export class GatewayFollower implements Follower {
  readonly beside: EventStream | null = null;
  readonly #core: SessionCore;
  readonly #routes: ReturnType<typeof gatewayRoutes>;
  readonly #pending: PendingControls;
  /** False once the server has said that it streams runs only. */
  #streamsSession = true;
  /** What the present stream is. */
  #reads: 'session' | 'run' = 'run';
  activeRun: string | null = null;

  constructor(core: SessionCore, root: string) {
    this.#core = core;
    this.#routes = gatewayRoutes(root, core.sessionId);
    this.#pending = new PendingControls(core, () => [
      {url: this.#routes.state, read: (state) => readPendingIds(state) ?? []},
    ]);
  }

  attach(settled: Settled | null): void {
    this.#pending.set(settled?.pending ?? []);
    if (settled?.pending == null) this.#pending.refresh();
    this.activeRun = settled?.activeRun ?? this.activeRun;
    if (this.#core.host.stream) return;
    // A run that can only be shown, and not continued, is read from its start first.
    if (this.activeRun !== null && this.#core.folding.isPainted(this.activeRun))
      this.#readRun(this.activeRun);
    else this.#readSession(settled?.cursor ?? null);
  }

  began({runId}: RunStart): void {
    this.activeRun = runId;
    // A hidden page may have let go of it.
    if (this.#streamsSession) return this.#core.host.stream?.resume();
    const phase = this.#core.host.stream?.state.phase;
    const free = phase === undefined || phase === 'ended' || phase === 'lost';
    if (free) this.#readRun(runId);
  }

  heard(events: readonly TurnEvent[]): void {
    this.#pending.heard(events);
    for (const {type, run} of events) {
      if (type === 'start') this.activeRun = run;
      else if (type === 'terminal' && run === this.activeRun) this.activeRun = null;
    }
  }

  over(): void {
    const {host, folding} = this.#core;
    const {error} = host.connection;
    if (this.#reads === 'session') {
      if (error?.code !== 'not-found') return void (error && this.#core.reload());
      this.#streamsSession = false;
      host.stream = null;
      host.connection = Object.freeze({...host.connection, phase: 'ended', error: null});
      if (this.activeRun !== null) this.#readRun(this.activeRun);
      return;
    }
    const known = isKnown(folding.turnOf(folding.run));
    if (!known) return void this.#core.reload();
    if (this.#streamsSession) this.#readSession(host.stream!.lastEventId);
  }

  again(): boolean {
    this.#pending.refresh();
    return false;
  }

  reopened(): void {
    this.#pending.refresh();
  }

  poll(): void {
    this.#pending.poll();
  }

  #readSession(cursor: string | null): void {
    if (!this.#streamsSession) return;
    this.#reads = 'session';
    this.#core.host.follow(this.#routes.events, null, {cursor, endless: true});
  }

  #readRun(run: string): void {
    this.#reads = 'run';
    this.#core.host.follow(this.#core.routes.stream(run)!, run);
  }
}
