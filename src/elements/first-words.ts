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
  noControl: 'This view only shows. With base and session-id it can act.',
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
    interrupted: 'Interrupted before the end',
    no_response: 'The agent ended without an answer',
    tool_limit_reached: 'Stopped at the limit of tool calls',
    compression_exhausted: 'The conversation is too long to go on',
    connection_lost: 'The server lost the agent',
    degraded: 'Incomplete',
    error: 'The agent failed',
  } as Record<TerminalState, string>,
};
