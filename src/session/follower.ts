/** Followers: how a session in its full form goes on from run to run, at each of the two servers. */
import type {RunStart, TurnEvent} from '../anchor/index.js';
import type {EventStream} from '../transport/index.js';
import {GatewayFollower} from './gateway-follower.js';
import type {SessionCore} from './session-core.js';
import type {Settled} from './settled.js';
import {WebuiFollower} from './webui-follower.js';

export interface Follower {
  /** A connection beside the stream that is shown. */
  readonly beside: EventStream | null;
  /** The run that goes on, as far as the server said. */
  readonly activeRun: string | null;
  /** The settled session is here; null when it could not be loaded. */
  attach(settled: Settled | null): void;
  /** A run was started. */
  began(start: RunStart): void;
  /** Frames were folded. */
  heard(events: readonly TurnEvent[]): void;
  /** The stream has ended or is lost. */
  over(): void;
  /** The reader wants another try. True when that was all there is to do. */
  again(): boolean;
  /** The stream is open again after a break. */
  reopened(): void;
  /** Asks again which controls the server waits for. */
  poll(): void;
}

/** The follower of a source in its full form. */
export function followerOf(core: SessionCore, root: string): Follower {
  return core.routes.wire === 'hermes-webui'
    ? new WebuiFollower(core, root)
    : new GatewayFollower(core, root);
}
