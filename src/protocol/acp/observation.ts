/**
 * Observations: what happened on a connection to an ACP agent, as the fold of its messages sees it.
 *
 * `agent stdio → **ACP lines** → step → run events`
 */
import type {RunFailure} from '../run-event.js';

/** One JSON-RPC 2.0 message, either way. What it holds is nobody's promise; the fold reads it field by field. */
export interface JsonRpcMessage {
  readonly jsonrpc?: unknown;
  /** A number, a text or null: opaque, and 0 is one. Each side counts its own. */
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/**
 * One thing that happened on a connection to an ACP agent. `at`: ms since 1970 (or since spawn in a recording); NaN where
 * nobody noted it.
 */
export type AcpObservation =
  | {readonly from: 'client' | 'agent'; readonly message: JsonRpcMessage; readonly at: number}
  | {readonly from: 'gateway'; readonly fact: AcpGatewayFact; readonly at: number};

/** What a gateway knows and no message says. */
export type AcpGatewayFact =
  /** Names the run that the next `session/prompt` of the session begins. Without it run ids are `<session>.<n>`. */
  | {readonly type: 'run'; readonly runId: string; readonly turnId: string; readonly profile?: string}
  /**
   * The public id, and deadline, of the permission request that comes next with that JSON-RPC id. Without it public ids
   * are `<run>.p<n>`.
   */
  | {
      readonly type: 'permission';
      readonly requestId: unknown;
      readonly permissionId: string;
      readonly expiresAt?: number;
    }
  /** Who answered the permission whose response comes next. Without it: reader, or cancel if that is the outcome. */
  | {readonly type: 'permission-by'; readonly permissionId: string; readonly by: PermissionAnswerer}
  /** The grace window after the prompt's answer is over: the terminal event is due. */
  | {readonly type: 'grace-over'}
  /** The run ends without an answer: process gone, stalled, gateway stopping. */
  | {
      readonly type: 'failed';
      readonly error: string;
      readonly code?: string;
      readonly hint?: string;
      readonly terminalState?: RunFailure;
    }
  /** The run that was stopped ends without an answer: its process had to be ended. */
  | {readonly type: 'cancelled'; readonly reason?: string}
  /**
   * The run's prompt was not taken up, and its next `session/prompt`, maybe in another session or process of the agent,
   * is the same run's. `answer` is the one that counts as none; it stands here for whoever debugs.
   */
  | {readonly type: 'again'; readonly answer?: JsonRpcMessage}
  /** The options of the session changed in a way that no message of ACP tells, such as an older choice of models. */
  | {readonly type: 'options'; readonly options: readonly unknown[]}
  /** A replay of old updates begins or ends; those between are no events. */
  | {readonly type: 'replay'; readonly active: boolean}
  /** A sentence of the gateway to the reader, such as that a session had to be made anew. */
  | {readonly type: 'notice'; readonly text: string; readonly topic?: string};

export type PermissionAnswerer = 'reader' | 'policy' | 'timeout' | 'cancel';
