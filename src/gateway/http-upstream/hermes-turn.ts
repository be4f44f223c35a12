/**
 * One turn: a run of Hermes from its start to its end. Its stream can be read once and has no places to go on from, so it is
 * opened at once and read whole. When it breaks, what is left to a client is the run's status, which tells of the end and
 * of the whole text: then the turn waits for that, and says so.
 */
import type {JsonRpcObject} from '../agent/agent.js';
import {parseObject} from '../agent/json-rpc.js';
import type {Clock} from '../clock.js';
import {objectAt, textAt, valueAt} from '../sessions/loose.js';
import type {AcpLines} from './acp-lines.js';
import {Approvals} from './approvals.js';
import {UpstreamError, type HermesApi} from './hermes-api.js';
import {lost, runEnd, startRefusal, type HermesRunEnd} from './run-end.js';
import {notice, RunReader} from './run-reader.js';

export interface HermesTurnOptions {
  readonly api: HermesApi;
  readonly lines: AcpLines;
  readonly clock: Clock;
  readonly sessionId: string;
  /** Between two looks at a run whose stream broke, in ms. */
  readonly pollMs: number;
  /** How long Hermes may be gone before the run counts as lost, in ms. */
  readonly patienceMs: number;
  /** Ends everything at once. */
  readonly signal: AbortSignal;
}

export class HermesTurn {
  readonly #options: HermesTurnOptions;
  readonly #reader = new RunReader();
  readonly #approvals: Approvals;
  readonly #started: Promise<void>;
  #run: string | null = null;
  #isStarted!: () => void;

  constructor(options: HermesTurnOptions) {
    this.#options = options;
    const {lines, sessionId, api, signal} = options;
    this.#started = new Promise((resolve) => (this.#isStarted = resolve));
    this.#approvals = new Approvals({
      lines,
      sessionId,
      call: () => this.#reader.onlyCall,
      answer: (body) => api.post(`${this.#path}/approval`, body, signal),
    });
  }

  /** What Hermes has said so far. */
  get said(): string {
    return this.#reader.said;
  }

  /** Starts the run and follows it to its end. Rejects with a `RequestError` when it cannot be started. */
  async run(body: object, idempotencyKey: string): Promise<HermesRunEnd> {
    const {api, signal} = this.#options;
    try {
      const started = await api.post('/v1/runs', body, signal, {'idempotency-key': idempotencyKey});
      this.#run = textAt(started, 'run_id');
      if (this.#run === null) throw new UpstreamError('failed', 'It did not name the run.');
    } catch (error) {
      throw startRefusal(error);
    } finally {
      this.#isStarted();
    }
    // For whoever looks for it in the logs of Hermes.
    void this.#options.lines.notify('_hermes/run', {runId: this.#run});
    try {
      const end = await this.#listen();
      return end ?? (await this.#followUp());
    } finally {
      this.#approvals.end();
    }
  }

  /** Asks Hermes to stop, once it has said which run this is. Resolves when it was told. */
  async stop(): Promise<void> {
    const {api, signal} = this.#options;
    await this.#started;
    if (this.#run === null) return;
    // A run that is over needs no stopping; one that cannot be told is ended by whoever waits for it.
    await api.post(`${this.#path}/stop`, {}, signal).catch(() => {});
  }

  get #path(): string {
    return `/v1/runs/${encodeURIComponent(this.#run ?? '')}`;
  }

  /** Follows the stream; null when it ended without the run's end. */
  async #listen(): Promise<HermesRunEnd | null> {
    const {api, signal} = this.#options;
    try {
      for await (const batch of api.events(`${this.#path}/events`, signal)) {
        for (const data of batch) {
          const end = await this.#take(data);
          if (end) return end;
        }
      }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
    }
    return null;
  }

  async #take(data: string): Promise<HermesRunEnd | null> {
    const {lines} = this.#options;
    const event = parseObject(data);
    if (!event) {
      await lines.noise(data);
      return null;
    }
    await this.#tell(this.#reader.updates(event));
    const name = textAt(event, 'event') ?? '';
    if (name === 'approval.request') this.#approvals.request(event);
    if (name === 'approval.responded') this.#approvals.responded(event);
    const end = name.startsWith('run.') ? runEnd(name, event) : null;
    if (end?.type === 'completed') await this.#tell(this.#reader.missing(end.output, false));
    return end;
  }

  /** The stream is gone: looks at the run's status until it tells of an end. */
  async #followUp(): Promise<HermesRunEnd> {
    const {lines, pollMs} = this.#options;
    let goneSince: number | null = null;
    let isTold = false;
    let before = '';
    for (;;) {
      const status = await this.#status();
      if ('type' in status) return status;
      const {found} = status;
      const end = found && runEnd(textAt(found, 'status') ?? '', found);
      if (end?.type === 'completed') await this.#tell(this.#reader.missing(end.output, true));
      if (end) return end;
      goneSince = found ? null : (goneSince ?? this.#options.clock.now());
      if (goneSince !== null && this.#options.clock.now() - goneSince >= this.#options.patienceMs) {
        return lost('it cannot be reached again. It may still be at work.');
      }
      if (!isTold) await this.#tell([notice(BROKEN, 'warning')]);
      isTold = true;
      if (found) {
        this.#lookForApproval(found);
        // A run that goes on is a sign of life.
        const now = JSON.stringify([valueAt(found, 'updated_at'), valueAt(found, 'last_event')]);
        if (now !== before) await lines.notify('_hermes/status', {status: valueAt(found, 'status')});
        before = now;
      }
      await this.#pause(pollMs);
    }
  }

  /** The run's status as it is found; null when Hermes is not there; the end, when there is nothing to be found. */
  async #status(): Promise<HermesRunEnd | {readonly found: JsonRpcObject | null}> {
    const {api, signal} = this.#options;
    try {
      return {found: await api.get(this.#path, signal)};
    } catch (error) {
      signal.throwIfAborted();
      const code = error instanceof UpstreamError ? error.code : null;
      if (code === 'not-found') return lost('it no longer knows this run. It may have been restarted.');
      if (code === 'unauthorized') return lost('it no longer takes the key.');
      return {found: null};
    }
  }

  /** One that was asked for while nobody listened. Newer builds say what it is; what nobody can see is refused. */
  #lookForApproval(status: JsonRpcObject): void {
    if (textAt(status, 'status') !== 'waiting_for_approval' || this.#approvals.waiting) return;
    const approval = objectAt(status, 'approval');
    if (textAt(approval, 'command') !== null) return this.#approvals.request(approval);
    const {api, signal} = this.#options;
    void this.#tell([notice(UNSEEN, 'warning')]);
    void api.post(`${this.#path}/approval`, {choice: 'deny'}, signal).catch(() => {});
  }

  async #tell(updates: readonly object[]): Promise<void> {
    const {lines, sessionId} = this.#options;
    for (const update of updates) await lines.update(sessionId, update);
  }

  #pause(ms: number): Promise<void> {
    const {clock, signal} = this.#options;
    return new Promise((resolve) => {
      const timer = clock.setTimeout(done, ms);
      signal.addEventListener('abort', done, {once: true});
      function done() {
        clock.clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }
}

const BROKEN =
  'The stream from Hermes broke. What it does from here on cannot be shown; its answer comes when it is done.';
const UNSEEN =
  'Hermes asked for an approval while it could not be heard. It was refused, as nobody can see what it is for.';
