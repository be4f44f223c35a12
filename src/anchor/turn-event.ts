/**
 * Turn events: what an adapter makes of one frame, before any memory is applied.
 *
 * `bytes → SSE frames → source events → **turn events** → anchor → scene → rows`
 *
 * An adapter sees one frame at a time and decides two things: who the event is (`run`, `seq`, `name`) and what it
 * says (`type` and its fields). Whatever needs earlier frames (a claim, a missing call id) is data here and is
 * settled by the ordered fold.
 */
import type {JsonObject} from './json.js';
import type {SettledSession} from './settled.js';

/** What every turn event carries. */
export interface TurnEventBase {
  /** The run it belongs to: the head of the frame's id, else the wire's own run id, else null (the stream's run). */
  readonly run: string | null;
  /** Its position in the run, from 1; null for a frame without identity, which is appended and never dropped. */
  readonly seq: number | null;
  /** The wire's own name for it, such as `token`. Together with run and seq it is the identity (law 1). */
  readonly name: string;
  /** True for names that may stand at another event's position: they fill no hole and move no cursor (law 1). */
  readonly borrows?: boolean;
  /** The session the frame names, if it names one. */
  readonly sessionId?: string | null;
  /** When it happened, ms since 1970, only if the frame says so. */
  readonly at?: number | null;
}

/** More of the text being written, or (with `channel: 'thought'`) of the thinking. */
export interface TextEvent extends TurnEventBase {
  readonly type: 'text';
  readonly channel: 'prose' | 'thought';
  readonly text: string;
  /** The wire's id of the message; a new one ends the message before it. */
  readonly messageId?: string | null;
  /** The producer repeats what deltas may have carried (`reasoning.available`); dropped only if they did. */
  readonly claim?: 'already-streamed';
}

/** A whole message part said again at a boundary (`interim_assistant`): ends the open message. */
export interface InterimEvent extends TurnEventBase {
  readonly type: 'interim';
  readonly text: string;
  /** `already-streamed`: the producer says deltas carried it; believed only if the open message ends with it. */
  readonly claim: 'already-streamed' | 'new';
  /** The producer says the thought before it ends with this text and should lose it. */
  readonly echo: boolean;
}

/** What is known about a tool call, as far as this one frame tells. Absent or null means: not said. */
export interface ToolFacts {
  readonly title?: string | null;
  readonly kind?: string | null;
  readonly args?: JsonObject | null;
  readonly output?: string | null;
  /** What came back, block by block as it came, where some of it is more than text: pictures, sounds, resources. */
  readonly content?: readonly JsonObject[] | null;
  readonly diff?: string | null;
  readonly locations?: readonly ToolLocation[] | null;
  readonly durationMs?: number | null;
  /** Files this call wrote or changed, if the frame names them. */
  readonly artifacts?: readonly ArtifactFacts[] | null;
}

export interface ToolLocation {
  readonly path: string;
  readonly line: number | null;
}

export interface ArtifactFacts {
  readonly path: string;
  readonly uri?: string | null;
  readonly change: ArtifactChange;
}

export type ArtifactChange = 'created' | 'modified' | 'deleted' | 'referenced';

/** One step in a tool call's life. `callId: null` pairs first in, first out per tool name, in the fold. */
export interface ToolEvent extends TurnEventBase {
  readonly type: 'tool';
  readonly phase: 'start' | 'update' | 'end';
  readonly callId: string | null;
  readonly tool: string;
  /** At an end: completed or error; an update or start may say pending or running. Null: not said. */
  readonly status: ToolStatus | null;
  readonly facts: ToolFacts;
}

export type ToolStatus =
  'pending' | 'running' | 'completed' | 'error' | 'denied' | 'cancelled' | 'interrupted';

export interface ControlOption {
  readonly id: string;
  readonly label: string;
  /** `allow_once`, `allow_always`, `reject_once`, `reject_always`, or null for a plain answer. */
  readonly kind: string | null;
}

export type ControlType = 'permission' | 'clarify' | 'steer' | 'continue' | 'interrupt';
export type ControlStatus = 'pending' | 'answered' | 'stale' | 'expired';

/** Something asked of the reader, or a boundary the reader or the server set. */
export interface ControlEvent extends TurnEventBase {
  readonly type: 'control';
  readonly control: ControlType;
  /** Its own id (approval id, clarify id, permission id); null when the wire gives none. */
  readonly controlId: string | null;
  /** The question, command or text, in full. */
  readonly text: string;
  /** What the producer adds to it, such as why it asks. */
  readonly detail?: string | null;
  /** Arguments of what is to be allowed, in full. */
  readonly input?: JsonObject | null;
  /** What would be changed, as a unified diff. */
  readonly diff?: string | null;
  readonly options: readonly ControlOption[];
  readonly callId?: string | null;
  /** ms since 1970; null = never. */
  readonly expiresAt?: number | null;
  /**
   * `until-next`: pending only while it is the run's last activity (Hermes WebUI replays answered prompts);
   * `until-resolved`: pending until a resolution or a terminal; `answered`: born so.
   */
  readonly life: 'until-next' | 'until-resolved' | 'answered';
}

/** How a control ended. */
export interface ControlResolvedEvent extends TurnEventBase {
  readonly type: 'control-resolved';
  readonly control: ControlType;
  /** Null resolves the oldest pending one of that type. */
  readonly controlId: string | null;
  readonly status: 'answered' | 'stale' | 'expired';
  readonly choice: string | null;
  /** Whether the reader's choice refused the tool call (it then reads as denied if it ends without a result). */
  readonly denied?: boolean;
}

/** A phase of the run itself that is neither text nor tool, such as compression. One item a `topic` until completed. */
export interface LifecycleEvent extends TurnEventBase {
  readonly type: 'lifecycle';
  readonly topic: string;
  readonly status: 'running' | 'completed' | 'error';
  readonly text: string;
  /** Session ids this event proves to be one session, oldest first (compression rotation). */
  readonly linksSessions?: readonly string[];
}

/** A sentence to the reader: a fallback warning, a notice, something newer than us shown verbatim. */
export interface NoticeEvent extends TurnEventBase {
  readonly type: 'notice';
  readonly text: string;
  /** The wire's own kind, such as `fallback`. */
  readonly topic: string | null;
}

/** The end of the run, or one claim of it. */
export interface TerminalEvent extends TurnEventBase {
  readonly type: 'terminal';
  readonly state: TerminalState;
  /** `observed`: the producer says so; `synthetic`: made up by a server for a run that died. */
  readonly strength: 'observed' | 'synthetic';
  readonly error?: TurnErrorFacts | null;
  /** The answer ended because of a length limit. */
  readonly truncated?: boolean;
  /** The whole answer, where the wire repeats it (`run.completed` `output`): used only to repair a run with a hole. */
  readonly output?: string | null;
  readonly usage?: UsageFacts | null;
  readonly linksSessions?: readonly string[];
}

export type TerminalState =
  | 'completed'
  | 'cancelled'
  | 'interrupted'
  | 'no_response'
  | 'tool_limit_reached'
  | 'compression_exhausted'
  | 'connection_lost'
  | 'degraded'
  | 'error';

export interface TurnErrorFacts {
  readonly type: string | null;
  readonly message: string;
  readonly hint: string | null;
}

export interface UsageFacts {
  readonly inputTokens?: number | null;
  readonly outputTokens?: number | null;
  readonly cacheHitTokens?: number | null;
  readonly cacheHitRate?: number | null;
  readonly cost?: number | null;
  readonly used?: number | null;
  readonly size?: number | null;
}

export interface PlanEntry {
  readonly content: string;
  readonly status: string;
  readonly priority: string | null;
}

/** Facts about the turn or the session that are never rows. */
export interface MetaEvent extends TurnEventBase {
  readonly type: 'meta';
  readonly usage?: UsageFacts | null;
  readonly title?: string | null;
  /** Newest wins; an empty list counts. */
  readonly plan?: readonly PlanEntry[] | null;
  /** Context window and the like, shown as given. */
  readonly context?: JsonObject | null;
}

/** Something the run did outside the transcript: saved a memory, finished a background task. */
export interface SideEffectEvent extends TurnEventBase {
  readonly type: 'side-effect';
  readonly kind: string;
  readonly action: string;
  readonly label: string | null;
  /** The fact's own id: two frames with the same one are one fact. */
  readonly ownId?: string | null;
}

export interface ArtifactEvent extends TurnEventBase {
  readonly type: 'artifact';
  readonly artifact: ArtifactFacts;
  readonly callId?: string | null;
}

/** The run began: what the producer says of its birth (`run.started`). */
export interface StartEvent extends TurnEventBase {
  readonly type: 'start';
  readonly turnId: string | null;
  readonly prompt: string | null;
  /** The server's own number in seconds, exactly: proof of which user message the run answers. */
  readonly startedAtSeconds?: number | null;
}

/** The transport says its body is over (`stream_end`). Proves nothing about the turn. */
export interface TransportEvent extends TurnEventBase {
  readonly type: 'transport';
}

/** Known or unknown, it changes nothing, but it stands at a position. Counted by name if `unknown`. */
export interface ExcludedEvent extends TurnEventBase {
  readonly type: 'excluded';
}

/** Everything an adapter can say. `session` rides on any of them: a settled payload inside the frame (embedded). */
export type TurnEvent = (
  | TextEvent
  | InterimEvent
  | ToolEvent
  | ControlEvent
  | ControlResolvedEvent
  | LifecycleEvent
  | NoticeEvent
  | TerminalEvent
  | MetaEvent
  | SideEffectEvent
  | ArtifactEvent
  | StartEvent
  | TransportEvent
  | ExcludedEvent
) & {readonly session?: SettledSession | null};
