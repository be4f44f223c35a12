/** What loads earlier messages comes when a session is first seen to have some. */
import {nothing} from 'lit';
import {Lazy} from '../session/index.js';
import type {HermesTranscript} from './hermes-transcript.js';
import type {Reader} from './earlier.js';

const lazy = new Lazy(async () => (await import('./earlier.js')).earlierLine);

/** The line at the head of a transcript whose server has messages from before. */
export function earlierLine(host: HermesTranscript, reader: Reader) {
  if (!host.shown?.hasEarlier) return nothing;
  if (lazy.loaded) return lazy.loaded(host, reader);
  lazy.use(() => host.requestUpdate());
  return nothing;
}
