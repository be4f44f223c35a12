/** Sessions of the demo agent on disk: one small file each, so that another process can load them. */
import {mkdir, readFile, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {SessionUpdate} from '@agentclientprotocol/sdk';

/** What is known of a session after its process has gone. */
export interface StoredSession {
  readonly id: string;
  readonly title: string | null;
  readonly mode: string;
  readonly thoughts: string;
  readonly turns: number;
  readonly tokens: number;
  readonly transcript: readonly SessionUpdate[];
}

export interface SessionStore {
  load(id: string): Promise<StoredSession | null>;
  save(session: StoredSession): Promise<void>;
}

/** Remembers while the process lives. */
export function memoryStore(): SessionStore {
  const sessions = new Map<string, StoredSession>();
  return {
    load: (id) => Promise.resolve(sessions.get(id) ?? null),
    save: (session) => Promise.resolve(void sessions.set(session.id, session)),
  };
}

export function folderStore(folder: string): SessionStore {
  // Ids are ours (UUIDs); one that a client made up names no file.
  const file = (id: string) => (/^[0-9a-f-]{36}$/.test(id) ? join(folder, `${id}.json`) : null);
  return {
    load: async (id) => {
      const path = file(id);
      if (path === null) return null;
      try {
        return JSON.parse(await readFile(path, 'utf8')) as StoredSession;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
        throw error;
      }
    },
    save: async (session) => {
      const path = file(session.id);
      if (path === null) return;
      await mkdir(folder, {recursive: true});
      await writeFile(`${path}.new`, JSON.stringify(session));
      await rename(`${path}.new`, path);
    },
  };
}
