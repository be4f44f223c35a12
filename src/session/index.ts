/** Composition: one session, what feeds it, and the transcript it leads to. Needs fetch, not a document. */
export {loadModel} from './load-model.js';
export {Session, type SessionOptions, type SessionProblem} from './session.js';
export type {SessionSource} from './source.js';
