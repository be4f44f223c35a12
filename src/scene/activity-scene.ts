/**
 * `activity_scene_v1`: a turn's activity as Hermes WebUI stores it with an answer, written on request. The fields are
 * that server's; our item is one row, where it writes one a frame. `src/adapters` reads it back.
 */
import type {Json, JsonObject} from '../anchor/json.js';
import {
  isAnswerItem,
  type ActivityItem,
  type ItemKind,
  type ToolDetails,
  type TurnAnchor,
} from '../anchor/turn-anchor.js';
import type {DisplayMode} from './display-mode.js';
import {isActive} from './tally.js';

export interface ActivitySceneOptions {
  readonly sessionId: string | null;
  readonly mode?: DisplayMode;
  /** What the server accepts. */
  readonly maxRows?: number;
  readonly maxBytes?: number;
}

export interface WrittenActivityScene {
  readonly scene: JsonObject;
  /** What was left out to keep the limits; null when everything is there. */
  readonly cut: {
    /** Rows dropped, oldest first. */
    readonly rows: number;
    /** Tool results shortened. */
    readonly bodies: number;
    /** True if the answer itself did not fit. */
    readonly answer: boolean;
  } | null;
}

const modes = {
  'compact-worklog': 'compact_worklog',
  'transparent-stream': 'transparent_stream',
  'answer-only': 'hide_all_activity',
} satisfies Record<DisplayMode, string>;

/** Item kind → the server's role and its hint in the compact worklog. */
const roles = {
  prose: ['prose', 'main_prose'],
  reasoning: ['thinking', 'collapsed_thinking'],
  tool: ['tool', 'tool_row'],
  lifecycle: ['lifecycle', 'quiet_lifecycle_row'],
  control: ['control', 'control_boundary_row'],
  terminal: ['terminal', 'terminal_status_row'],
  notice: ['activity', 'activity_row'],
} satisfies Record<ItemKind, readonly [role: string, hint: string]>;

/** The longest tool result kept when space is short: what that server keeps of a result itself. */
const bodyLimit = 4000;

export function toActivityScene(turn: TurnAnchor, options: ActivitySceneOptions): WrittenActivityScene {
  const {mode = 'compact-worklog', maxRows = 1000, maxBytes = 256_000} = options;
  const all = rowsOf(turn, mode);
  const bare = sceneWithoutRows(turn, options.sessionId, mode);
  const answer = encodedBytes(bare) > maxBytes;
  const base: JsonObject = answer ? {...bare, final_answer: ''} : bare;
  const space = maxBytes - encodedBytes(base);

  const newest = all.slice(-maxRows);
  const full = fitRows(newest, space);
  const rows = full.length === newest.length ? full : fitRows(newest.map(shortenBody), space);
  const bodies = rows.filter((row) => !all.includes(row)).length;
  const cut = {rows: all.length - rows.length, bodies, answer};
  const scene = {...base, activity_rows: rows};
  return {scene, cut: cut.rows > 0 || cut.bodies > 0 || cut.answer ? cut : null};
}

/** The newest rows that fit into so many bytes. */
function fitRows(rows: readonly JsonObject[], space: number): readonly JsonObject[] {
  let left = space;
  const begin = rows.findLastIndex((row) => (left -= encodedBytes(row) + 2) < 0);
  return rows.slice(begin + 1);
}

function sceneWithoutRows(turn: TurnAnchor, sessionId: string | null, mode: DisplayMode): JsonObject {
  const {runIds, streamIds, status, terminal} = turn;
  return {
    version: 'activity_scene_v1',
    mode: modes[mode],
    identity: {
      session_id: sessionId,
      turn_id: turn.id,
      run_id: runIds.at(-1) ?? null,
      stream_id: streamIds.at(-1) ?? runIds.at(-1) ?? null,
      message_ref: turn.finalMessageRef,
    },
    lifecycle: {
      status: terminal ?? status,
      started_at: seconds(turn.startedAt),
      completed_at: seconds(turn.completedAt),
    },
    final_answer: turn.answer.toString(),
    final_message_ref: turn.finalMessageRef,
    terminal_state: terminal,
    activity_rows: [],
    artifacts: turn.artifacts.map(({path, uri, change, itemId}) => ({
      kind: 'artifact_reference',
      source_event_type: 'artifact_reference',
      payload: {path, uri, change, tool_call_id: itemId?.replace(/^tool:/, '') ?? null},
    })),
    side_effects: turn.sideEffects.map(({kind, action, name}) => ({
      kind: null,
      source_event_type: 'state_saved',
      payload: {kind, action, name},
    })),
  };
}

function rowsOf(turn: TurnAnchor, mode: DisplayMode): readonly JsonObject[] {
  const items = [...turn.items].filter((item) => !isAnswerItem(turn, item));
  const rows = items.map((item, index) => rowOf(turn, item, index, mode));
  return turn.terminal === null || turn.terminal === 'completed'
    ? rows
    : [...rows, terminalRow(turn, rows.length, mode)];
}

function rowOf(turn: TurnAnchor, item: ActivityItem, index: number, mode: DisplayMode): JsonObject {
  const text = item.text.toString();
  const callId = item.tool?.callId ?? null;
  return {
    ...rowHead(turn, item, index, mode),
    ...nature(item),
    created_at: seconds(item.at),
    text,
    thinking: item.kind === 'reasoning' ? thinking(text) : null,
    tool_call_id: callId,
    tool: item.tool === null ? null : toolFields(item.tool),
    payload: item.control === null ? {} : controlPayload(item, text),
  };
}

/** Where a row stands and who it is. */
function rowHead(
  turn: TurnAnchor,
  item: Pick<ActivityItem, 'id' | 'kind' | 'from'>,
  index: number,
  mode: DisplayMode,
): JsonObject {
  const [role, hint] = roles[item.kind];
  const run = turn.runIds.length === 1 ? (turn.runIds[0] ?? null) : null; // An item does not say which of several.
  const stream = turn.streamIds.at(-1) ?? run;
  const event = run === null || item.from === null ? null : `${run}:${item.from}`;
  const identity = {event_id: event, local_id: item.id, run_id: run, stream_id: stream, seq: item.from};
  const hints = {compact_worklog: hint, transparent_stream: 'chronological_activity'};
  return {
    row_id: item.id,
    order_index: index,
    role,
    display_hint: mode === 'transparent-stream' ? hints.transparent_stream : hints.compact_worklog,
    display_hints: hints,
    ...identity,
    identity,
    group: {
      group_key: item.from === null ? `activity:${index}` : `event:${item.from}`,
      activity_burst_id: null,
      activity_segment_seq: null,
      assistant_msg_idx: null,
    },
  };
}

/** The server's kind, source event and status for an item. */
function nature(item: ActivityItem): JsonObject {
  switch (item.kind) {
    case 'prose':
      return {kind: 'process_prose', source_event_type: 'interim_assistant', status: 'completed'};
    case 'reasoning':
      return {kind: 'reasoning', source_event_type: 'reasoning', status: null};
    case 'tool':
      return toolNature(item.tool as ToolDetails);
    case 'lifecycle':
      return {
        kind: 'lifecycle_status',
        source_event_type: item.status === 'running' ? 'compressing' : 'compressed',
        status: item.status,
      };
    case 'control':
      return {
        kind: 'control_boundary',
        source_event_type: controlSource(item),
        status: item.control?.status ?? null,
      };
    default:
      return {kind: 'activity', source_event_type: 'warning', status: null};
  }
}

/** Only a call that ended by itself is `tool_completed`: one closed by the terminal must not read as done. */
function toolNature({status}: ToolDetails): JsonObject {
  if (status === 'completed' || status === 'error') {
    return {kind: 'tool_completed', source_event_type: 'tool_complete', status};
  }
  return {kind: isActive(status) ? 'tool_started' : 'tool_updated', source_event_type: 'tool', status};
}

function toolFields(tool: ToolDetails): JsonObject {
  const ended = tool.status === 'completed' || tool.status === 'error';
  return {
    id: tool.callId,
    name: tool.name,
    args: tool.args,
    preview: ended ? tool.output : (tool.title ?? ''),
    snippet: tool.output,
    done: ended,
    is_error: tool.status === 'error',
    ...(tool.diff === null ? {} : {is_diff: true}),
    duration: seconds(tool.durationMs),
    started_at: null,
    signature: [tool.name, tool.callId ?? '', JSON.stringify(tool.args)].join('|'),
  };
}

function thinking(text: string): JsonObject {
  const line = text.replace(/\s+/g, ' ').trim();
  return {
    text,
    preview: line.length > 180 ? `${line.slice(0, 177)}...` : line,
    dedupe_key: line === '' ? '' : `thinking:${line.toLowerCase()}`,
  };
}

const controlSources = {
  permission: 'approval',
  clarify: 'clarify',
  steer: 'pending_steer_leftover',
  continue: 'goal_continue',
  interrupt: 'interrupt',
};

function controlSource(item: ActivityItem): string | null {
  return item.control === null ? null : controlSources[item.control.type];
}

function controlPayload(item: ActivityItem, text: string): JsonObject {
  switch (item.control?.type) {
    case 'permission':
      return {command: text, approval_id: item.control.id, choice: item.control.choice};
    case 'clarify':
      return {question: text, clarify_id: item.control.id, choice: item.control.choice};
    default:
      return {text};
  }
}

function terminalRow(turn: TurnAnchor, index: number, mode: DisplayMode): JsonObject {
  const {terminal, error, completedAt} = turn;
  return {
    ...rowHead(turn, {id: 'terminal', kind: 'terminal', from: null}, index, mode),
    kind: 'terminal_status',
    source_event_type: terminal === 'cancelled' ? 'cancel' : 'apperror',
    status: terminal,
    created_at: seconds(completedAt),
    text: error?.message ?? '',
    thinking: null,
    tool_call_id: null,
    tool: null,
    payload: error === null ? {} : {type: error.type, message: error.message, hint: error.hint},
  };
}

function shortenBody(row: JsonObject): JsonObject {
  const tool = row['tool'] as JsonObject | null;
  const body = (tool?.['snippet'] ?? '') as string;
  if (tool === null || body.length <= bodyLimit) return row;
  const snippet = body.slice(0, bodyLimit);
  return {
    ...row,
    tool: {...tool, snippet, preview: tool['done'] === true ? snippet : (tool['preview'] ?? null)},
  };
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}

/** An upper bound of the UTF-8 length of the JSON, also where a writer puts a space after `,` and `:`. */
function encodedBytes(value: Json): number {
  const text = JSON.stringify(value);
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x2c || code === 0x3a) bytes += 2;
    else bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : 3; // Half a surrogate pair is two of the four bytes.
  }
  return bytes;
}
