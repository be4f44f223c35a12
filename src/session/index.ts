/** Composition: one session, what feeds it, and the transcript it leads to. Needs fetch, not a document. */
export type {ControlError, ControlErrorCode} from './control-error.js';
export {Lazy, NOT_LOADED} from './lazy.js';
export {loadModel} from './load-model.js';
export type {SessionProblem} from './problem.js';
export {report} from './report.js';
export {runtimesOf, type Runtime} from './runtimes.js';
export {Session, type SessionListener} from './session.js';
export type {SessionOptions} from './session-host.js';
export {acquireSession, type PooledSession} from './session-pool.js';
export {sourceNames, type SessionSource} from './source.js';
