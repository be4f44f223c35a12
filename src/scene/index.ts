/** The scene: a turn as rows in a display mode. `activity-scene` and `export` are modules of their own, to be left out. */
export {displayModes, parseDisplayMode, type DisplayMode} from './display-mode.js';
export {project} from './project.js';
export {
  reconcile,
  type Mismatch,
  type Reconciliation,
  type ReconcileOptions,
  type RowField,
} from './reconcile.js';
export {expectedRows, isFolded, rowKind, rowStatus, type RenderedRow, type RowView} from './rendered-row.js';
export type * from './row.js';
export {sceneFacts, type Scene, type SceneFacts} from './scene.js';
export {
  counted,
  englishToolWords,
  toolKeyArgument,
  toolLabel,
  toolSummary,
  toolVerb,
  toolVerbs,
  type ToolCounts,
  type ToolVerb,
  type ToolWords,
} from './tool-words.js';
