/**
 * Rows: what a view draws, one flat keyed list a turn.
 *
 * `bytes → SSE frames → source events → turn events → anchor → scene → **rows**`
 *
 * A row's `id` is unique in its turn and the same live, settled, reloaded and in every mode; a row made of one item has
 * the item's id, so what the reader opened or selected stays with it. Rows hold the anchor's own objects, never copies.
 * An unchanged row keeps its reference.
 */
import type {GrowingText} from '../anchor/text.js';
import type {Artifact, ControlDetails, PromptPart, SideEffect, ToolDetails} from '../anchor/turn-anchor.js';
import type {PlanEntry, TerminalState, ToolStatus, TurnErrorFacts} from '../anchor/turn-event.js';

interface RowBase {
  readonly id: string;
  /** True for rows the worklog's disclosure hides while it is folded. False wherever the scene has no worklog. */
  readonly worklog: boolean;
}

/** What the reader asked. */
export interface PromptRow extends RowBase {
  readonly type: 'prompt';
  readonly text: string;
  readonly parts: readonly PromptPart[];
}

export interface ActivityCounts {
  readonly tools: number;
  /** Failed tools and failed phases. */
  readonly errors: number;
  /** Tools pending or running. */
  readonly running: number;
  readonly thoughts: number;
}

/** The disclosure above the worklog rows. */
export interface WorklogSummaryRow extends RowBase {
  readonly type: 'worklog-summary';
  /** Such as `Read 3 files, ran 1 command`; empty while only thinking happened. */
  readonly words: string;
  readonly counts: ActivityCounts;
  /** The newest tool that is pending or running. */
  readonly current: ToolDetails | null;
  readonly running: boolean;
  /** Whether it is open until the reader chooses. */
  readonly defaultOpen: boolean;
}

/** Text written on the way to the answer. */
export interface ProseRow extends RowBase {
  readonly type: 'prose';
  readonly text: GrowingText;
  readonly at: number | null;
}

export interface ReasoningRow extends RowBase {
  readonly type: 'reasoning';
  readonly text: GrowingText;
  readonly at: number | null;
  /** True while it may still grow. */
  readonly live: boolean;
}

/** The heading above neighbouring tools in the worklog; their rows follow it and name it as their `group`. */
export interface ToolGroupRow extends RowBase {
  readonly type: 'tool-group';
  readonly words: string;
  /** Row ids of its tools, in order. */
  readonly members: readonly string[];
  readonly errors: number;
  /** running if any is; else error if any failed; else the last one's. */
  readonly status: ToolStatus;
  readonly current: ToolDetails | null;
}

export interface ToolRow extends RowBase {
  readonly type: 'tool';
  readonly tool: ToolDetails;
  readonly at: number | null;
  /** The tool-group row it is folded under, null when it stands alone. */
  readonly group: string | null;
}

/** A phase of the run, such as compression. */
export interface LifecycleRow extends RowBase {
  readonly type: 'lifecycle';
  readonly status: string | null;
  readonly text: GrowingText;
  readonly at: number | null;
}

/** A sentence to the reader. */
export interface NoticeRow extends RowBase {
  readonly type: 'notice';
  readonly text: GrowingText;
  readonly at: number | null;
}

/** Something asked of the reader, or a boundary the reader or the server set. Never folded. */
export interface ControlRow extends RowBase {
  readonly type: 'control';
  readonly control: ControlDetails;
  readonly text: GrowingText;
  readonly at: number | null;
}

/** The last failure and how many there were: stays in sight when the worklog is folded. */
export interface ErrorRow extends RowBase {
  readonly type: 'error';
  /** The item that failed last; its own row has this id. */
  readonly itemId: string;
  readonly tool: ToolDetails | null;
  readonly text: GrowingText;
  readonly count: number;
}

export interface PlanRow extends RowBase {
  readonly type: 'plan';
  readonly entries: readonly PlanEntry[];
}

/** The answer, or prose that may still become it. Always outside the worklog and after it. */
export interface AnswerRow extends RowBase {
  readonly type: 'answer';
  readonly text: GrowingText;
  readonly live: boolean;
  readonly complete: boolean;
}

export interface ArtifactsRow extends RowBase {
  readonly type: 'artifacts';
  readonly artifacts: readonly Artifact[];
}

/** What the run did outside the transcript, such as saving a memory. */
export interface SideEffectsRow extends RowBase {
  readonly type: 'side-effects';
  readonly effects: readonly SideEffect[];
}

/** How the turn ended, where that is not simply `completed`. */
export interface TerminalRow extends RowBase {
  readonly type: 'terminal';
  readonly state: TerminalState;
  readonly error: TurnErrorFacts | null;
}

export type StatusPhase = 'starting' | 'thinking' | 'tool' | 'waiting' | 'writing' | 'working';

/** One line of life at the end of a running turn. */
export interface StatusRow extends RowBase {
  readonly type: 'status';
  readonly phase: StatusPhase;
  readonly current: ToolDetails | null;
}

/** Says that what is shown may not be all: evidence is on its way (restoring) or missing (degraded). */
export interface ConditionRow extends RowBase {
  readonly type: 'condition';
  readonly condition: 'restoring' | 'degraded';
}

export type Row =
  | PromptRow
  | WorklogSummaryRow
  | ProseRow
  | ReasoningRow
  | ToolGroupRow
  | ToolRow
  | LifecycleRow
  | NoticeRow
  | ControlRow
  | ErrorRow
  | PlanRow
  | AnswerRow
  | ArtifactsRow
  | SideEffectsRow
  | TerminalRow
  | StatusRow
  | ConditionRow;

export type RowType = Row['type'];
