/** What the reader can do about a turn: which controls its server waits for, what was asked, and what came of it. */
import type {ReactiveController, ReactiveControllerHost} from 'lit';
import type {Artifact, ControlDetails, ControlStatus, ToolDetails, TurnAnchor} from '../anchor/index.js';
import type {ControlRow} from '../scene/index.js';
import type {Session} from '../session/index.js';
import {requestSession} from './context.js';
import {
  HermesArtifactRequestEvent,
  HermesCancelRequestEvent,
  HermesClarifyRequestEvent,
  HermesPermissionRequestEvent,
} from './events.js';
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
  #turn: TurnAnchor | undefined;
  #session: Session | null = null;
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
    this.#turn = turn;
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

  /** Whether the server waits for an answer to this control, and takes it from here. */
  isOpen({control}: ControlRow): boolean {
    return this.statusOf(control) === 'pending' && (this.#controls?.pendingControls.has(control.id) ?? false);
  }

  /** Why it is not known whether this can be answered; null where it is. */
  lookAt(row: ControlRow): Session['pendingLook'] {
    const known = this.statusOf(row.control) !== 'pending' || this.isOpen(row);
    // A session of an older copy does not say.
    return known ? null : (this.#controls?.pendingLook ?? null);
  }

  /** Has the server asked again what it waits for. */
  lookAgain(): void {
    this.#controls?.connect();
  }

  /** Its status; expired once its time is over, though nobody has said so yet. */
  statusOf({status, expiresAt}: ControlDetails): ControlStatus {
    return status === 'pending' && expiresAt !== null && expiresAt <= this.now ? 'expired' : status;
  }

  /** The session's clock; that of the page where a session is older than it, or there is none. */
  get now(): number {
    return this.#session?.now?.() ?? Date.now();
  }

  /** The session if it takes controls. One of another copy of the files may be older and know none. */
  get #controls(): Session | null {
    return this.#session?.canControl ? this.#session : null;
  }

  get canStop(): boolean {
    return this.#turn?.terminal === null && this.#controls !== null;
  }

  /** The state of a row; one that can be answered is armed from here on. */
  stateOf(id: string, arm = false): ControlState {
    const state = this.#states.get(id) ?? FRESH;
    if (arm && !state.armed && !this.#timers.has(id)) this.#arm(id);
    return state;
  }

  /** The call a control asks about. */
  toolOf({control}: ControlRow): ToolDetails | null {
    const {items} = this.#turn ?? {};
    for (let index = (items?.length ?? 0) - 1; control.callId !== null && index >= 0; index--) {
      const {tool} = items!.get(index)!;
      if (tool?.callId === control.callId) return tool;
    }
    return null;
  }

  /** Keeps what is typed; nothing is drawn for it. */
  draft(id: string, draft: string): void {
    this.#states.set(id, {...this.stateOf(id), draft});
  }

  /** Answers a control: by an option's id or, where it is a question, in the reader's own words. */
  answer({id, control}: ControlRow, choice: string): void {
    const {armed, sent} = this.stateOf(id);
    const turn = this.#turn;
    if (!armed || sent !== null || !turn || this.statusOf(control) === 'expired') return;
    const event =
      control.type === 'permission'
        ? new HermesPermissionRequestEvent(turn, control, choice)
        : new HermesClarifyRequestEvent(turn, control, choice);
    void this.#ask(id, event, choice, (session) => session.answer(control.id, choice));
  }

  stop(id: string): void {
    if (!this.#turn || this.stateOf(id).sent !== null) return;
    void this.#ask(id, new HermesCancelRequestEvent(this.#turn), 'stop', (session) => session.cancel());
  }

  /** Asks the page for a file. True if it opens it. */
  open(artifact: Artifact): boolean {
    return (
      this.#turn !== undefined &&
      !this.#host.dispatchEvent(new HermesArtifactRequestEvent(this.#turn, artifact))
    );
  }

  /** Says under a row why nothing came of a wish. */
  refuse(id: string, refusal: string | null): void {
    this.#set(id, {refusal});
  }

  async #ask(id: string, event: Event, sent: string, act: (session: Session) => Promise<unknown>) {
    const session = this.#controls;
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
    this.#states.set(id, {...this.stateOf(id), ...change});
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
    const running = this.#turn?.terminal === null && this.#host.isConnected;
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
    if (session === this.#session && this.#unsubscribe) return;
    this.#unsubscribe?.();
    this.#session = session;
    this.#unsubscribe = session?.subscribe((pieces) => pieces > 0 || this.#look());
    this.#look();
  }

  /** Draws only when what can be done is another. */
  #look() {
    const controls = this.#controls;
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
    this.#session = null;
    this.#seen = '';
  }
}
