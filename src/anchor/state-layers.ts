/** The state layers: who may overrule whom about a turn, strongest first (law 12). Rank comes from the source. */

/** One layer: its rank, 1 = strongest, and what it is good for. */
export interface StateLayer {
  readonly rank: number;
  readonly id: StateLayerId;
  readonly role: string;
}

export type StateLayerId =
  | 'event_envelope'
  | 'run_journal'
  | 'settled_transcript'
  | 'S.messages'
  | 'INFLIGHT'
  | 'stream_closure'
  | 'live_dom';

/** The seven layers of the reference, under the ids it gives them. */
export const STATE_LAYERS: readonly StateLayer[] = [
  {rank: 1, id: 'event_envelope', role: 'durable_identity'},
  {rank: 2, id: 'run_journal', role: 'durable_replay'},
  {rank: 3, id: 'settled_transcript', role: 'durable_settlement'},
  {rank: 4, id: 'S.messages', role: 'projection_cache'},
  {rank: 5, id: 'INFLIGHT', role: 'recovery_cache'},
  {rank: 6, id: 'stream_closure', role: 'hot_path_cache'},
  {rank: 7, id: 'live_dom', role: 'renderer_output'},
];

/** The rank of a layer, 1 = strongest. */
export function layerRank(id: StateLayerId): number {
  return STATE_LAYERS.findIndex((layer) => layer.id === id) + 1;
}
