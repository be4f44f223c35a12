/** What the sessions are built from; handed in, so that tests can hand in their own. */
import type {AgentLaunch, AgentLimits, OpenAgent} from '../agent/agent.js';
import type {Clock} from '../clock.js';
import type {Fence, Journal} from '../journal/journal.js';
import type {Profile} from '../profiles/profile.js';
import type {ProfileRegistry} from '../profiles/profile-registry.js';
import type {AcpObservation, AcpState} from '../../protocol/index.js';
import type {ToolServer} from '../tools/tool-host.js';
import type {TurnWindow} from './session-service.js';

export interface SessionParts {
  readonly journal: Journal;
  readonly profiles: ProfileRegistry;
  readonly tools: ToolServer;
  readonly clock: Clock;
  readonly openAgent: OpenAgent;
  readonly agentLimits: AgentLimits;
  /** Where word of each running agent is left; see `OpenAgentOptions`. */
  readonly pidFolder?: string;
  /** How a profile's agent is started in a folder for a session. Refuses with `profile-missing` and the reason. */
  launch(profile: Profile, cwd: string, session: string): Promise<AgentLaunch>;
  openRecorder(options: {
    readonly journal: Journal;
    readonly fence: Fence;
    readonly state: AcpState;
    /** What follows would stand behind a hole, so the session ends. */
    readonly onFailure: (error: Error) => void;
  }): SessionRecorder;
  /** Settled history: a `hermes.transcript.v1`, how many turns stand before it, and the id of the last frame known. */
  history(
    session: string,
    window: TurnWindow,
  ): Promise<{
    readonly transcript: object | null;
    readonly earlier: number;
    readonly cursor: string | null;
  }>;
  /** A new id, without dots and colons. */
  newId(): string;
  /** The URL of a run's stream. */
  eventsUrl(run: string): string;
  /** Hears what went wrong on our side; `console.error` when not given. */
  readonly onFault?: (fault: unknown) => void;
}

/** What a session needs of its recorder. */
export interface SessionRecorder {
  /** Takes in what happened, at once and in order. A promise asks whoever brings it to wait before bringing more. */
  observe(observation: AcpObservation): void | Promise<unknown>;
  /** When all that was observed is in the journal. Rejects when it could not be kept. */
  flushed(): Promise<void>;
}
