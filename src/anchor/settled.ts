/**
 * Settled sessions: a session payload as an observation with a version, after an adapter has read its producer's shape.
 *
 * It comes alone (history) or inside a terminal frame (embedded), and is never an instruction at its arrival: the
 * transcript keeps the newest (by `version`) as its base and derives turns from it (law 10).
 */
import type {
  ArtifactFacts,
  PlanEntry,
  TerminalState,
  ToolFacts,
  ToolStatus,
  TurnErrorFacts,
  UsageFacts,
} from './turn-event.js';
import type {JsonObject} from './json.js';

/** One session payload. */
export interface SettledSession {
  readonly sessionId: string | null;
  /** Ids proven to be the same session, oldest first (`parent_session_id`, own id, `continuation_session_id`). */
  readonly linkedIds: readonly string[];
  readonly title: string | null;
  /** `updated_at` in seconds or whatever the producer orders by; null ranks lowest. */
  readonly updatedAt: number | null;
  /** Number of messages the session has in all, also when only a window of them is here. */
  readonly messageCount: number;
  /** Absolute index of `messages[0]`. */
  readonly offset: number;
  /** True when this is only part of the session (`_messages_truncated`, a non-zero offset). */
  readonly window: boolean;
  /** In order. Empty though `messageCount` > 0 means metadata only: erases nothing. */
  readonly messages: readonly SettledMessage[];
  /** The turn that is still running, if any. */
  readonly pending: {readonly prompt: string | null; readonly startedAt: number | null} | null;
  /** Stream or run the server calls active now. */
  readonly activeRun: string | null;
  /** What the server's journal says of the session's newest run. */
  readonly journal: {
    readonly run: string;
    readonly terminal: TerminalState | null;
    /** True for `lost-worker-bookkeeping`: a guess of the server, not an observation. */
    readonly inferred: boolean;
  } | null;
  readonly usage: UsageFacts | null;
  readonly context: JsonObject | null;
  /** Session-level plan (todo state), newest wins. */
  readonly plan: readonly PlanEntry[] | null;
  /** Call id → what the session-level tool list knows. */
  readonly tools: readonly SettledToolSummary[];
  /**
   * A lossy picture of the active run up to `lastSeq` (`runtime_journal_snapshot`). Painted until the run's own frames
   * from the start are here; frames after `lastSeq` extend it.
   */
  readonly live: {
    readonly run: string;
    readonly lastSeq: number;
    readonly parts: readonly SettledPart[];
  } | null;
}

export interface SettledToolSummary {
  readonly callId: string;
  readonly tool: string;
  readonly facts: ToolFacts;
}

/** One message, normalized. */
export interface SettledMessage {
  /**
   * `prompt`: the reader's message, begins a turn; `assistant`; `tool`: results only (also user messages that hold only
   * tool results); `hidden`: compaction summaries, control prompts: never a turn, an answer or a row.
   */
  readonly role: 'prompt' | 'assistant' | 'tool' | 'hidden';
  /** Seconds, exactly as the server gave it; null when missing. Only compared, never shown as identity alone. */
  readonly timestamp: number | null;
  /** In the order they stand: a thought, visible text, a call; results carry their call id. */
  readonly parts: readonly SettledPart[];
  /** Kept from an unfinished turn. */
  readonly partial: boolean;
  /** An error or cancellation notice of the server: not an answer, not user text. */
  readonly notice: {
    /** Explicit mark, if there is one (law 7 `settled`); null = a notice without a mark (`inferred`). */
    readonly terminal: TerminalState | null;
    readonly error: TurnErrorFacts;
  } | null;
  /** An explicit `_terminal_state` on the message. */
  readonly terminal: TerminalState | null;
  /** Marked as recovered: its text is no proof of completion. */
  readonly recovered: boolean;
  /** Runs this message is bound to (`_anchor_stream_id`, `_recovered_stream_id`, the gateway's own ids). */
  readonly runs: readonly string[];
  /** Turn duration in ms where recorded. */
  readonly durationMs: number | null;
  /**
   * Activity of the turn stored with its answer (`activity_scene_v1`). Used where neither frames nor messages know
   * the tools: a gateway-backed session settles without them.
   */
  readonly activity: readonly SettledPart[] | null;
}

export type SettledPart =
  | {readonly type: 'text'; readonly text: string}
  | {readonly type: 'thought'; readonly text: string}
  | {
      readonly type: 'call';
      /** Null where the producer recorded none. */
      readonly callId: string | null;
      readonly tool: string;
      /** Null: unknown here; a result elsewhere tells. `open` calls of an unfinished turn never finished. */
      readonly status: ToolStatus | null;
      readonly open: boolean;
      /** Closed by the terminal and not by a result (`_sealed_by_terminal_error`). */
      readonly sealed: boolean;
      readonly facts: ToolFacts;
    }
  | {
      readonly type: 'result';
      readonly callId: string | null;
      readonly tool: string | null;
      /** A non-empty `error` in the result. */
      readonly error: boolean;
      readonly output: string | null;
      readonly diff: string | null;
      readonly artifacts: readonly ArtifactFacts[];
    }
  | {readonly type: 'image'; readonly uri: string; readonly label: string | null}
  | {readonly type: 'attachment'; readonly uri: string | null; readonly label: string};
