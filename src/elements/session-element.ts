/** What the elements share: from which session they show, and what they tell their page of it. */
import {ContextProvider} from '@lit/context';
import {LitElement, type PropertyValues} from 'lit';
import {property} from 'lit/decorators.js';
import type {TurnAnchor} from '../anchor/index.js';
import {acquireSession, Session, sourceNames, type SessionSource} from '../session/index.js';
import {Cadence} from './cadence.js';
import {requestSession, sessionContext, startSeeking, stopSeeking} from './context.js';
import {
  HermesArtifactAddedEvent,
  HermesCancelRequestEvent,
  HermesConnectionChangedEvent,
  HermesSendRequestEvent,
  HermesSessionCreatedEvent,
  HermesSteerRequestEvent,
  HermesTurnSettledEvent,
  HermesTurnStartedEvent,
} from './events.js';
import {firstWords} from './first-words.js';
import {latestHeaders, replaceHeaders} from './latest-headers.js';
import {spoken} from './spoken.js';
import type {Strings} from './strings.js';

/** What is known of a turn that was told to the page. */
interface Told {
  readonly turn: TurnAnchor;
  /** The turn as it was told to be settled. */
  readonly settled: TurnAnchor | null;
  readonly revision: number;
}

/**
 * An element that shows a session: the one named by `session`, else one of its own if its attributes name a source,
 * else the one around it. Who owns a session connects it while in the document, and speaks for it: the facts among the
 * events come from the owner.
 *
 * @fires hermes-session-created - The gateway made a session for the first prompt; `sessionId` names it from now on.
 * @fires hermes-turn-started - A turn began, or was found running.
 * @fires hermes-turn-settled - A turn has ended; again with the next revision if its end or answer is found to be another.
 * @fires hermes-connection-changed - The connection is in another state, or the session has another problem.
 * @fires hermes-artifact-added - A turn wrote or changed a file, or referred to one.
 * @fires hermes-send-request - A prompt is to be sent (`send()`). Cancelable; else it is posted and its run is followed.
 * @fires hermes-cancel-request - The run is to be stopped. Cancelable; else the server is asked to.
 * @fires hermes-steer-request - The running agent is to be told more (`steer()`). Cancelable; else it is posted.
 */
export abstract class SessionElement extends LitElement {
  /** The package's version, by which two copies on a page tell each other apart. */
  static readonly version: string = '0.1.0';

  /** The stream of one run. */
  @property() src: string | undefined;
  /** The address of the settled session; loaded before the stream. */
  @property() history: string | undefined;
  /** The server; with `session-id` the element finds streams and history itself. */
  @property() base: string | undefined;
  /** The session at that server. */
  @property({attribute: 'session-id'}) sessionId: string | undefined;
  /** Who speaks at the other end: `auto` (default, told from the first frame), `hermes-webui` or `hermes-runs`. */
  @property() wire: string | undefined;
  /** The id of the `<hermes-session>` to show, or a session made by the page. */
  @property() session: string | Session | undefined;
  /** `none` keeps no recovery copy. */
  @property() cache: string | undefined;
  /** How much of the history to load at first: messages of Hermes WebUI, turns of a gateway; all of it when left out. */
  @property({attribute: 'page-size', type: Number}) pageSize: number | undefined;
  /** Request headers: an object, or a function asked again on every attempt. */
  @property({attribute: false}) headers: SessionSource['headers'];
  /** Used in place of the global one. */
  @property({attribute: false}) fetch: typeof globalThis.fetch | undefined;
  /** As in `fetch`. */
  @property({attribute: false}) credentials: RequestCredentials | undefined;
  /** Words in place of the English ones. */
  @property({attribute: false}) strings: Partial<Strings> | undefined;

  /** @internal The element's own `lang`, by which it hears of another one. */
  @property({attribute: 'lang'}) language: string | undefined;

  readonly #provider = this.provides ? new ContextProvider(this, {context: sessionContext}) : null;
  readonly #internals: ElementInternals | undefined = this.attachInternals?.();
  readonly #cadence = new Cadence(
    () => this.isUpdatePending || this.grow(),
    () => this.isUnseen,
  );
  readonly #told = new Map<string, Told>();
  #shown: Session | null = null;
  #own: Session | null = null;
  /** Gives the own session back while it is held. */
  #giveBack: (() => void) | null = null;
  #snapshot: unknown;
  #island: Element | null = null;
  #leave: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;
  #connection: Session['connection'] | undefined;
  #problem: Session['problem'] = null;

  /** The session shown, if there is one. */
  get shown(): Session | null {
    return this.#shown;
  }

  /** The transcript as `hermes.transcript.v1`. Setting one, or a settled session payload, shows it. */
  @property({attribute: false, noAccessor: true})
  get snapshot(): Session['snapshot'] | null {
    return this.#shown?.snapshot ?? null;
  }

  set snapshot(payload: unknown) {
    this.#snapshot = payload ?? undefined;
    this.#drop();
    this.requestUpdate('snapshot');
  }

  /** Connects, or asks again at once where a connection was lost. */
  connect(): void {
    this.#shown?.connect();
  }

  /** Lets go of the connection. The run goes on, and what is shown stays. */
  disconnect(): void {
    this.#shown?.disconnect();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // The first time attributes may still be on their way; the first update chooses.
    if (this.hasUpdated && this.usesSession) this.#choose();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // An element that is only moved is back before the microtask, and keeps its stream.
    queueMicrotask(() => this.isConnected || this.#release());
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!this.usesSession) return;
    const old = changed.get('headers') as this['headers'];
    if (old && this.headers) replaceHeaders(old, this.headers);
    // The id of the session that was made for the first prompt is no other session.
    const own = this.#own?.source.sessionId;
    const isMade = own !== undefined && own === this.sessionId;
    const another =
      changed.has('session') ||
      sourceNames.some(
        (name) =>
          changed.has(name) &&
          !(isMade && name === 'sessionId') &&
          !(name === 'headers' && !old === !this.headers),
      );
    if (another) this.#drop();
    if ((another || changed.has('snapshot') || !this.hasUpdated) && this.isConnected) this.#choose();
  }

  /** Sends a prompt for the reader: tells the page by `hermes-send-request`, and unless that is cancelled posts it. */
  send(prompt: string): Promise<void> {
    return this.ask(new HermesSendRequestEvent(prompt), (session) => session.send(prompt));
  }

  /** Stops what runs, for the reader: tells the page by `hermes-cancel-request`, and unless that is cancelled posts it. */
  cancel(): Promise<void> {
    return this.ask(new HermesCancelRequestEvent(null), (session) => session.cancel());
  }

  /** Gives the running agent a further instruction: by `hermes-steer-request`, and unless that is cancelled posts it. */
  steer(text: string): Promise<void> {
    return this.ask(new HermesSteerRequestEvent(text), (session) => session.steer(text));
  }

  /** Tells the page what the reader wants; unless it takes that over, the session does it. Rejects with a sentence. */
  protected async ask(event: Event, act: (session: Session) => Promise<unknown>): Promise<void> {
    if (!this.dispatchEvent(event)) return;
    const session = this.#shown;
    if (!session?.canControl) throw new Error(this.words.noControl);
    await act(session);
  }

  /** False for a turn that is given what it shows. */
  protected get usesSession(): boolean {
    return true;
  }

  /** True where there is a session also before anything says where it comes from. */
  protected get alwaysOwns(): boolean {
    return false;
  }

  /** Whether what stands inside it finds its session through it. */
  protected get provides(): boolean {
    return true;
  }

  /** Called after every change of the session shown. */
  protected onSession(): void {
    this.requestUpdate();
  }

  /** Whether what grows is out of the reader's sight. */
  protected get isUnseen(): boolean {
    return false;
  }

  /** Draws more of the text that is being written; nothing where none is shown. */
  protected grow(): void {}

  /** What this kind of element says. */
  protected get words(): typeof firstWords {
    return spoken(firstWords, this.strings);
  }

  /** Role and name, unless the page gave its own. */
  protected describe(role: string, label: string | null): void {
    const internals = this.#internals;
    if (internals && (internals.role !== role || internals.ariaLabel !== label))
      Object.assign(internals, {role, ariaLabel: label});
  }

  /** What the element is worth in a form. */
  protected setFormValue(value: string): void {
    // Not there before an element is registered as part of forms, nor in every engine a page is tested in.
    this.#internals?.setFormValue?.(value);
  }

  /** Sets the one of `:state(running|settled|restoring|error)` that holds. */
  protected set state(state: string | null) {
    const states = this.#internals?.states;
    // The same again would have the browser look at the styles of all that is in it.
    if (!states || (state === null ? states.size === 0 : states.has(state))) return;
    states.clear();
    if (state) states.add(state);
  }

  /** Looks for a JSON island again; children may be parsed after the element stands. */
  protected readonly adopt = (): void => {
    if (!this.#shown && this.usesSession) this.#choose();
  };

  /** A provider has come, which may be the one. */
  readonly #seek = () => {
    if (this.isConnected && this.usesSession) this.#choose();
  };

  #choose() {
    this.#leave?.();
    this.#leave = undefined;
    stopSeeking(this.#seek);
    const {session} = this;
    if (typeof session === 'object' && session) return this.#show(session);
    if (!session && this.#owns()) return this.#show(this.#hold());
    startSeeking(this.ownerDocument, this.#seek);
    let found: Session | null = null;
    requestSession(
      this,
      (around, leave) => {
        if (leave !== this.#leave) this.#leave?.();
        this.#leave = leave;
        this.#show((found = around ?? null));
      },
      session ?? undefined,
    );
    if (!found) this.#show(null);
  }

  #drop() {
    this.#giveBack?.();
    this.#own = this.#giveBack = null;
  }

  #owns(): boolean {
    this.#island = this.querySelector(':scope > script[type="application/json"]');
    return Boolean(
      this.alwaysOwns || this.src || this.history || this.base || this.#snapshot || this.#island,
    );
  }

  /** Its own session, held from now on: one that was given back goes on where it was, an equal source shares its session. */
  #hold(): Session {
    if (this.#own && this.#giveBack) return this.#own;
    const payload = this.#snapshot ?? parse(this.#island?.textContent);
    const {session, release} =
      payload === undefined
        ? acquireSession(this.#source, this.#own)
        : openAlone(this.#source, payload, this.#own);
    this.#giveBack = release;
    return (this.#own = session);
  }

  get #source(): SessionSource {
    // An attribute that was removed is null.
    const given = sourceNames.map((name) => [name, this[name] ?? undefined]);
    return {...Object.fromEntries(given), headers: latestHeaders(this.headers)} as SessionSource;
  }

  #show(session: Session | null) {
    if (session === this.#shown && this.#unsubscribe) return;
    this.#unsubscribe?.();
    // One that comes back to its session has told what it told.
    const another = session !== this.#shown;
    this.#shown = session;
    this.#provider?.setValue(session);
    if (another) {
      this.#told.clear();
      this.#connection = session?.connection;
      this.#problem = null;
    }
    this.#unsubscribe = session?.subscribe((pieces) => (pieces ? this.#cadence.ask(pieces) : this.#heard()));
    this.onSession();
    // Not while it is drawn: what a listener changes of it then would be lost.
    queueMicrotask(() => this.#report());
  }

  #release() {
    this.#cadence.forget();
    stopSeeking(this.#seek);
    this.#leave?.();
    this.#unsubscribe?.();
    this.#leave = this.#unsubscribe = undefined;
    this.#giveBack?.();
    this.#giveBack = null;
  }

  #heard() {
    this.onSession();
    this.#report();
  }

  /** Tells the page what is new of its own session. */
  #report() {
    const session = this.#shown;
    if (!session || session !== this.#own) return;
    const {connection, problem, transcript} = session;
    const {sessionId} = session.source;
    if (sessionId && !this.sessionId) {
      this.sessionId = sessionId;
      this.dispatchEvent(new HermesSessionCreatedEvent(sessionId));
    }
    if (connection !== this.#connection || problem !== this.#problem) {
      this.#connection = connection;
      this.#problem = problem;
      this.dispatchEvent(new HermesConnectionChangedEvent(connection, problem));
    }
    for (const turn of transcript.turns) if (this.#told.get(turn.id)?.turn !== turn) this.#tell(turn);
  }

  /** Tells the page what is new of a turn, each fact once. */
  #tell(turn: TurnAnchor) {
    const ids = [turn.id, ...turn.aliases];
    const known = this.#told.get(ids.find((id) => this.#told.has(id)) ?? '');
    const {id, status, artifacts} = turn;
    let {settled = null, revision = 0} = known ?? {};
    const again = status === 'settled' && !(settled && sameOutcome(settled, turn));
    if (again) {
      settled = turn;
      revision++;
    }
    // Kept before it is told: a listener may change the session.
    this.#told.set(id, {turn, settled, revision});
    if (!known && status !== 'settled') this.dispatchEvent(new HermesTurnStartedEvent(turn));
    for (const artifact of artifacts) {
      if (
        !known?.turn.artifacts.some(
          (old) => old === artifact || (old.path === artifact.path && old.change === artifact.change),
        )
      )
        this.dispatchEvent(new HermesArtifactAddedEvent(turn, artifact));
    }
    if (again) this.dispatchEvent(new HermesTurnSettledEvent(turn, revision));
  }
}

function sameOutcome(a: TurnAnchor, b: TurnAnchor): boolean {
  return a.terminal === b.terminal && (a.answer === b.answer || String(a.answer) === String(b.answer));
}

/** A session that begins with what the page says of it, and so is shared with nobody. */
function openAlone(source: SessionSource, payload: unknown, kept: Session | null) {
  const session = kept ?? new Session();
  if (kept) kept.connect();
  else {
    session.snapshot = payload;
    session.open(source);
  }
  return {session, release: () => session.disconnect()};
}

function parse(text: string | null | undefined): unknown {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    // The session says that it cannot read it.
    return text;
  }
}
