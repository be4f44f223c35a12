/** Loads what reads raw ACP lines, once for all sessions: few pages need it. */
import type {AcpReader} from '../protocol/index.js';

let loaded: typeof AcpReader | null = null;
let loading: Promise<void> | null = null;

/** The reader of raw ACP lines, if it is here already. */
export function loadedAcp(): typeof AcpReader | null {
  return loaded;
}

/** Loads it. A failure may be tried again. */
export function loadAcp(): Promise<void> {
  loading ??= import('../protocol/acp/acp-reader.js').then(
    (module) => void (loaded = module.AcpReader),
    (cause: unknown) => {
      loading = null;
      throw cause;
    },
  );
  return loading;
}
