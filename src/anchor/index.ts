/**
 * The model: one assistant turn is one object, the anchor; live frames, replays and settled history all land in it.
 * Works in Node and browsers; knows no DOM, network, clock or randomness.
 */
export * from './classification.js';
export {canonicalJson, digest, fnv1a64} from './digest.js';
export {
  applySettled,
  applyTurnEvents,
  beginTurn,
  createTranscript,
  unrelatedSessions,
  type FoldedTranscript,
  type TranscriptOptions,
} from './fold.js';
export type {Json, JsonObject} from './json.js';
export * from './sanitize.js';
export type * from './settled.js';
export {
  applySnapshot,
  toSnapshot,
  turnDigest,
  TRANSCRIPT_FORMAT,
  type ItemJson,
  type SnapshotRank,
  type TranscriptJson,
  type TurnJson,
} from './snapshot.js';
export type {RunStart} from './start.js';
export * from './state-layers.js';
export * from './terminal-state.js';
export {GrowingText} from './text.js';
export type {SessionFacts, Transcript} from './transcript.js';
export * from './turn-anchor.js';
export type * from './turn-event.js';
export {UnreadableError} from './unreadable-error.js';
export {Vector} from './vector.js';
