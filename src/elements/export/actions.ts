/** What a reader takes along, copies, quotes, links, archives, and what stands under a finished turn. One lazy chunk, loaded beside the turns it is for. */
import type {HermesTranscript} from '../hermes-transcript.js';

export {LinkFollower, reveal} from './deep-links.js';
export {exported, type ExportFormat} from './exported.js';
export {turnActions} from './turn-actions.js';
export {usageLine} from './usage-line.js';

/** Finds in a transcript: a chunk of its own, loaded when somebody looks for something. */
export async function find(host: HermesTranscript, text?: string): Promise<number> {
  return (await import('../find/find.js')).find(host, text);
}
