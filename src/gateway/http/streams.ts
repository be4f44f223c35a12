/** Streams: all that are open, how many there may be, and their common end. */
import {GatewayError} from '../gateway-error.js';
import type {OpenStream} from './open-stream.js';

export interface ConnectionLimits {
  /** Open streams of one subject. */
  readonly perSubject: number;
  /** Open streams in all. */
  readonly total: number;
}

export class Streams {
  readonly #limits: ConnectionLimits;
  readonly #open = new Map<OpenStream, Promise<void>>();
  readonly #bySubject = new Map<string, number>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Refuses a subject that has too many, and everybody when there are too many in all. */
  checkRoom(subject: string): void {
    const {perSubject, total} = this.#limits;
    if (this.#open.size >= total) {
      const message = `The gateway serves ${total} streams, as many as it may. Try again in a moment.`;
      throw new GatewayError('overloaded', message, {limit: total});
    }
    if ((this.#bySubject.get(subject) ?? 0) < perSubject) return;
    const message = `There are ${perSubject} streams open for you. Close a page that shows one, then try again.`;
    throw new GatewayError('too-many-connections', message, {limit: perSubject});
  }

  /** Counts a stream while it runs. */
  add(stream: OpenStream, subject: string, run: Promise<void>): void {
    const count = this.#bySubject;
    count.set(subject, (count.get(subject) ?? 0) + 1);
    const done = run.finally(() => {
      this.#open.delete(stream);
      const left = (count.get(subject) ?? 1) - 1;
      if (left === 0) count.delete(subject);
      else count.set(subject, left);
    });
    this.#open.set(stream, done);
  }

  /** Ends all streams after what the journal holds. */
  async end(): Promise<void> {
    for (const stream of this.#open.keys()) stream.end();
    await Promise.all(this.#open.values());
  }

  /** Ends all streams where they stand. */
  cut(): void {
    for (const stream of this.#open.keys()) stream.cut();
  }
}
