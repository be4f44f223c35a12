/**
 * One session while it is open: its agent, its recorder, the run that goes on and what the agent waits for. It is open as
 * long as its process: when that ends, by itself or because nothing was asked of it for a while, the session rests in the
 * journal and is opened anew on demand.
 *
 * Everything the wire says passes `#onLine`, in order: that decides what an answer is worth before the recorder reads it.
 */
import {
  AgentError,
  type AgentExit,
  type AgentInfo,
  type AgentPermissionRequest,
  type PermissionOutcome,
  type TappedLine,
} from '../agent/agent.js';
import {GatewayError} from '../gateway-error.js';
import type {SessionRecord} from '../journal/journal.js';
import type {Profile} from '../profiles/profile.js';
import {
  sessionRunId,
  type AcpGatewayFact,
  type AgentFacts,
  type ContentBlock,
  type StartRunResponse,
} from '../../protocol/index.js';
import {AgentHost, type OpenedSession} from './agent-host.js';
import {askInTime} from './ask-in-time.js';
import {journaledMessage} from './journaled-message.js';
import {SessionNotes} from './session-notes.js';
import {agentRefusal, exitSentence, failedRun} from './agent-refusals.js';
import {Countdown} from './countdown.js';
import {objectAt, textAt} from './loose.js';
import {PermissionDesk} from './permission-desk.js';
import {agentPrompt, promptTitle} from './prompt-blocks.js';
import {PromptWatch, type PromptVerdict} from './prompt-watch.js';
import {endFact, type RunEnd} from './run-end.js';
import {RunLife} from './run-life.js';
import {chooseAgain, chooseMode, chooseOption} from './session-choices.js';
import {agentFacts, shownOptions, withAnswer, withCapabilities} from './session-facts.js';
import type {SessionParts, SessionRecorder} from './session-parts.js';
import type {StartBackoff} from './start-backoff.js';
import {runIsOver, steerMessage} from './steering.js';

export interface GatewaySessionOptions {
  readonly record: SessionRecord;
  readonly profile: Profile;
  readonly parts: SessionParts;
  readonly recorder: SessionRecorder;
  readonly starts: StartBackoff;
  /** How many runs it had. */
  readonly runs: number;
  /** An agent was started for it. */
  opened(info: AgentInfo): void;
  /** It is closed and nothing is left of it. */
  closed(): void;
}

/** Why a session is closed while a run goes on. */
export interface SessionEnd {
  readonly code: string;
  readonly error: string;
  readonly hint?: string;
  /** The agent is to forget it, too. */
  readonly forget?: boolean;
}

/** Nothing was asked of it for a while, or its place is needed. */
export const RESTS: SessionEnd = {code: 'session_resting', error: 'The session was put to rest.'};

export class GatewaySession {
  readonly id: string;
  /** When something was last asked of it, in ms since 1970. */
  usedAt: number;
  readonly #options: GatewaySessionOptions;
  readonly #host: AgentHost;
  readonly #desk: PermissionDesk;
  readonly #keep: Countdown;
  readonly #notes: SessionNotes;
  #runs: number;
  #run: RunLife | null = null;
  #opened: Promise<OpenedSession> | null = null;
  /** It was opened, and is asked for so many things beside a run. */
  #isReady = false;
  #choices = 0;
  /** The agent's id of the session, as far as it is known to have one worth restoring. */
  #known: string | null;
  #watch: PromptWatch | null = null;
  #notice: string | null = null;
  #how: OpenedSession['how'] | 'known' = 'known';
  #afterStop = false;
  #closing: Promise<void> | null = null;

  constructor(options: GatewaySessionOptions) {
    const {record, profile, parts} = (this.#options = options);
    this.id = record.id;
    this.usedAt = parts.clock.now();
    this.#notes = new SessionNotes(record, parts.journal);
    this.#runs = options.runs;
    this.#known = options.runs > 0 ? record.agentSessionId : null;
    this.#keep = new Countdown(parts.clock, profile.timeouts.keep, () => this.#rest());
    this.#desk = new PermissionDesk({
      profile,
      clock: parts.clock,
      tell: (fact) => this.#tell(fact),
      changed: (open) => this.#run?.waits(open > 0),
    });
    this.#host = new AgentHost({
      session: record.id,
      profile,
      cwd: record.cwd,
      openAgent: parts.openAgent,
      agentOptions: {
        limits: {...parts.agentLimits, startMs: profile.timeouts.start},
        clock: parts.clock,
        ...(parts.pidFolder !== undefined && {pidFolder: parts.pidFolder}),
      },
      tools: parts.tools,
      starts: options.starts,
      launch: () => parts.launch(profile, record.cwd, record.id),
      listener: {
        onLine: (line) => this.#onLine(line),
        onPermission: (request) => this.#onPermission(request),
        onExit: (exit) => this.#onExit(exit),
      },
    });
  }

  get profile(): string {
    return this.#options.profile.name;
  }

  /** True for a session that has had a run. */
  get wasPrompted(): boolean {
    return this.#runs > 0;
  }

  /** True while it is open and nothing goes on in it, so that it could as well rest. */
  get isIdle(): boolean {
    const isAsked = this.#choices > 0 || this.#desk.pending.length > 0;
    return this.#isReady && !this.#run && !isAsked && !this.#closing;
  }

  get isClosing(): boolean {
    return this.#closing !== null;
  }

  /** When nothing is left of it. */
  get ended(): Promise<void> {
    return this.#closing ?? Promise.resolve();
  }

  /** The run that goes on, once a reader can follow it. */
  get activeRunId(): string | null {
    return this.#run?.begun ? this.#run.id : null;
  }

  get pendingPermissions(): readonly string[] {
    return this.#desk.pending;
  }

  get facts(): AgentFacts {
    const {name, runtimeType} = this.#options.profile;
    return agentFacts(this.#notes.facts, name, runtimeType);
  }

  get agent() {
    return this.#host.agent;
  }

  /** Opens the session in its agent, which is started for it. A session that cannot be had is closed. */
  open(): Promise<OpenedSession> {
    this.#opened ??= this.#open().catch(async (error: unknown) => {
      if (!this.#closing) await this.close(RESTS);
      throw error;
    });
    return this.#opened;
  }

  /** Starts a run with what was asked. Resolves when its first event is in the journal. */
  async start(blocks: readonly ContentBlock[], pageContext: string | undefined): Promise<StartRunResponse> {
    const run = this.#reserve();
    try {
      const opened = await this.open();
      const context = pageContext ?? this.#notes.takeContext();
      const prompt = agentPrompt(blocks, context, opened.capabilities, this.#options.profile.name);
      this.#tell({type: 'run', runId: run.id, turnId: run.turnId, profile: this.#options.profile.name});
      await this.#send(run, opened, prompt);
      await this.#options.recorder.flushed();
      return {
        runId: run.id,
        sessionId: this.id,
        turnId: run.turnId,
        events: this.#options.parts.eventsUrl(run.id),
      };
    } catch (error) {
      if (!run.begun) this.#release(run);
      if (!this.agent) await this.close(RESTS);
      throw agentRefusal(error, this.#options.profile, this.agent?.info ?? null);
    }
  }

  /** Stops a run if it is the one that goes on; one that is over needs no stopping. */
  abort(run: string): void {
    if (this.#run?.id !== run) return;
    this.#run.cancel();
    this.#desk.cancelAll();
  }

  /** True if the run goes on, also before its first event. */
  isActive(run: string): boolean {
    return this.#run?.id === run;
  }

  async steer(text: string): Promise<void> {
    const run = this.#run;
    if (run?.phase !== 'working' || run.stopping) throw runIsOver();
    const answer = await steerMessage(await this.open(), text, this.#options.profile);
    this.#tell({type: 'notice', text, topic: answer === 'queued' ? 'steer-queued' : 'steer'});
    await this.#options.recorder.flushed();
  }

  knowsPermission(permission: string): boolean {
    return this.#desk.knows(permission);
  }

  answer(permission: string, optionId: string): void {
    this.#desk.answer(permission, optionId);
  }

  async setMode(mode: string): Promise<void> {
    await this.#choose((opened) => chooseMode(opened, this.#notes, mode));
  }

  async setOption(option: string, value: string | boolean): Promise<void> {
    await this.#choose((opened) => chooseOption(opened, this.#notes, option, value));
  }

  /** Closes it: a run that goes on gets its terminal event, the agent ends. The same promise for every caller. */
  close(end: SessionEnd): Promise<void> {
    this.#closing ??= this.#close(end);
    return this.#closing;
  }

  async #close({code, error, hint, forget = false}: SessionEnd): Promise<void> {
    const {recorder, closed} = this.#options;
    this.#keep.stop();
    this.#run?.fail(code, error, hint);
    this.#desk.cancelAll();
    // A journal that cannot be written was said to whoever waited for it.
    await recorder.flushed().catch(() => {});
    if (forget) await this.#forget();
    await this.#host.stop();
    await recorder.flushed().catch(() => {});
    await this.#notes.saved;
    closed();
  }

  /** Tells the agent that the session is not needed any more, where it takes that. */
  async #forget(): Promise<void> {
    const agent = this.agent;
    const opened = await Promise.race([this.#opened, Promise.resolve(null)]).catch(() => null);
    if (!agent || !opened?.capabilities.close) return;
    const {clock} = this.#options.parts;
    await askInTime(agent, 'session/close', {sessionId: opened.id}, {clock, ms: FORGETTING}).catch(() => {});
  }

  #reserve(): RunLife {
    if (this.#run) {
      throw new GatewayError('busy', 'The session is at work. Wait for the run that goes on, or stop it.', {
        activeRunId: this.#run.id,
      });
    }
    this.#keep.stop();
    const {parts, profile} = this.#options;
    const id = `${this.id}.${this.#runs + 1}`;
    const run: RunLife = new RunLife({
      id,
      turnId: `t.${id}`,
      clock: parts.clock,
      timeouts: profile.timeouts,
      sendCancel: () => void this.#sendCancel(),
      kill: () => void this.#host.end(),
      end: (end) => this.#end(run, end),
    });
    this.#run = run;
    return run;
  }

  #release(run: RunLife): void {
    if (this.#run !== run) return;
    this.#run = null;
    this.#watch = null;
    this.#desk.forgetTools();
    this.usedAt = this.#options.parts.clock.now();
    this.#keepOn();
  }

  async #open(): Promise<OpenedSession> {
    const opened = await this.#host.ready(this.#known);
    await this.#adopt(opened);
    // What it said before its answer is there for whoever asks next.
    await this.#options.recorder.flushed();
    this.#isReady = true;
    this.#keepOn();
    return opened;
  }

  /** Makes what an agent opened the session's own. */
  async #adopt(opened: OpenedSession): Promise<void> {
    const {profile} = this.#options;
    this.#options.opened(opened.agent.info);
    const isLost = this.#known !== null && opened.how === 'made';
    if (isLost)
      this.#notice = `${profile.name} no longer had this session, so a new one was opened: it does not remember what was said before.`;
    this.#how = opened.how;
    this.#known = opened.id;
    const notes = this.#notes;
    notes.noteAgentSession(opened.id);
    notes.facts = withAnswer(withCapabilities(notes.facts, opened.capabilities), opened.answer);
    await chooseAgain(opened, notes, profile.defaultModel);
    await notes.saved;
  }

  /** Sends the prompt; resolves when it is on the wire. */
  #send(run: RunLife, opened: OpenedSession, prompt: readonly ContentBlock[]): Promise<void> {
    if (run.phase === 'over') throw new AgentError('aborted', 'The run ended before it began');
    const watch = new PromptWatch({blocks: prompt, how: this.#how, afterStop: this.#afterStop});
    this.#watch = watch;
    opened.agent.request('session/prompt', {sessionId: opened.id, prompt}).catch((error: unknown) => {
      watch.fail(error);
      this.#promptFailed(run, error);
    });
    return watch.sent;
  }

  /** What a rejection says was read from the line already; what is not a line is heard here only. */
  #promptFailed(run: RunLife, error: unknown): void {
    const isHeard = error instanceof AgentError && (error.code === 'rejected' || error.code === 'gone');
    if (!isHeard && run.phase === 'working') this.#failed(run, error, null);
  }

  #failed(run: RunLife, thrown: unknown, info: AgentInfo | null): void {
    const {parts, profile} = this.#options;
    const {code, error} = failedRun(thrown, profile, info, parts.onFault ?? console.error);
    run.fail(code, error);
  }

  #onLine(line: TappedLine): void | Promise<unknown> {
    const {from, message, at} = line;
    const method = textAt(message, 'method');
    if (from === 'agent') this.#heard(method, line);
    if (this.#watch?.isAnswer(line)) return this.#answered(line);
    const observed = this.#options.recorder.observe({from, message: journaledMessage(line), at});
    if (this.#watch?.isPrompt(line)) this.#prompted(this.#watch);
    return observed;
  }

  #heard(method: string | null, {message}: TappedLine): void {
    this.#run?.heard();
    if (this.#keep.running) this.#keep.touch();
    if (method === 'session/request_permission') this.#desk.announce(message['id'], this.#openRun());
    if (method !== 'session/update') return;
    const update = objectAt(objectAt(message, 'params'), 'update');
    this.#watch?.heard(update);
    if (this.#run) this.#desk.heard(update);
    this.#notes.heard(update);
  }

  #prompted({blocks}: PromptWatch): void {
    const run = this.#run;
    if (!run) return;
    if (!run.begun) this.#runs++;
    this.#notes.noteTitle(promptTitle(blocks));
    run.prompted();
    this.#how = 'known';
    this.#afterStop = false;
    if (this.#notice !== null) this.#tell({type: 'notice', text: this.#notice, topic: 'session'});
    this.#notice = null;
  }

  #answered({message, at}: TappedLine): void | Promise<unknown> {
    const {recorder} = this.#options;
    const run = this.#run;
    const watch = this.#watch!;
    this.#watch = null;
    const verdict = run && !run.stopping ? watch.verdict(message) : 'stands';
    if (run && verdict !== 'stands') {
      run.again();
      this.#tell({type: 'again', answer: message});
      return void this.#again(run, verdict, watch.blocks);
    }
    // The failure of a stalled run stands before its answer, which then is nobody's.
    if (run?.spoilt) run.answered();
    else this.#options.starts.worked(this.#options.profile.name);
    const observed = recorder.observe({from: 'agent', message, at});
    run?.answered();
    return observed;
  }

  /** Sends the prompt of a run once more, in a session that has a chance to take it. */
  async #again(
    run: RunLife,
    verdict: Exclude<PromptVerdict, 'stands'>,
    prompt: readonly ContentBlock[],
  ): Promise<void> {
    const {profile} = this.#options;
    try {
      this.#desk.cancelAll();
      const known = this.#known!;
      const opening = verdict === 'renew' ? this.#host.renew() : this.#host.restart(known);
      this.#opened = opening;
      const opened = await opening;
      await this.#adopt(opened);
      this.#how = 'made';
      this.#notice ??= `${profile.name} was still busy with the turn that was stopped, so it was started anew.`;
      await this.#send(run, opened, prompt);
    } catch (error) {
      this.#failed(run, error, this.agent?.info ?? null);
      // What is open in it now, nobody knows.
      await this.close(RESTS);
    }
  }

  #onPermission(request: AgentPermissionRequest): Promise<PermissionOutcome> {
    return this.#desk.ask(request, this.#run?.stopping === true || this.#closing !== null);
  }

  #onExit(exit: AgentExit): void {
    const sentence = exitSentence(this.#options.profile, exit);
    this.#watch?.fail(new AgentError('gone', sentence));
    this.#opened = null;
    this.#desk.cancelAll();
    if (this.#run?.begun) this.#run.exited(sentence, GO_ON);
    else if (!this.#run) void this.close(RESTS);
  }

  /** The run is over: says so in the journal, then is free for the next. */
  #end(run: RunLife, end: RunEnd): void {
    this.#watch?.fail(new AgentError('aborted', 'error' in end ? end.error : 'The run was stopped'));
    this.#desk.cancelAll();
    if (!run.begun) return;
    this.#afterStop = run.stopping;
    this.#tell(endFact(end));
    const free = () => {
      this.#release(run);
      if (run.spoilt || !this.agent) void this.close(RESTS);
    };
    void this.#options.recorder.flushed().then(free, free);
  }

  async #choose(choice: (opened: OpenedSession) => Promise<void>): Promise<void> {
    this.#choices++;
    try {
      await this.#chosen(choice);
    } finally {
      this.#choices--;
      this.usedAt = this.#options.parts.clock.now();
    }
  }

  async #chosen(choice: (opened: OpenedSession) => Promise<void>): Promise<void> {
    const opened = await this.open();
    const {legacyModel} = this.#notes.facts;
    try {
      await choice(opened);
    } catch (error) {
      throw agentRefusal(error, this.#options.profile, opened.agent.info);
    }
    const {facts} = this.#notes;
    if (facts.legacyModel !== legacyModel) this.#tell({type: 'options', options: shownOptions(facts)});
    await this.#notes.saved;
  }

  #sendCancel(): void {
    this.#desk.cancelAll();
    if (this.#known !== null) this.agent?.notify('session/cancel', {sessionId: this.#known});
  }

  /** From here on it is kept for a while, unless something is asked of it. */
  #keepOn(): void {
    if (!this.#run && !this.#closing) this.#keep.start();
  }

  #rest(): void {
    if (this.#desk.pending.length > 0) this.#keepOn();
    else void this.close(RESTS);
  }

  #openRun(): string {
    return this.#run?.begun && this.#run.phase !== 'over' ? this.#run.id : sessionRunId(this.id);
  }

  #tell(fact: AcpGatewayFact): void {
    const {parts, recorder} = this.#options;
    void recorder.observe({from: 'gateway', fact, at: parts.clock.now()});
  }
}

const GO_ON = 'What it said so far is kept. Send a prompt, and it is started again.';

/** How long an agent may take to forget a session, in ms. */
const FORGETTING = 2_000;
