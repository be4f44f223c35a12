/** Loads what reads raw ACP lines, once for all sessions: few pages need it. */
import type {AcpReader} from '../protocol/index.js';
import {Lazy} from './lazy.js';

const lazy = new Lazy<typeof AcpReader>(
  async () => (await import('../protocol/acp/acp-reader.js')).AcpReader,
);

/** The reader of raw ACP lines, if it is here already. */
export function loadedAcp(): typeof AcpReader | null {
  return lazy.loaded;
}

/** Loads it. A failure may be tried again. */
export async function loadAcp(): Promise<void> {
  await lazy.load();
}
