/** The words that are needed before turns are drawn, and those of every element: they come with the first load. */
import type {ControlType, TerminalState} from '../anchor/index.js';

export const firstWords = {
  transcript: 'Conversation with an agent',
  loading: 'Loading …',
  tryAgain: 'Try again',
  toEnd: 'To the end',
  more: (count: number) => `${count} new`,
  started: 'The agent has started.',
  needed: 'The agent needs a decision.',
  done: 'The answer is complete.',
  send: 'Send',
  stop: 'Stop',
  noControl: 'Without base and session-id this view only shows.',
  control: {
    permission: 'Approval',
    clarify: 'Question',
    steer: 'Steered',
    continue: 'Continued',
    interrupt: 'Interrupted',
  } as Record<ControlType, string>,
  terminal: {
    completed: 'Completed',
    cancelled: 'Stopped',
    interrupted: 'Interrupted',
    no_response: 'Ended without an answer',
    tool_limit_reached: 'Stopped at the tool limit',
    compression_exhausted: 'The conversation is too long to go on',
    connection_lost: 'The agent was lost',
    degraded: 'Incomplete',
    error: 'The agent failed',
  } as Record<TerminalState, string>,
};
