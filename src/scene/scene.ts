/** The scene: one turn in one display mode, as rows and facts. */
import type {GrowingText} from '../anchor/text.js';
import type {Artifact, ControlDetails, SideEffect, TurnAnchor, TurnStatus} from '../anchor/turn-anchor.js';
import type {PlanEntry, TerminalState, ToolStatus, TurnErrorFacts} from '../anchor/turn-event.js';
import type {DisplayMode} from './display-mode.js';
import type {Row} from './row.js';

export interface Scene {
  readonly mode: DisplayMode;
  readonly turnId: string;
  readonly aliases: readonly string[];
  readonly status: TurnStatus;
  readonly terminal: TerminalState | null;
  readonly error: TurnErrorFacts | null;
  readonly startedAt: number | null;
  /** How long the turn took; null unless the evidence names both ends. */
  readonly durationMs: number | null;
  /** In the order they stand. The same array when no row changed. */
  readonly rows: readonly Row[];
  /** What every mode agrees on; made when asked. */
  readonly facts: SceneFacts;
}

/** What a turn came to, whatever is drawn of it (law 14). */
export interface SceneFacts {
  readonly answer: GrowingText;
  readonly answerComplete: boolean;
  readonly finalMessageRef: string | null;
  readonly terminal: TerminalState | null;
  readonly error: TurnErrorFacts | null;
  /** Item id → how the call ended or stands. */
  readonly tools: ReadonlyMap<string, ToolStatus>;
  /** Item id → the boundary. */
  readonly controls: ReadonlyMap<string, ControlDetails>;
  readonly artifacts: readonly Artifact[];
  readonly sideEffects: readonly SideEffect[];
  readonly plan: readonly PlanEntry[] | null;
}

export function sceneFacts(turn: TurnAnchor): SceneFacts {
  const tools = new Map<string, ToolStatus>();
  const controls = new Map<string, ControlDetails>();
  for (const item of turn.items) {
    if (item.tool !== null) tools.set(item.id, item.tool.status);
    if (item.control !== null) controls.set(item.id, item.control);
  }
  const {answer, answerComplete, finalMessageRef, terminal, error, artifacts, sideEffects, plan} = turn;
  return {
    answer,
    answerComplete,
    finalMessageRef,
    terminal,
    error,
    tools,
    controls,
    artifacts,
    sideEffects,
    plan,
  };
}

/** A scene that remembers how it was made (`Trace`), so that the next one can begin where the turn changed. */
export class TracedScene<Trace extends {readonly turn: TurnAnchor}> implements Scene {
  readonly mode: DisplayMode;
  readonly turnId: string;
  readonly aliases: readonly string[];
  readonly status: TurnStatus;
  readonly terminal: TerminalState | null;
  readonly error: TurnErrorFacts | null;
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  readonly rows: readonly Row[];
  readonly #trace: Trace;
  #facts: SceneFacts | undefined;

  constructor(mode: DisplayMode, rows: readonly Row[], trace: Trace) {
    const {turn} = trace;
    this.mode = mode;
    this.turnId = turn.id;
    this.aliases = turn.aliases;
    this.status = turn.status;
    this.terminal = turn.terminal;
    this.error = turn.error;
    this.startedAt = turn.startedAt;
    this.durationMs =
      turn.startedAt === null || turn.completedAt === null ? null : turn.completedAt - turn.startedAt;
    this.rows = rows;
    this.#trace = trace;
  }

  get facts(): SceneFacts {
    return (this.#facts ??= sceneFacts(this.#trace.turn));
  }

  get trace(): Trace {
    return this.#trace;
  }
}
