/**
 * What reads: registers the elements that show a session, and exports the classes for module scripts. Alone it is the
 * classic script-tag file. What folds and what draws turns is loaded beside it at once, in parallel with the page's first
 * request; see docs/decisions/0001-first-load.md.
 */
import {HermesSession} from './elements/hermes-session.js';
import {HermesTranscript} from './elements/hermes-transcript.js';
import {loadMarkdown} from './elements/load-markdown.js';
import {register} from './register.js';
import {loadModel, NOT_LOADED} from './session/index.js';

register('hermes-session', HermesSession);
register('hermes-transcript', HermesTranscript);

const turn = import('./elements/hermes-turn.js').then(({HermesTurn}) => register('hermes-turn', HermesTurn));

// Without it text stands as it was written.
loadMarkdown().catch(() => undefined);

// A chunk that does not load is told by the session that needs it, and here for a page that only has turns.
Promise.all([turn, loadModel()]).catch((cause: unknown) => {
  console.error(NOT_LOADED, cause);
});

export {sessionContext} from './elements/context.js';
export * from './elements/events.js';
export {HermesSession, HermesTranscript};
export {Session, type SessionOptions, type SessionProblem, type SessionSource} from './session/index.js';
