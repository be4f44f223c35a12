/** A session service without agents: it writes to a real journal what a test says, and answers as the contract wants. */
import {GatewayError} from '../../../../src/gateway/gateway-error.js';
import type {Fence, Journal, JournalScope} from '../../../../src/gateway/journal/journal.js';
import type {Caller, SessionService, TurnWindow} from '../../../../src/gateway/sessions/session-service.js';
import type {RunEvent, StartRunRequest} from '../../../../src/protocol/index.js';

type Fields = Readonly<Record<string, unknown>> & {readonly event: string};

export class FakeService implements SessionService {
  /** What the routes asked, in order. */
  readonly asked: unknown[] = [];
  /** How many read. */
  readers = 0;
  /** What the next call of a method throws. */
  failWith: Error | null = null;
  readonly #journal: Journal;
  readonly #fences = new Map<string, Fence>();
  readonly #seqs = new Map<string, number>();
  readonly #answered = new Map<string, string>();
  #active: {session: string; run: string} | null = null;
  #runs = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Makes a session for an owner. */
  async make(session: string, owner = 'local'): Promise<void> {
    const record = {profile: 'demo', title: null, agentSessionId: null, cwd: '/', settings: {}};
    await this.#journal.createSession({id: session, owner, ...record, createdAt: 1, updatedAt: 1});
    this.#fences.set(session, await this.#journal.claim(session));
  }

  /** Appends events to a run, each with its place. */
  async say(session: string, run: string, ...events: readonly Fields[]): Promise<void> {
    const placed = events.map((fields) => {
      const seq = (this.#seqs.get(run) ?? 0) + 1;
      this.#seqs.set(run, seq);
      return {...fields, run_id: run, seq, session_id: session, timestamp: 1790000000 + seq / 8};
    });
    const entry = {events: placed as unknown as RunEvent[], source: null, at: 1790000000000};
    await this.#journal.append(this.#fences.get(session)!, entry);
  }

  async create({subject}: Caller, request: object) {
    this.#hear('create', request);
    await this.make(`made-${subject}`, subject);
    return {sessionId: `made-${subject}`};
  }

  async list({subject}: Caller) {
    this.#hear('list');
    return (await this.#journal.sessions(subject)).map(({id, title, profile, createdAt, updatedAt}) => ({
      ...{id, title, profile, createdAt, updatedAt},
      runtimeType: 'demo',
      activeRunId: null,
    }));
  }

  async get(caller: Caller, session: string, window: TurnWindow = {}) {
    const asked = Object.entries(window).filter(([, count]) => count !== undefined);
    this.#hear('get', session, ...(asked.length > 0 ? [Object.fromEntries(asked)] : []));
    await this.readable(caller, {session});
    return {transcript: null, cursor: null, activeRunId: null, pendingPermissions: []};
  }

  async remove(caller: Caller, session: string) {
    this.#hear('remove', session);
    await this.readable(caller, {session});
    await this.#journal.removeSession(session);
  }

  async start(caller: Caller, request: StartRunRequest) {
    this.#hear('start', request);
    const session = request.sessionId;
    await this.readable(caller, {session});
    if (this.#active?.session === session) {
      throw new GatewayError('busy', 'Another run goes on. Wait for it, or stop it.', {
        activeRunId: this.#active.run,
      });
    }
    const run = `r${++this.#runs}`;
    this.#active = {session, run};
    await this.say(session, run, {event: 'run.started', turn_id: run, prompt: 'Hello'});
    return {runId: run, sessionId: session, turnId: run, events: `/events/${run}`};
  }

  abort(_caller: Caller, run: string) {
    return this.#note('abort', run);
  }

  steer(_caller: Caller, run: string, text: string) {
    return this.#note('steer', run, text);
  }

  answer(_caller: Caller, run: string, permission: string, optionId: string) {
    this.#hear('answer', run, permission, optionId);
    const before = this.#answered.get(permission);
    this.#answered.set(permission, before ?? optionId);
    if (before === undefined) return Promise.resolve();
    const details = {outcome: 'selected', optionId: before};
    return Promise.reject(new GatewayError('already-answered', 'This was answered before.', details));
  }

  setMode(_caller: Caller, session: string, mode: string) {
    return this.#note('setMode', session, mode);
  }

  setOption(_caller: Caller, session: string, option: string, value: string | boolean) {
    return this.#note('setOption', session, option, value);
  }

  async readable({subject}: Caller, scope: JournalScope) {
    const run = 'run' in scope ? await this.#journal.run(scope.run) : null;
    const id = 'session' in scope ? scope.session : (run?.session ?? '');
    const session = await this.#journal.session(id);
    if (session?.owner === subject) return scope;
    throw new GatewayError('not-found', 'There is no such session. It may have been removed.');
  }

  reads() {
    this.readers++;
    return () => void this.readers--;
  }

  diagnostics(_caller: Caller, session: string) {
    this.#hear('diagnostics', session);
    return Promise.resolve({stderr: []});
  }

  profiles() {
    return Promise.resolve([]);
  }

  selectProfile(_caller: Caller, name: string) {
    this.#hear('selectProfile', name);
    return Promise.resolve([]);
  }

  health() {
    return Promise.resolve({runtimes: {demo: 'ready'}});
  }

  async stop() {
    if (!this.#active) return;
    const {session, run} = this.#active;
    this.#active = null;
    await this.say(session, run, {event: 'run.failed', error: 'Stopped.', terminal_state: 'interrupted'});
  }

  #note(...call: unknown[]): Promise<void> {
    this.#hear(...call);
    return Promise.resolve();
  }

  #hear(...call: unknown[]): void {
    this.asked.push(call);
    if (this.failWith === null) return;
    const thrown = this.failWith;
    this.failWith = null;
    throw thrown;
  }
}
