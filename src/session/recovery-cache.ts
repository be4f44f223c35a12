/**
 * The recovery copy: what a session showed last, kept for the next load of this tab. It is painted first and yields to
 * everything; it holds nothing the tab did not show, and goes when the server says the reader may not see it.
 */
import type {TranscriptJson} from '../anchor/index.js';
import type {SessionSource} from './source.js';

/** What of `sessionStorage` is used. */
export type CopyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The most that is kept of a session: 1 MiB in the UTF-16 browsers count by. */
const MOST_CHARACTERS = 524_288;

export class RecoveryCache {
  readonly #storage: CopyStorage;
  readonly #key: string;

  constructor(storage: CopyStorage, key: string) {
    this.#storage = storage;
    this.#key = key;
  }

  /** What was kept; null when there is nothing or it cannot be read. */
  read(): unknown {
    try {
      return JSON.parse(this.#storage.getItem(this.#key) ?? 'null');
    } catch {
      return null;
    }
  }

  /** Keeps a transcript, the newest turns of it when it is too long. */
  write(snapshot: TranscriptJson): void {
    let {turns} = snapshot;
    let text = JSON.stringify(snapshot);
    while (text.length > MOST_CHARACTERS && turns.length > 1) {
      turns = turns.slice(Math.ceil(turns.length / 2));
      text = JSON.stringify({...snapshot, turns});
    }
    try {
      if (text.length <= MOST_CHARACTERS) this.#storage.setItem(this.#key, text);
      else this.clear();
    } catch {
      // The storage is full. An older copy would be worse than none.
      this.clear();
    }
  }

  clear(): void {
    this.#storage.removeItem(this.#key);
  }
}

/** The recovery copy of a source in its full form; null where none may be kept. */
export function cacheOf(
  {base, sessionId, cache}: SessionSource,
  storage: CopyStorage | null = tabStorage(),
): RecoveryCache | null {
  if (!storage || cache === 'none' || base === undefined || !sessionId) return null;
  const server =
    typeof document === 'object' && URL.canParse?.(base, document.baseURI)
      ? new URL(base, document.baseURI).href
      : base;
  return new RecoveryCache(storage, `hermes-elements:${server} ${sessionId}`);
}

/** The tab's storage; null outside pages, and in those of an opaque origin, where asking for it throws. */
function tabStorage(): CopyStorage | null {
  try {
    return typeof document === 'object' && origin !== 'null' ? sessionStorage : null;
  } catch {
    return null;
  }
}
