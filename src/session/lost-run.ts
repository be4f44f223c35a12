/**
 * A run whose stream is lost, before it is called so: Hermes WebUI is asked for its status in stages, a run that goes on
 * or can be replayed is read again, one that is over is settled from the session. What is shown stays meanwhile.
 */
import {RequestError, requestJson, type ConnectionState} from '../transport/index.js';
import type {SessionCore} from './session-core.js';
import {STAGES} from './stages.js';
import type {WebuiFollower} from './webui-follower.js';

type Verdict = 'read-again' | 'settled' | 'refused' | null;

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
    const at = host.stream?.lastEventId ?? null;
    if (at !== this.#lostAt) this.#stage = 0;
    this.#lostAt = at;
    this.#looking?.abort();
    const looking = (this.#looking = new AbortController());
    const {signal} = looking;
    host.signal?.addEventListener('abort', () => looking.abort(), {signal});
    const lost = host.connection;
    const end = await this.#stages(run, lost, ended, signal);
    if (signal.aborted) return;
    looking.abort();
    this.#looking = null;
    if (end === 'read-again') host.stream?.reconnect();
    else if (end === 'refused') this.#show(lost, 'lost');
    else if (end === 'settled') this.#settled();
    else this.#give(run, lost);
  }

  /** What is to be done about a run; null when nobody knows after all stages. */
  async #stages(run: string, lost: ConnectionState, ended: boolean, signal: AbortSignal): Promise<Verdict> {
    this.#show(lost, 'waiting', STAGES[this.#stage] ?? 0);
    if (ended && (await this.#settles(run))) return 'settled';
    while (!signal.aborted && this.#stage < STAGES.length) {
      const ms = STAGES[this.#stage++]!;
      this.#show(lost, 'waiting', ms);
      await this.#core.wait(ms, signal);
      if (signal.aborted) return null;
      const verdict = await this.#ask(run, lost, signal);
      if (verdict) return verdict;
    }
    return null;
  }

  /** What the server says to do about a run; null when it says nothing yet. */
  async #ask(run: string, lost: ConnectionState, signal: AbortSignal): Promise<Verdict> {
    const {headers, credentials, fetch} = this.#core.host.source;
    const code = lost.error?.code;
    try {
      const options = {headers, credentials, fetch, signal};
      const status = (await requestJson(this.#follower.routes.runStatus(run), options)) as RunStatus | null;
      // What a stream has read to its end has nothing more to replay, and a frame over the limit comes again.
      const replay = status?.replay_available && lost.phase === 'lost' && this.#stage < 3;
      if (code !== 'frame-too-large' && (status?.active || replay)) return 'read-again';
    } catch (cause) {
      if (!(cause instanceof RequestError) || cause.code === 'connection-failed') return null;
      if (cause.status === 401 || cause.status === 403) return 'refused';
    }
    return (await this.#settles(run)) ? 'settled' : null;
  }

  /** Loads the session. True when it tells how the run ended. */
  async #settles(run: string): Promise<boolean> {
    await this.#core.reload();
    return this.#core.isOver(run);
  }

  #settled(): void {
    const {host} = this.#core;
    host.connection = Object.freeze({...host.connection, phase: 'ended', error: null, retryAt: null});
    host.tell();
    this.#follower.idle();
  }

  /** All was asked: the run is lost, until a frame or a payload says otherwise. */
  #give(run: string, lost: ConnectionState): void {
    this.#show(lost, 'lost');
    const state = {type: 'terminal', state: 'connection_lost', strength: 'synthetic', borrows: true} as const;
    this.#core.apply([{run, seq: null, name: 'connection_lost', ...state}]);
    this.#follower.giveUp(run);
  }

  #show(lost: ConnectionState, phase: 'waiting' | 'lost', ms?: number): void {
    const {host, clock} = this.#core;
    const retryAt = ms === undefined ? null : clock.now() + ms;
    host.connection = Object.freeze({...lost, phase, retryAt});
    host.tell();
  }
}
