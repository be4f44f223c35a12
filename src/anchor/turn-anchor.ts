/**
 * The anchor: one assistant turn as one object. Live frames, replay and settled history all land here; everything on
 * screen is a projection of it.
 */
import type {JsonObject} from './json.js';
import type {GrowingText} from './text.js';
import type {
  ArtifactChange,
  ControlOption,
  ControlStatus,
  ControlType,
  PlanEntry,
  TerminalState,
  ToolLocation,
  ToolStatus,
  TurnErrorFacts,
} from './turn-event.js';
import type {Vector} from './vector.js';

/** created = begun, no frame; running = no terminal; settled; restoring = only weak evidence, or a hole without history. */
export type TurnStatus = 'created' | 'running' | 'restoring' | 'settled';

/** How well the terminal is known, strongest first: settled, observed, synthetic, inferred (law 7). */
export type Evidence = 'settled' | 'observed' | 'synthetic' | 'inferred';

export type ItemKind = 'prose' | 'reasoning' | 'tool' | 'lifecycle' | 'control' | 'terminal' | 'notice';

export interface ToolDetails {
  readonly callId: string | null;
  readonly name: string;
  readonly title: string | null;
  readonly kind: string | null;
  readonly status: ToolStatus;
  readonly args: JsonObject;
  readonly output: string;
  /** What came back, block by block as it came; only there where some of it is more than text. */
  readonly content?: readonly JsonObject[];
  readonly diff: string | null;
  readonly locations: readonly ToolLocation[];
  readonly durationMs: number | null;
}

export interface ControlDetails {
  readonly id: string;
  readonly type: ControlType;
  readonly status: ControlStatus;
  readonly options: readonly ControlOption[];
  readonly choice: string | null;
  /** Why it is asked, where the producer says. */
  readonly detail: string | null;
  readonly callId: string | null;
  readonly expiresAt: number | null;
  /** Arguments of what is to be allowed, in full, where the wire carries them. */
  readonly input: JsonObject | null;
  /** What would be changed, as a unified diff. */
  readonly diff: string | null;
}

/** One thing that happened in a turn. Its `id` is unique in the turn and stays the same for the same evidence. */
export interface ActivityItem {
  /** `tool:<call id>`, `<kind>:<message ordinal>:<part>`, `terminal` or `control:<own id>`. */
  readonly id: string;
  readonly kind: ItemKind;
  /** Lifecycle: running, completed, error; terminal: its state; else null. Tools and controls carry their own. */
  readonly status: string | null;
  /** Prose, thought, question, notice. Empty for tools. */
  readonly text: GrowingText;
  /** ms since 1970 where the evidence says so. */
  readonly at: number | null;
  /** First and last position in the run, null where unknown. */
  readonly from: number | null;
  readonly to: number | null;
  /** Ordinal of the message it belongs to (prose and reasoning), else null. */
  readonly message: number | null;
  readonly tool: ToolDetails | null;
  readonly control: ControlDetails | null;
}

export interface Artifact {
  readonly path: string;
  readonly uri: string | null;
  readonly change: ArtifactChange;
  /** The item that made it, `tool:…`. */
  readonly itemId: string | null;
  /** A unified diff where one is known. */
  readonly diff: string | null;
}

export interface SideEffect {
  readonly kind: string;
  readonly action: string;
  readonly name: string | null;
}

export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cacheHitTokens: number | null;
  readonly cacheHitRate: number | null;
  readonly cost: number | null;
  readonly used: number | null;
  readonly size: number | null;
}

/** What was done with the frames of a turn (law 8). Not part of equality. */
export interface Stats {
  readonly applied: number;
  readonly duplicate: number;
  readonly mismatched: number;
  readonly borrowed: number;
  readonly excluded: Readonly<Record<string, number>>;
}

export interface PromptPart {
  readonly type: 'text' | 'image' | 'attachment';
  readonly text: string | null;
  readonly uri: string | null;
}

/** One assistant turn. The same reference means nothing changed. */
export interface TurnAnchor {
  /** Id of the first run, else `m<absolute index of the user message>`. Old ids become aliases. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly runIds: readonly string[];
  readonly streamIds: readonly string[];
  readonly messageRefs: readonly string[];
  readonly prompt: string | null;
  readonly promptParts: readonly PromptPart[];
  readonly status: TurnStatus;
  readonly terminal: TerminalState | null;
  readonly evidence: Evidence | null;
  readonly degraded: boolean;
  readonly error: TurnErrorFacts | null;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  /**
   * Everything in true order, the answer's own prose included: skip prose items for which `isAnswerItem` holds.
   * Holds no terminal item: `terminalItem(turn)` makes it where the state is not completed.
   */
  readonly items: Vector<ActivityItem>;
  /** The answer, live and settled; empty when there is none (yet). */
  readonly answer: GrowingText;
  readonly answerComplete: boolean;
  /** The message whose prose is the answer, null when the answer has no prose item. */
  readonly answerMessage: number | null;
  /** The id the answer had as prose; stays its row id. */
  readonly answerId: string | null;
  readonly finalMessageRef: string | null;
  readonly artifacts: readonly Artifact[];
  readonly sideEffects: readonly SideEffect[];
  readonly plan: readonly PlanEntry[] | null;
  readonly usage: Usage | null;
  /** `run:seq`, the end of the part without holes. */
  readonly cursor: string | null;
  /** A running count, shared by all versions of the turn: not part of its value. */
  readonly stats: Stats;
  /** Old item id → new, when a late frame or settlement shifted ids; views move their state along. */
  readonly renamed: ReadonlyMap<string, string> | null;
}

/** True for prose that is shown as the answer and not as activity. */
export function isAnswerItem(turn: TurnAnchor, item: ActivityItem): boolean {
  return item.kind === 'prose' && turn.answerMessage !== null && item.message === turn.answerMessage;
}
