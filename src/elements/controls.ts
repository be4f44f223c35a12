/** What the reader can do about a turn: what its session takes, what was wished, and what came of it. */
import type {ReactiveController, ReactiveControllerHost} from 'lit';
import type {Artifact, TurnAnchor} from '../anchor/index.js';
import type {Session} from '../session/index.js';
import {requestSession} from './context.js';
import {HermesArtifactRequestEvent, HermesCancelRequestEvent} from './events.js';
import {sentenceOf} from './sentence.js';

/** How long what has just appeared takes no answer: nobody has read it yet (ask 55 of reference/user-asks.md). */
const INERT_MS = 500;

/** What is known of a row beside the row: view state, by row id. */
export interface ControlState {
  /** True once the row has stood long enough to have been read. */
  readonly armed: boolean;
  /** What was sent and not refused. */
  readonly sent: string | null;
  /** Why it was refused. */
  readonly refusal: string | null;
  /** What the reader has typed. */
  readonly draft: string;
}

const FRESH: ControlState = {armed: false, sent: null, refusal: null, draft: ''};

/** The turn element, as far as controls know it. */
export interface ControlsHost extends ReactiveControllerHost, HTMLElement {
  /** A session the page or the attributes gave it; without one the session around it is asked. */
  readonly shown: Session | null;
}

export class Controls implements ReactiveController {
  readonly #host: ControlsHost;
  /** Draws rows of controls anew. */
  readonly changed: () => void;
  #states = new Map<string, ControlState>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** The turn as it is drawn. */
  turn: TurnAnchor | undefined;
  /** Where it comes from. */
  session: Session | null = null;
  #leave: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;
  #seen = '';

  constructor(host: ControlsHost, changed: () => void) {
    this.#host = host;
    this.changed = changed;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#release();
    this.#disarm();
  }

  hostConnected(): void {
    this.#attend();
  }

  /** The turn as it is drawn next. Only one that runs has anything to control. */
  follow(turn: TurnAnchor | undefined): void {
    this.turn = turn;
    this.#attend();
  }

  /** Another turn is shown: what is known of the rows of this one is not of that one's. */
  forget(): void {
    this.#states = new Map();
    this.#disarm();
  }

  /** Ids of rows have shifted: what is known of them moves along. */
  rename(renamed: ReadonlyMap<string, string>): void {
    const moved = [...renamed].flatMap(([old, id]) => {
      const state = this.#states.get(old);
      return state ? [[id, state] as const] : [];
    });
    for (const old of renamed.keys()) this.#states.delete(old);
    for (const [id, state] of moved) this.#states.set(id, state);
  }

  /** The session if it takes controls. One of another copy of the files may be older and know none. */
  get taker(): Session | null {
    return this.session?.canControl ? this.session : null;
  }

  get canStop(): boolean {
    return this.turn?.terminal === null && this.taker !== null;
  }

  /** The state of a row; one that can be answered is armed from here on. */
  stateOf(id: string, arm = false): ControlState {
    const state = this.#states.get(id) ?? FRESH;
    if (arm && !state.armed && !this.#timers.has(id)) this.#arm(id);
    return state;
  }

  stop(id: string): void {
    if (!this.turn || this.stateOf(id).sent !== null) return;
    void this.wish(id, new HermesCancelRequestEvent(this.turn), 'stop', (session) => session.cancel());
  }

  /** Asks the page for a file. True if it opens it. */
  open(artifact: Artifact): boolean {
    return (
      this.turn !== undefined &&
      !this.#host.dispatchEvent(new HermesArtifactRequestEvent(this.turn, artifact))
    );
  }

  /** Keeps what is known of a row, without drawing it. */
  note(id: string, change: Partial<ControlState>): void {
    this.#states.set(id, {...this.stateOf(id), ...change});
  }

  /** Says under a row why nothing came of a wish. */
  refuse(id: string, refusal: string | null): void {
    this.#set(id, {refusal});
  }

  /** Tells the page of a wish; where that leaves it to us, does what it takes. What was `sent` stands in the row until it is refused. */
  async wish(id: string, event: Event, sent: string, act: (session: Session) => Promise<unknown>) {
    const session = this.taker;
    const states = this.#states;
    if (!this.#host.dispatchEvent(event) || !session) return;
    // A listener may have shown another turn.
    if (states === this.#states) this.#set(id, {sent, refusal: null});
    try {
      await act(session);
      // A stop may be asked for again; an answer is over until the agent says so.
      if (sent === 'stop' && id === 'status' && states === this.#states) this.#set(id, {sent: null});
    } catch (cause) {
      if (states === this.#states) this.#set(id, {sent: null, refusal: sentenceOf(cause)});
    }
  }

  #set(id: string, change: Partial<ControlState>) {
    this.note(id, change);
    this.changed();
  }

  #disarm() {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #arm(id: string) {
    const timer = setTimeout(() => {
      this.#timers.delete(id);
      // What appeared in a hidden page has not been seen.
      if (document.hidden) document.addEventListener('visibilitychange', () => this.changed(), {once: true});
      else this.#set(id, {armed: true});
    }, INERT_MS);
    this.#timers.set(id, timer);
  }

  #attend() {
    const running = this.turn?.terminal === null && this.#host.isConnected;
    if (!running) return this.#release();
    if (this.#host.shown) return this.#watch(this.#host.shown);
    if (this.#leave) return;
    requestSession(this.#host, (session, leave) => {
      if (leave !== this.#leave) this.#leave?.();
      this.#leave = leave;
      this.#watch(session ?? null);
    });
  }

  #watch(session: Session | null) {
    if (session === this.session && this.#unsubscribe) return;
    this.#unsubscribe?.();
    this.session = session;
    this.#unsubscribe = session?.subscribe((pieces) => pieces > 0 || this.#look());
    this.#look();
  }

  /** Draws only when what can be done is another. */
  #look() {
    const controls = this.taker;
    const {phase, message} = controls?.pendingLook ?? {};
    const seen = controls ? ['can', phase, message, ...controls.pendingControls].join('\n') : '';
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.changed();
  }

  #release() {
    this.#leave?.();
    this.#unsubscribe?.();
    this.#leave = this.#unsubscribe = undefined;
    this.session = null;
    this.#seen = '';
  }
}
