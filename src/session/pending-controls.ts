/** Pending controls: buttons appear only for what the server itself says it waits for (law 13). */
import type {TurnEvent} from '../anchor/index.js';
import {requestJson} from '../transport/index.js';
import type {SessionHost} from './session-host.js';

export class PendingControls {
  readonly #host: SessionHost;
  readonly #ask: (get: (url: string) => Promise<unknown>) => Promise<readonly string[]>;
  #asking = false;
  #again = false;

  /** `ask` gives the ids the server lists now. */
  constructor(
    host: SessionHost,
    ask: (get: (url: string) => Promise<unknown>) => Promise<readonly string[]>,
  ) {
    this.#host = host;
    this.#ask = ask;
  }

  /** Frames were read: one that asks something has the server asked what it waits for. */
  heard(events: readonly TurnEvent[]): void {
    if (events.some((event) => event.type === 'control' && event.life !== 'answered')) void this.poll();
  }

  /** Asks the server; while it is being asked, once more afterwards. */
  async poll(): Promise<void> {
    this.#again = this.#asking;
    const {signal, source} = this.#host;
    if (this.#asking || !signal) return;
    this.#asking = true;
    try {
      const {headers, credentials, fetch} = source;
      this.set(await this.#ask((url) => requestJson(url, {headers, credentials, fetch, signal})), signal);
    } catch {
      // No answer, no buttons. The next frame that asks something asks again.
    } finally {
      this.#asking = false;
      if (this.#again) void this.poll();
    }
  }

  set(ids: readonly string[], signal = this.#host.signal): void {
    const {pendingControls: before} = this.#host;
    if (signal?.aborted || (ids.length === before.size && ids.every((id) => before.has(id)))) return;
    this.#host.pendingControls = new Set(ids);
    this.#host.tell();
  }
}
