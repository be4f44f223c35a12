/** Requests to an agent that have a time to be answered in: agents have none of their own. */
import {AgentError, type Agent} from '../agent/agent.js';
import type {Clock} from '../clock.js';
import {Countdown} from './countdown.js';

export interface AskOptions {
  readonly clock: Clock;
  readonly ms: number;
  /** Gives up earlier. */
  readonly signal?: AbortSignal;
  /** Is given the countdown, to put it off. */
  readonly patience?: (countdown: Countdown) => void;
}

/** The result. Rejects with an `AgentError`, `timeout` when its time is over; no timer outlives the waiting. */
export async function askInTime(
  agent: Agent,
  method: string,
  params: object,
  {clock, ms, signal, patience}: AskOptions,
): Promise<unknown> {
  const late = new AbortController();
  const countdown = new Countdown(clock, ms, () => late.abort());
  patience?.(countdown);
  countdown.start();
  try {
    const given = signal ? AbortSignal.any([late.signal, signal]) : late.signal;
    return await agent.request(method, params, {signal: given});
  } catch (cause) {
    if (!late.signal.aborted) throw cause;
    throw new AgentError('timeout', `It did not answer "${method}" within ${ms / 1000} s`, null, {cause});
  } finally {
    countdown.stop();
  }
}
