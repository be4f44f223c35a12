/**
 * A run whose stream is lost, before it is called so: Hermes WebUI is asked for its status in stages, a run that goes on
 * or can be replayed is read again, one that is over is settled from the session. What is shown stays meanwhile.
 */
import {RequestError, requestJson, type ConnectionState} from '../transport/index.js';
import {isKnown} from './folding.js';
import type {SessionCore} from './session-core.js';
import type {WebuiFollower} from './webui-follower.js';

/** How long to wait before each look, in ms (reference/hermes-webui.md 2.5). */
export const STAGES = [1500, 3000, 5000, 8000, 12_000, 20_000] as const;

interface RunStatus {
  readonly active?: boolean;
  readonly replay_available?: boolean;
}

export class LostRun {
  readonly #core: SessionCore;
  readonly #follower: WebuiFollower;
  #looking: AbortController | null = null;
  #stage = 0;
  /** How far the stream had come when it was lost; from further on the stages begin anew. */
  #lostAt: string | null = null;

  constructor(core: SessionCore, follower: WebuiFollower) {
    this.#core = core;
    this.#follower = follower;
  }

  /** Another run is read. */
  forget(): void {
    this.#looking?.abort();
    this.#looking = null;
    this.#stage = 0;
  }

  /** True when the reader's wish for another try was met. */
  again(): boolean {
    if (!this.#looking) return false;
    this.forget();
    this.#core.host.stream?.reconnect();
    return true;
  }

  /** Looks what became of a run. One whose stream came to an end may be told by the session at once. */
  async look(run: string, ended: boolean): Promise<void> {
    const {host} = this.#core;
    const lost = host.connection;
    const at = host.stream?.lastEventId ?? null;
    if (at !== this.#lostAt) this.#stage = 0;
    this.#lostAt = at;
    const looking = (this.#looking = new AbortController());
    const {signal} = looking;
    host.signal?.addEventListener('abort', () => looking.abort(), {signal});
    this.#show(lost, 'waiting', STAGES[this.#stage] ?? 0);
    if (ended && (await this.#settles(run, signal))) return;
    while (!signal.aborted && this.#stage < STAGES.length) {
      await this.#wait(lost, STAGES[this.#stage++]!, signal);
      if (signal.aborted) return;
      const next = await this.#next(run, lost, signal);
      if (signal.aborted) return;
      if (next === 'read-again') {
        this.#looking = null;
        return host.stream?.reconnect();
      }
      if (next === 'settled' || next === 'refused') {
        this.#looking = null;
        if (next === 'refused') this.#show(lost, 'lost');
        return;
      }
    }
    if (!signal.aborted) this.#give(run, lost);
  }

  /** What the server says to do about a run; null when it says nothing yet. */
  async #next(
    run: string,
    lost: ConnectionState,
    signal: AbortSignal,
  ): Promise<'read-again' | 'settled' | 'refused' | null> {
    const {headers, credentials, fetch} = this.#core.host.source;
    const code = lost.error?.code;
    try {
      const options = {headers, credentials, fetch, signal};
      const status = (await requestJson(this.#follower.routes.runStatus(run), options)) as RunStatus | null;
      // A frame over the limit comes again, and a stream read to its end has nothing more to replay.
      const replay =
        status?.replay_available && code !== 'no-terminal' && lost.error !== null && this.#stage < 3;
      if (code !== 'frame-too-large' && (status?.active || replay)) return 'read-again';
    } catch (cause) {
      if (!(cause instanceof RequestError) || cause.code === 'connection-failed') return null;
      if (cause.status === 401 || cause.status === 403) return 'refused';
    }
    return (await this.#settles(run, signal)) ? 'settled' : null;
  }

  /** Loads the session. True when it tells how the run ended, or that another one goes on. */
  async #settles(run: string, signal: AbortSignal): Promise<boolean> {
    const {host, folding} = this.#core;
    const settled = await this.#core.reload();
    if (signal.aborted) return false;
    if (isKnown(folding.turnOf(run))) {
      this.#looking = null;
      host.connection = Object.freeze({...host.connection, phase: 'ended', error: null, retryAt: null});
      this.#follower.idle();
      if (settled?.activeRun && settled.activeRun !== run) this.#follower.attach(settled);
      host.tell();
      return true;
    }
    return false;
  }

  async #wait(lost: ConnectionState, ms: number, signal: AbortSignal): Promise<void> {
    const {clock} = this.#core;
    this.#show(lost, 'waiting', ms);
    await new Promise<void>((resolve) => {
      const timer = clock.setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clock.clearTimeout(timer);
        resolve();
      });
    });
    // Nobody sees a hidden page, and an offline one can know nothing.
    await this.#core.present(signal);
  }

  /** All was asked: the run is lost, until a frame or a payload says otherwise. */
  #give(run: string, lost: ConnectionState): void {
    this.#looking = null;
    this.#follower.idle();
    this.#show(lost, 'lost');
    const state = {type: 'terminal', state: 'connection_lost', strength: 'synthetic', borrows: true} as const;
    this.#core.apply([{run, seq: null, name: 'connection_lost', ...state}]);
  }

  #show(lost: ConnectionState, phase: 'waiting' | 'lost', ms?: number): void {
    const {host, clock} = this.#core;
    const retryAt = ms === undefined ? null : clock.now() + ms;
    host.connection = Object.freeze({...lost, phase, retryAt});
    host.tell();
  }
}
