/** The three projections as a table: which items a mode draws, and what stands around them. */
import type {ActivityItem} from '../anchor/turn-anchor.js';
import type {DisplayMode} from './display-mode.js';

/** What the rows of items depend on besides the items. When it changes, all rows are made again. */
export interface Surroundings {
  readonly running: boolean;
  /** True when there is a worklog to fold rows under. */
  readonly worklog: boolean;
  /** True when a control asks the reader, in place of the call behind it. */
  readonly hidesQuestions: boolean;
  /** True for a finished turn that has neither answer nor tools: what was thought or said is all there is. */
  readonly textOnly: boolean;
}

export interface Projection {
  /** Activity folds under one worklog, and its tools under words. */
  readonly folds: boolean;
  /** The last failure has a row of its own, because the activity may be out of sight. */
  readonly lastError: boolean;
  /** Plan and side effects are drawn. */
  readonly extras: boolean;
  readonly shows: (item: ActivityItem, around: Surroundings) => boolean;
}

export const projections = {
  'compact-worklog': {
    folds: true,
    lastError: true,
    extras: true,
    // Phases that went well, such as compression, are of no use afterwards (law 11).
    shows: (item, around) => item.kind !== 'lifecycle' || around.running || item.status === 'error',
  },
  'transparent-stream': {
    folds: false,
    lastError: false,
    extras: true,
    shows: () => true,
  },
  'answer-only': {
    folds: false,
    lastError: true,
    extras: false,
    shows: (item, around) => item.kind === 'control' || (around.textOnly && item.kind !== 'lifecycle'),
  },
} satisfies Record<DisplayMode, Projection>;
