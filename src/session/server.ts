/**
 * The part of a session that knows servers: it follows one from run to run, and asks it for what the reader wants. A page
 * that only reads a stream, or shows what is over, does without; see docs/decisions/0001-first-load.md.
 */
export {Controls} from './controls.js';
export {followerOf} from './follower.js';
