/** Loads what follows servers and asks them, once for all sessions: a page that only shows does without. */
import {Lazy} from './lazy.js';
import type * as server from './server.js';

export type Server = typeof server;

const lazy = new Lazy<Server>(() => import('./server.js'));

/** That part, if it is here already. */
export function loadedServer(): Server | null {
  return lazy.loaded;
}

/** Loads it; sessions with a server do so by themselves. Rejects with a sentence. A failure may be tried again. */
export function loadServer(): Promise<Server> {
  return lazy.load();
}
