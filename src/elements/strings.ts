/** The words elements say. A page gives its own through the `strings` property; what it leaves out stays English. */
import type {ControlStatus, ControlType, TerminalState} from '../anchor/index.js';
import type {StatusPhase} from '../scene/index.js';

export type Strings = typeof english;

export const english = {
  transcript: 'Conversation with an agent',
  prompt: 'You asked',
  working: 'Working',
  thought: 'Thought',
  thinking: 'Thinking',
  toEnd: 'To the end',
  errors: (count: number) => (count === 1 ? '1 error' : `${count} errors`),
  started: 'The agent has started.',
  needed: 'The agent needs a decision.',
  done: 'The answer is complete.',
  arguments: 'Arguments',
  output: 'Output',
  changes: 'Changes',
  answered: (choice: string) => `answered: ${choice}`,
  yourAnswer: 'Your answer',
  send: 'Send',
  sent: 'Sent. Waiting for the agent.',
  unsent: (draft: string) => `Not sent: ${draft}`,
  stop: 'Stop',
  noControl: 'This view only shows. Give it base and session-id, then it can act.',
  opensNothing: 'This page does not open files.',
  restoring: 'Restoring this turn …',
  degradedTurn: 'Part of this turn may be missing.',
  phase: {
    starting: 'Starting',
    thinking: 'Thinking',
    tool: 'Working',
    waiting: 'Waiting for a decision',
    writing: 'Writing',
    working: 'Working',
  } as Record<StatusPhase, string>,
  control: {
    permission: 'Approval',
    clarify: 'Question',
    steer: 'Steered',
    continue: 'Continued',
    interrupt: 'Interrupted',
  } as Record<ControlType, string>,
  controlStatus: {
    pending: 'waiting for a decision',
    answered: 'answered',
    stale: 'no longer open',
    expired: 'expired',
  } as Record<ControlStatus, string>,
  terminal: {
    completed: 'Completed',
    cancelled: 'Stopped',
    interrupted: 'Interrupted before the end',
    no_response: 'The agent ended without an answer',
    tool_limit_reached: 'Stopped at the limit of tool calls',
    compression_exhausted: 'The conversation has become too long to go on',
    connection_lost: 'The server lost the agent',
    degraded: 'Incomplete',
    error: 'The agent failed',
  } as Record<TerminalState, string>,
};
