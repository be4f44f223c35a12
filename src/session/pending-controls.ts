/**
 * Pending controls: buttons appear only for what the server itself says it waits for (law 13). A look that fails is
 * taken again in stages, as long as something is asked of the reader.
 */
import type {TurnEvent} from '../anchor/index.js';
import {RequestError, requestJson} from '../transport/index.js';
import type {SessionCore} from './session-core.js';
import type {PendingLook} from './session-host.js';
import {STAGES} from './stages.js';

/** How long a server may take to answer, in ms. */
const LONGEST_LOOK = 20_000;

/** Reasons that may be gone in a moment; with any other, asking by itself would change nothing. */
const TRANSIENT: ReadonlySet<string> = new Set(['server-error', 'connection-failed', 'not-json']);

const ASKING: PendingLook = Object.freeze({phase: 'asking', message: null});

/** What a server is asked, and the ids its answer names. */
export interface PendingQuestion {
  readonly url: string;
  read(answer: unknown): readonly string[];
}

export class PendingControls {
  readonly #core: SessionCore;
  readonly #questions: () => readonly PendingQuestion[];
  /** What each question was last answered with, on the connection of this signal. */
  #said: (readonly string[])[] = [];
  #connection: AbortSignal | null = null;
  /** Ends the looks that are being taken; null when none are. */
  #looks: AbortController | null = null;
  #asking = false;
  #again = false;

  constructor(core: SessionCore, questions: () => readonly PendingQuestion[]) {
    this.#core = core;
    this.#questions = questions;
  }

  /** Frames were read: one that asks something has the server asked what it waits for. */
  heard(events: readonly TurnEvent[]): void {
    if (events.some((event) => event.type === 'control' && event.life !== 'answered')) this.poll();
    else if (this.#looks && !this.#asking && this.#open.length === 0) this.#end();
  }

  /** Asks the server; while it is being asked, once more afterwards. */
  poll(): void {
    if (this.#asking) this.#again = true;
    else this.#begin();
  }

  /** Asks the server if something is asked of the reader. */
  refresh(): void {
    if (this.#open.length > 0) this.poll();
  }

  /** The server has said it by itself. */
  set(ids: readonly string[]): void {
    this.#end();
    this.#said = [ids];
    this.#connection = this.#core.host.signal;
    this.#take(null);
  }

  #begin(): void {
    this.#end();
    const {signal, pendingControls} = this.#core.host;
    if (!signal) return;
    if (signal !== this.#connection) this.#said = [];
    this.#connection = signal;
    const looks = (this.#looks = new AbortController());
    signal.addEventListener('abort', () => this.#looks === looks && this.#end(), {signal: looks.signal});
    // Said only where the reader would wonder.
    if (this.#open.some((id) => !pendingControls.has(id))) this.#take(ASKING);
    void this.#stages(looks.signal);
  }

  #end(): void {
    this.#looks?.abort();
    this.#looks = null;
    this.#asking = this.#again = false;
  }

  async #stages(signal: AbortSignal): Promise<void> {
    for (const ms of [...STAGES, null]) {
      const cause = await this.#look(signal);
      if (signal.aborted) return;
      if (this.#again) return this.#begin();
      const isOver = cause === null || this.#open.length === 0;
      this.#take(isOver ? null : Object.freeze({phase: 'failed', message: messageOf(cause)}));
      if (isOver || ms === null || !isTransient(cause)) return this.#end();
      await this.#core.wait(ms, signal);
      if (signal.aborted) return;
      if (this.#open.length === 0) return this.#end();
    }
  }

  /** Asks each question once. Null when all were answered, else why one was not. */
  async #look(signal: AbortSignal): Promise<unknown> {
    const {clock, host} = this.#core;
    const {headers, credentials, fetch} = host.source;
    const looking = new AbortController();
    let timer: unknown;
    // A `fetch` of the page may not know of signals.
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), {signal: looking.signal});
      timer = clock.setTimeout(() => reject(tooLate()), LONGEST_LOOK);
    });
    this.#asking = true;
    const options = {headers, credentials, fetch, signal: looking.signal};
    const answers = await Promise.allSettled(
      this.#questions().map(async ({url, read}) =>
        read(await Promise.race([requestJson(url, options), ended])),
      ),
    );
    clock.clearTimeout(timer);
    looking.abort();
    if (signal.aborted) return null;
    this.#asking = false;
    // Where there was no answer, what was said before stands.
    this.#said = answers.map((answer, n) =>
      answer.status === 'fulfilled' ? answer.value : (this.#said[n] ?? []),
    );
    return (
      (answers.find(({status}) => status === 'rejected') as PromiseRejectedResult | undefined)?.reason ?? null
    );
  }

  /** Hands on what was said, and how far that can be relied on. */
  #take(look: PendingLook | null): void {
    const {host} = this.#core;
    const {pendingControls: before, pendingLook} = host;
    const ids = new Set(this.#said.flat());
    const isSame = ids.size === before.size && [...ids].every((id) => before.has(id));
    if (!host.signal || (isSame && look?.message === pendingLook?.message && !look === !pendingLook)) return;
    if (!isSame) host.pendingControls = ids;
    host.pendingLook = look;
    host.tell();
  }

  /** Ids of what is asked of the reader and still can be answered, as far as the frames said. */
  get #open(): string[] {
    const {folding, clock} = this.#core;
    return folding.transcript.turns
      .filter(({terminal}) => terminal === null)
      .flatMap(({items}) => [...items].flatMap(({control}) => control ?? []))
      .filter(({status}) => status === 'pending')
      .filter(({expiresAt}) => expiresAt === null || expiresAt > clock.now())
      .map(({id}) => id);
  }
}

function isTransient(cause: unknown): boolean {
  return !(cause instanceof RequestError) || TRANSIENT.has(cause.code);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function tooLate(): RequestError {
  const message = 'The server does not answer. Check the network, then retry.';
  return new RequestError('connection-failed', message, null, null);
}
