/**
 * The sessions of a gateway: who may see which, and which are open. An open one has a process; the others rest in the
 * journal and are opened when something is asked of them, so nothing here grows with their number.
 */
import type {AgentInfo} from '../agent/agent.js';
import {GatewayError} from '../gateway-error.js';
import {interruptOpenRuns} from '../journal/interrupt-open-runs.js';
import type {JournalScope, SessionRecord} from '../journal/journal.js';
import type {Profile, ProfileView, RuntimeType} from '../profiles/profile.js';
import {
  createAcpState,
  isSessionRun,
  type AgentFacts,
  type CreateSessionRequest,
  type CreateSessionResponse,
  type SessionResponse,
  type StartRunRequest,
  sessionOfRun,
  sessionRunId,
  type StartRunResponse,
} from '../../protocol/index.js';
import {GatewaySession, RESTS, type SessionEnd} from './gateway-session.js';
import {journaledAnswer} from './journaled-answer.js';
import {alreadyAnswered, unknownPermission} from './permission-desk.js';
import {requestedBlocks} from './prompt-blocks.js';
import {profileViews} from './profile-views.js';
import {RuntimeLimits, tooManySessions} from './runtime-limits.js';
import {agentFacts, readFacts} from './session-facts.js';
import type {SessionParts} from './session-parts.js';
import type {Caller, SessionService, SessionSummary, TurnWindow} from './session-service.js';
import {StartBackoff} from './start-backoff.js';
import {runIsOver} from './steering.js';
import {workingFolder} from './working-folder.js';

const STOPS: SessionEnd = {
  code: 'gateway_stopping',
  error: 'The gateway was stopped before the agent had answered.',
  hint: 'What it said so far is kept. Send a prompt to go on.',
};

const REMOVED: SessionEnd = {code: 'session_removed', error: 'The session was removed.', forget: true};

const UNKEPT: SessionEnd = {
  code: 'journal_failed',
  error: 'What the agent says can no longer be kept, so it was stopped.',
};

/** How many lines `diagnostics` shows. */
const SHOWN_LINES = 200;

/** A session on its way to be open, or open. */
interface OpenEntry {
  readonly opening: Promise<GatewaySession>;
  session: GatewaySession | null;
}

export class Sessions implements SessionService {
  readonly #parts: SessionParts;
  readonly #limits = new RuntimeLimits();
  readonly #starts: StartBackoff;
  readonly #open = new Map<string, OpenEntry>();
  readonly #agents = new Map<string, AgentInfo>();
  readonly #creating = new Set<Promise<unknown>>();
  /** How many read a session. */
  readonly #readers = new Map<string, number>();
  #stopping: Promise<void> | null = null;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#starts = new StartBackoff(parts.clock);
  }

  async create(caller: Caller, request: CreateSessionRequest): Promise<CreateSessionResponse> {
    this.#refuseWhenStopping();
    const created = this.#create(caller, request);
    this.#creating.add(created);
    const done = () => this.#creating.delete(created);
    created.then(done, done);
    return created;
  }

  async #create({subject}: Caller, request: CreateSessionRequest): Promise<CreateSessionResponse> {
    const {profiles, journal} = this.#parts;
    const profile = request.profile === undefined ? profiles.active(subject) : profiles.get(request.profile);
    const cwd = await workingFolder(profile, request.cwd);
    const record = this.#newRecord(subject, profile, cwd, request.pageContext);
    await this.#takePlace(profile, record.id);
    try {
      await journal.createSession(record);
      await this.#use(record, (session) => session.open());
    } catch (error) {
      this.#limits.release(profile.name, record.id);
      await journal.removeSession(record.id);
      throw error;
    }
    return {sessionId: record.id};
  }

  async list({subject}: Caller): Promise<readonly SessionSummary[]> {
    const records = await this.#parts.journal.sessions(subject);
    return records.map(({id, title, profile, createdAt, updatedAt}) => ({
      id,
      title,
      profile,
      runtimeType: this.#runtimeType(profile),
      activeRunId: this.#openSession(id)?.activeRunId ?? null,
      createdAt,
      updatedAt,
    }));
  }

  async get(caller: Caller, id: string, window: TurnWindow = {}): Promise<SessionResponse> {
    await this.#owned(caller, id);
    const {transcript, earlier, cursor} = await this.#parts.history(id, window);
    // After the history: what is open now and not in it yet comes with the stream.
    const record = await this.#owned(caller, id);
    const session = this.#openSession(id);
    return {
      transcript,
      earlier,
      cursor,
      activeRunId: session?.activeRunId ?? null,
      pendingPermissions: session?.pendingPermissions ?? [],
      title: record.title,
      agent: session?.facts ?? this.#factsOf(record),
    };
  }

  async remove(caller: Caller, id: string): Promise<void> {
    await this.#owned(caller, id);
    await this.#close(id, REMOVED);
    await this.#parts.journal.removeSession(id);
  }

  async start(caller: Caller, request: StartRunRequest): Promise<StartRunResponse> {
    const record = await this.#owned(caller, request.sessionId);
    // Before anything is opened for it.
    const blocks = requestedBlocks(request);
    try {
      return await this.#use(record, (session) => session.start(blocks, request.pageContext));
    } catch (error) {
      // Whatever it was that failed, this is why.
      this.#refuseWhenStopping();
      throw error;
    }
  }

  async abort(caller: Caller, run: string): Promise<void> {
    const session = await this.#ofTurn(caller, run);
    session?.abort(run);
  }

  async steer(caller: Caller, run: string, text: string): Promise<void> {
    const session = await this.#ofTurn(caller, run);
    if (!session?.isActive(run)) throw runIsOver();
    await session.steer(text);
  }

  async answer(caller: Caller, run: string, permission: string, optionId: string): Promise<void> {
    const session = await this.#ofRun(caller, run);
    if (!permission.startsWith(`${run}.`)) throw unknownPermission();
    if (session?.knowsPermission(permission)) return session.answer(permission, optionId);
    const answer = await journaledAnswer(this.#parts.journal, run, permission);
    throw answer ? alreadyAnswered(answer) : unknownPermission();
  }

  async setMode(caller: Caller, id: string, mode: string): Promise<void> {
    const record = await this.#owned(caller, id);
    await this.#use(record, (session) => session.setMode(mode));
  }

  async setOption(caller: Caller, id: string, option: string, value: string | boolean): Promise<void> {
    const record = await this.#owned(caller, id);
    await this.#use(record, (session) => session.setOption(option, value));
  }

  async readable(caller: Caller, scope: JournalScope): Promise<JournalScope> {
    if ('session' in scope) await this.#owned(caller, scope.session);
    else {
      await this.#owned(caller, sessionOfRun(scope.run));
      if (!(await this.#parts.journal.run(scope.run))) throw unknown('run');
    }
    return scope;
  }

  reads(scope: JournalScope): () => void {
    const id = 'session' in scope ? scope.session : sessionOfRun(scope.run);
    const add = (more: number) => {
      const count = (this.#readers.get(id) ?? 0) + more;
      if (count > 0) this.#readers.set(id, count);
      else this.#readers.delete(id);
    };
    add(1);
    return () => add(-1);
  }

  /** True for a session that has an agent, or somebody who reads it. */
  isInUse(id: string): boolean {
    return this.#open.has(id) || this.#readers.has(id);
  }

  async diagnostics(caller: Caller, id: string): Promise<object> {
    const {profile, agentSessionId} = await this.#owned(caller, id);
    const session = this.#openSession(id);
    const agent = session?.agent ?? null;
    return {
      session: id,
      profile,
      agentSessionId,
      activeRunId: session?.activeRunId ?? null,
      agent: agent && {...agent.info, ...agent.diagnostics, lastHeardAt: agent.lastHeardAt},
      lines: await this.#parts.journal.sources(id, SHOWN_LINES),
    };
  }

  profiles({subject}: Caller): Promise<readonly ProfileView[]> {
    const {profiles} = this.#parts;
    return profileViews(profiles, profiles.active(subject).name, this.#limits, this.#agents);
  }

  async selectProfile(caller: Caller, name: string): Promise<readonly ProfileView[]> {
    await this.#parts.profiles.select(caller.subject, name);
    return this.profiles(caller);
  }

  async health(): Promise<object> {
    const views = await profileViews(this.#parts.profiles, null, this.#limits, this.#agents);
    const runtimes = views.map(
      ({name, runtimeType, available, reason, sessions, maxConcurrentSessions, agent}) => ({
        name,
        runtimeType,
        available,
        reason,
        sessions,
        maxConcurrentSessions,
        agent,
      }),
    );
    return {status: this.#stopping ? 'stopping' : 'ok', sessions: this.#open.size, runtimes};
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#closeAll();
    return this.#stopping;
  }

  async #closeAll(): Promise<void> {
    await Promise.allSettled([...this.#open.keys()].map((id) => this.#close(id, STOPS)));
    // Those on their way find that nothing can be opened any more.
    await Promise.allSettled(this.#creating);
  }

  async #close(id: string, end: SessionEnd): Promise<void> {
    const session = await this.#open.get(id)?.opening.catch(() => null);
    await session?.close(end);
  }

  /** Does something with a session, which is opened if it rests. */
  async #use<T>(record: SessionRecord, work: (session: GatewaySession) => Promise<T>): Promise<T> {
    for (;;) {
      const session = await this.#session(record);
      // It may have been put to rest for another one at this very moment.
      if (!session.isClosing) return work(session);
    }
  }

  /** The session, opened if it rests. One that is about to close is waited for: it has a process until then. */
  async #session(record: SessionRecord): Promise<GatewaySession> {
    for (;;) {
      this.#refuseWhenStopping();
      const entry = this.#open.get(record.id);
      if (!entry) return this.#begin(record);
      const session = await entry.opening;
      if (!session.isClosing) return session;
      await session.ended;
    }
  }

  #begin(record: SessionRecord): Promise<GatewaySession> {
    const profile = this.#parts.profiles.get(record.profile);
    const opening = this.#takePlace(profile, record.id).then(() => this.#claimed(record, profile));
    const entry: OpenEntry = {opening, session: null};
    this.#open.set(record.id, entry);
    entry.opening.then(
      (session) => (entry.session = session),
      () => this.#closed(record, profile),
    );
    return entry.opening;
  }

  /** Takes a place for a session. When none is left, one that has nothing to do is put to rest. */
  async #takePlace(profile: Profile, id: string): Promise<void> {
    while (!this.#limits.take(profile, id)) {
      const leaving = this.#leaving(profile);
      if (!leaving) throw tooManySessions(profile);
      await leaving.close(RESTS);
      this.#refuseWhenStopping();
    }
  }

  /**
   * The session of a profile that is missed least: one that leaves anyway, else one that nobody reads; one that was never
   * prompted before others; the one used longest ago. Null when all are at work.
   */
  #leaving({name}: Profile): GatewaySession | null {
    const open = [...this.#open.values()].flatMap(({session}) => session ?? []);
    const own = open.filter(({profile}) => profile === name);
    const rank = ({id, isClosing, wasPrompted}: GatewaySession) =>
      isClosing ? 0 : (this.#readers.has(id) ? 3 : 1) + Number(wasPrompted);
    return (
      own
        .filter(({isClosing, isIdle}) => isClosing || isIdle)
        .sort((a, b) => rank(a) - rank(b) || a.usedAt - b.usedAt)[0] ?? null
    );
  }

  async #claimed(record: SessionRecord, profile: Profile): Promise<GatewaySession> {
    const {journal, openRecorder, clock} = this.#parts;
    const {id} = record;
    // A full disk leaves a run without its end, and no other may begin behind it.
    await interruptOpenRuns(journal, clock, id);
    const fence = await journal.claim(id);
    // After the claim, so that no other writer adds to what is counted.
    const [fresh, runs, own] = await Promise.all([
      journal.session(id),
      journal.runs(id),
      journal.run(sessionRunId(id)),
    ]);
    const state = createAcpState({
      sessionId: id,
      acpSessionId: record.agentSessionId,
      runs: runs.length,
      sessionSeq: own?.lastSeq ?? 0,
      // A generic profile says nothing of its agent, which then is what it calls itself.
      ...(profile.runtimeType !== 'generic' && {runtimeType: profile.runtimeType}),
    });
    const session: GatewaySession = new GatewaySession({
      record: fresh ?? record,
      profile,
      parts: this.#parts,
      starts: this.#starts,
      recorder: openRecorder({journal, fence, state, onFailure: () => void session.close(UNKEPT)}),
      runs: runs.length,
      opened: (info) => this.#agents.set(profile.name, info),
      closed: () => this.#closed(record, profile),
    });
    return session;
  }

  #closed({id}: SessionRecord, profile: Profile): void {
    this.#open.delete(id);
    this.#limits.release(profile.name, id);
  }

  #openSession(id: string): GatewaySession | null {
    return this.#open.get(id)?.session ?? null;
  }

  /** The open session of a run that the caller may see; null when the session rests. */
  async #ofRun(caller: Caller, run: string): Promise<GatewaySession | null> {
    const id = sessionOfRun(run);
    await this.#owned(caller, id);
    const session = this.#openSession(id);
    if (!session?.isActive(run) && !(await this.#parts.journal.run(run))) throw unknown('run');
    return session;
  }

  /** The same of a run with a prompt: that of the session itself can be read, and neither stopped nor steered. */
  async #ofTurn(caller: Caller, run: string): Promise<GatewaySession | null> {
    if (isSessionRun(run)) throw unknown('run');
    return this.#ofRun(caller, run);
  }

  async #owned({subject}: Caller, id: string): Promise<SessionRecord> {
    const record = await this.#parts.journal.session(id);
    // Somebody else's is as good as none: who asks learns nothing of it.
    if (record?.owner !== subject) throw unknown('session');
    return record;
  }

  #newRecord(owner: string, profile: Profile, cwd: string, pageContext: string | undefined): SessionRecord {
    const now = this.#parts.clock.now();
    return {
      id: this.#parts.newId(),
      owner,
      profile: profile.name,
      title: null,
      agentSessionId: null,
      cwd,
      settings: pageContext ? {pageContext} : {},
      createdAt: now,
      updatedAt: now,
    };
  }

  #factsOf({profile, settings}: SessionRecord): AgentFacts {
    return agentFacts(readFacts(settings), profile, this.#runtimeType(profile));
  }

  /** A profile may be gone from the configuration while its sessions are still there. */
  #runtimeType(name: string): RuntimeType {
    return this.#parts.profiles.profiles.find((profile) => profile.name === name)?.runtimeType ?? 'generic';
  }

  #refuseWhenStopping(): void {
    if (this.#stopping)
      throw new GatewayError('stopping', 'The gateway is being stopped. Try again when it is back.');
  }
}

function unknown(what: 'session' | 'run'): GatewayError {
  return new GatewayError('not-found', `There is no such ${what}. Reload the list of sessions.`);
}
