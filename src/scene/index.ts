export {displayModes, parseDisplayMode, type DisplayMode} from './display-mode.js';
export {project} from './project.js';
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
