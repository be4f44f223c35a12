/**
 * Classification: what kind of thing an event name announces (law 8). One table for all wires; a name in no row is
 * excluded, whatever prototype it may be a member of.
 */

/** What a name is for, in order of weight. */
export const EVENT_CLASSES = [
  'activity',
  'artifact',
  'side_effect',
  'metadata',
  'transport',
  'excluded',
] as const;
export type EventClass = (typeof EVENT_CLASSES)[number];

export type ActivityKind =
  | 'process_prose'
  | 'reasoning'
  | 'tool_started'
  | 'tool_updated'
  | 'tool_completed'
  | 'lifecycle_status'
  | 'control_boundary'
  | 'terminal_status';

/** What a name was found to be. `known` is false for a name in no row: it is counted by name. */
export interface Classified {
  readonly class: EventClass;
  readonly kind: ActivityKind | 'artifact_reference' | null;
  readonly known: boolean;
}

/** A row: class, kind, and the names (parted by spaces) it holds for. */
export type ClassificationRow = readonly [Exclude<EventClass, 'excluded'>, Classified['kind'], string];

/** Looks a name up. */
export type Classification = (name: string) => Classified;

/** The names of `hermes-webui`: the run's stream, the journal, the side and session streams. */
export const WEBUI_CLASSES: readonly ClassificationRow[] = [
  ['activity', 'process_prose', 'token interim_assistant'],
  ['activity', 'reasoning', 'reasoning'],
  ['activity', 'tool_started', 'tool'],
  ['activity', 'tool_updated', 'tool_update'],
  ['activity', 'tool_completed', 'tool_complete'],
  ['activity', 'lifecycle_status', 'compressing compressed warning'],
  ['activity', 'control_boundary', 'approval clarify pending_steer_leftover goal_continue'],
  ['activity', 'terminal_status', 'done cancel error apperror'],
  ['artifact', 'artifact_reference', 'artifact_reference'],
  ['side_effect', null, 'state_saved bg_task_complete process_complete'],
  ['metadata', null, 'usage title title_status metering context_status todo_state goal'],
  ['metadata', null, 'settled_message runtime_journal_snapshot inflight_snapshot session_snapshot'],
  ['metadata', null, 'initial session-updated sessions_changed server_turn_started run.started'],
  ['transport', null, 'stream_end heartbeat keepalive ping'],
];

/** The names of `hermes-runs`: our gateway's run events, and those of Hermes Agent's own `/v1/runs`. */
export const RUNS_CLASSES: readonly ClassificationRow[] = [
  ['activity', 'process_prose', 'message.delta'],
  ['activity', 'reasoning', 'thought.delta reasoning.delta reasoning.available'],
  ['activity', 'tool_started', 'tool.started'],
  ['activity', 'tool_updated', 'tool.updated'],
  ['activity', 'tool_completed', 'tool.completed'],
  ['activity', 'lifecycle_status', 'compaction notice agent.update'],
  [
    'activity',
    'control_boundary',
    'permission.requested permission.resolved approval.request approval.responded',
  ],
  ['activity', 'terminal_status', 'run.completed run.failed run.cancelled'],
  ['side_effect', null, 'subagent.start subagent.complete'],
  ['metadata', null, 'run.started plan.updated usage.updated session.info'],
  ['metadata', null, 'commands.updated mode.updated config.updated'],
];

/** A classification of given rows; a later row wins, so hosts add theirs behind ours. */
export function createClassification(rows: readonly ClassificationRow[]): Classification {
  const names = new Map<string, Classified>();
  for (const [eventClass, kind, list] of rows) {
    for (const name of list.split(' ')) names.set(name, {class: eventClass, kind, known: true});
  }
  return (name) => names.get(name) ?? UNKNOWN;
}

const UNKNOWN: Classified = {class: 'excluded', kind: null, known: false};

/** Looks a name of any wire up. */
export const classify: Classification = createClassification([...WEBUI_CLASSES, ...RUNS_CLASSES]);

/** The original table of Hermes WebUI, to compare with: it excludes what has no row here. */
export const UPSTREAM_CLASSES: readonly ClassificationRow[] = [
  ['activity', 'process_prose', 'token interim_assistant'],
  ['activity', 'reasoning', 'reasoning'],
  ['activity', 'tool_started', 'tool'],
  ['activity', 'tool_updated', 'tool_update'],
  ['activity', 'tool_completed', 'tool_complete'],
  ['activity', 'lifecycle_status', 'compressing compressed'],
  ['activity', 'control_boundary', 'approval clarify pending_steer_leftover goal_continue'],
  ['activity', 'terminal_status', 'done cancel error apperror'],
  ['artifact', 'artifact_reference', 'artifact_reference'],
  ['side_effect', null, 'state_saved'],
  ['metadata', null, 'usage title settled_message runtime_journal_snapshot inflight_snapshot'],
  ['transport', null, 'stream_end'],
];
