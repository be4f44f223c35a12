/** What a reader takes along: copies, quotes, links, archives. One lazy chunk, loaded beside the turns it is for. */
export {LinkFollower, reveal} from './deep-links.js';
export {exported, type ExportFormat} from './exported.js';
export {turnActions} from './turn-actions.js';
