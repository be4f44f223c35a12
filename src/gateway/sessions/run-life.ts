/**
 * The life of one run: from its prompt to the moment its terminal event is due. Timers and what follows from them; it
 * knows no journal and no agent.
 *
 * `starting → working → answered → over`; a stop, the reader's or a stall's, ends `working` by the agent's answer or by
 * the end of its process. Each run has its own life, so a cancel meant for one never reaches another (family E32).
 */
import type {Clock} from '../clock.js';
import type {Profile} from '../profiles/profile.js';
import {Countdown} from './countdown.js';
import type {RunEnd} from './run-end.js';

export interface RunLifeOptions {
  readonly id: string;
  readonly turnId: string;
  readonly clock: Clock;
  readonly timeouts: Profile['timeouts'];
  /** Tells the agent to stop, once or twice. */
  sendCancel(): void;
  /** Ends the agent's process, of which nothing is heard from here on. */
  kill(): void;
  /** Once: the terminal event is due. */
  end(end: RunEnd): void;
}

type Phase = 'starting' | 'working' | 'answered' | 'over';

/** Late updates may restart the grace window for this many times its length in all. */
const GRACE_BOUND = 10;

export class RunLife {
  readonly id: string;
  readonly turnId: string;
  readonly #options: RunLifeOptions;
  #phase: Phase = 'starting';
  #stop: 'reader' | 'stalled' | null = null;
  #waits = false;
  #begun = false;
  readonly #idle: Countdown;
  readonly #resend: Countdown;
  readonly #cancel: Countdown;
  readonly #grace: Countdown;
  readonly #graceBound: Countdown;

  constructor(options: RunLifeOptions) {
    const {id, turnId, clock, timeouts} = (this.#options = options);
    this.id = id;
    this.turnId = turnId;
    this.#idle = new Countdown(clock, timeouts.idle, () => this.#stalled());
    this.#resend = new Countdown(clock, timeouts.cancel / 2, () => options.sendCancel());
    this.#cancel = new Countdown(clock, timeouts.cancel, () => this.#kill());
    this.#grace = new Countdown(clock, timeouts.grace, () => this.#finish());
    this.#graceBound = new Countdown(clock, timeouts.grace * GRACE_BOUND, () => this.#finish());
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Its prompt went out once, so readers know of it. */
  get begun(): boolean {
    return this.#begun;
  }

  /** A stop was asked for. */
  get stopping(): boolean {
    return this.#stop !== null;
  }

  /** Its agent had nothing to say for too long: whatever it answers now is no answer, and it is not to be trusted. */
  get spoilt(): boolean {
    return this.#stop === 'stalled';
  }

  /** The prompt is on its way. A stop that came before it goes after it. */
  prompted(): void {
    if (this.#phase === 'over') return;
    this.#phase = 'working';
    this.#begun = true;
    if (this.#stop) this.#tellStop();
    else if (!this.#waits) this.#idle.start();
  }

  /** A line of the agent. */
  heard(): void {
    this.#idle.touch();
    this.#grace.touch();
  }

  /** Whether the agent waits for the reader: its silence is ours then (family E18). */
  waits(waits: boolean): void {
    this.#waits = waits;
    if (waits) this.#idle.stop();
    else if (this.#phase === 'working' && !this.#stop) this.#idle.start();
  }

  /** The reader wants it to stop. */
  cancel(): void {
    if (this.#stop || this.#phase === 'answered' || this.#phase === 'over') return;
    this.#stop = 'reader';
    if (this.#phase === 'working') this.#tellStop();
  }

  /** The agent answered the prompt. It may have more to say (family E1). */
  answered(): void {
    if (this.#phase !== 'working') return;
    this.#stopTimers();
    if (this.#stop === 'stalled') return this.#over(this.#unanswered());
    this.#phase = 'answered';
    this.#grace.start();
    this.#graceBound.start();
  }

  /** The prompt is to be sent once more: what came so far was no answer. */
  again(): void {
    if (this.#phase !== 'working') return;
    this.#stopTimers();
    this.#phase = 'starting';
  }

  /** Something ended it from outside; an answer that is in stays the answer. */
  fail(code: string, error: string, hint?: string): void {
    if (this.#phase === 'answered') this.#finish();
    else this.#over({type: 'failed', code, error, ...(hint !== undefined && {hint})});
  }

  /** The process ended by itself. */
  exited(error: string, hint: string): void {
    if (this.#stop && this.#phase !== 'answered') this.#over(this.#unanswered());
    else this.fail('agent_exited', error, hint);
  }

  // It may have been lost, where the turn was not registered yet (family E32).
  #tellStop(): void {
    this.#idle.stop();
    this.#cancel.start();
    this.#resend.start();
    this.#options.sendCancel();
  }

  #stalled(): void {
    this.#stop = 'stalled';
    this.#tellStop();
  }

  // The run does not wait for the process: one that is busy with a long line, or heeds no signal, takes its time to die.
  #kill(): void {
    this.#stopTimers();
    this.#options.kill();
    this.#over(this.#unanswered());
  }

  #finish(): void {
    this.#over({type: 'answered'});
  }

  #unanswered(): RunEnd {
    if (this.#stop === 'reader') return {type: 'killed'};
    const seconds = Math.round(this.#options.timeouts.idle / 1000);
    const error = `The agent said nothing for ${seconds} s, so it was stopped.`;
    return {
      type: 'failed',
      code: 'stalled',
      error,
      hint: 'What it said before is kept. Send a prompt to go on.',
    };
  }

  #over(end: RunEnd): void {
    if (this.#phase === 'over') return;
    this.#stopTimers();
    this.#phase = 'over';
    this.#options.end(end);
  }

  #stopTimers(): void {
    for (const timer of [this.#idle, this.#resend, this.#cancel, this.#grace, this.#graceBound]) timer.stop();
  }
}
