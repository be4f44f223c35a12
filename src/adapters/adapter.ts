/** The place between a wire and the model: one frame in, one turn event out, nothing remembered. */
import type {TurnEvent} from '../anchor/turn-event.js';
import type {SourceEvent} from '../protocol/source-event.js';

/** The wires that have an adapter. */
export type AdaptedWire = 'hermes-webui' | 'hermes-runs';

/** Every wire there is. Raw ACP lines need state and are folded to run events by `step`, so they have no adapter. */
export type Wire = AdaptedWire | 'acp';

/** Translates the frames of one wire. */
export interface Adapter {
  readonly wire: AdaptedWire;
  /** The turn event a frame stands for. Never throws: bad input is an `excluded` event that is counted. */
  normalize(event: SourceEvent): TurnEvent;
}
