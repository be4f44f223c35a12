/** The words elements say. A page gives its own through the `strings` property; what it leaves out stays English. */
import {counted, type StatusPhase, type ToolWords} from '../scene/index.js';
import type {ControlWords} from './control-words.js';
import type {ActionWords, UsageWords} from './export/words.js';
import type {earlierWords} from './earlier.js';
import {firstWords} from './first-words.js';
import type {ProseWords} from './markdown/prose-host.js';
import type {PanelWords} from './panel-words.js';
import type {ToolBodyWords} from './tool-body/words.js';

/** Those of what is asked, the composer, Markdown, the actions, what a turn took, tools and their bodies come with them, and may be given here like the others. */
export type Strings = typeof english &
  Partial<typeof earlierWords> &
  Partial<ControlWords> & {
    readonly prose?: Partial<ProseWords>;
    readonly composer?: Partial<PanelWords['composer']>;
    readonly runtime?: Partial<PanelWords['runtime']>;
    readonly actions?: Partial<ActionWords>;
    readonly usage?: Partial<UsageWords>;
    /** How a worklog is summed up: `read: (count) => …` for each verb, and `sentence`, which puts the phrases together. */
    readonly tools?: Partial<ToolWords>;
    readonly toolBody?: Partial<ToolBodyWords>;
  };

/** All that turns say, and what was said before they stood. */
export const english = {
  ...firstWords,
  prompt: 'You asked',
  working: 'Working',
  thought: 'Thought',
  thinking: 'Thinking',
  errors: (count: number) => counted(count, 'error'),
  prompted: 'Turn without a prompt',
  arguments: 'Arguments',
  output: 'Output',
  changes: 'Changes',
  plan: 'Plan',
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
  /** What the reader can do, where the agent did not say: by the type of the error, else by how the turn ended. */
  next: {
    cancelled: 'What was done so far is kept. Ask again to go on.',
    interrupted: 'What was done so far is kept. Ask again to go on.',
    no_response: 'Ask again, or ask in other words.',
    tool_limit_reached: 'Ask the agent to continue.',
    compression_exhausted: 'Start a new conversation with the essentials of this one.',
    connection_lost: 'Reload to see whether it went on; else ask again.',
    error: 'Ask again. If it fails again, look at the last tool above.',
    rate_limit: 'Wait a little, then ask again.',
    quota_exhausted: 'Raise the limit at the provider, or choose another model.',
    credential_pool_empty: 'Add a key for this provider in the agent’s settings.',
    auth_mismatch: 'Check the key of this provider in the agent’s settings.',
    model_not_found: 'Choose another model.',
  } as Record<string, string>,
};
