/** What a session can be asked, beside showing it. One of another copy of the bundle may be older, and lack it. */
import type {Session} from '../session/index.js';

export interface Controllable {
  /** True when the server takes controls from here: its full form is known, not a stream alone. */
  readonly canControl: boolean;
  /** Ids of the controls the server waits for. */
  readonly pendingControls: ReadonlySet<string>;
  /** Each rejects with an error whose message is a sentence. */
  send(prompt: string): Promise<unknown>;
  cancel(): Promise<unknown>;
  steer(text: string): Promise<unknown>;
  answer(controlId: string, choice: string): Promise<unknown>;
}

/** The session if it can be controlled, else null. */
export function controllable(session: Session | null): Controllable | null {
  const one = session as Partial<Controllable> | null;
  return one?.canControl ? (one as Controllable) : null;
}
