/** Run events for the journal's tests: small ones, in order. */
import type {RunEvent} from '../../../../src/protocol/index.js';

/** Speaks for one run: each call is its next event. */
export class Speaker {
  #seq = 0;

  constructor(
    readonly session: string,
    readonly run: string,
  ) {}

  say(delta = 'word '): RunEvent {
    return this.tell({event: 'message.delta', delta});
  }

  end(): RunEvent {
    return this.tell({event: 'run.completed', output: ''});
  }

  /** An event that leaves one out. */
  skip(): RunEvent {
    this.#seq++;
    return this.say();
  }

  /** Any event, without its head. */
  tell(fields: object): RunEvent {
    const head = {run_id: this.run, seq: ++this.#seq, session_id: this.session, timestamp: 1};
    return {...head, ...fields} as RunEvent;
  }
}

export const sessionRecord = (id: string, owner = 'me', updatedAt = 1) => ({
  id,
  owner,
  profile: 'demo',
  title: null,
  agentSessionId: null,
  cwd: '/notes',
  settings: {},
  createdAt: 1,
  updatedAt,
});
