/**
 * Session notes: what is kept with a session beside its frames, for lists, for panels and for its next process. Written
 * one after the other; nothing is lost with a note that the agent does not tell again.
 */
import type {JsonRpcObject} from '../agent/agent.js';
import type {Journal, SessionRecord} from '../journal/journal.js';
import {textAt} from './loose.js';
import {readFacts, withUpdate, type SessionFacts} from './session-facts.js';

export class SessionNotes {
  readonly #journal: Journal;
  #record: SessionRecord;
  #facts: SessionFacts;
  #saving: Promise<void> = Promise.resolve();

  constructor(record: SessionRecord, journal: Journal) {
    this.#record = record;
    this.#journal = journal;
    this.#facts = readFacts(record.settings);
  }

  get record(): SessionRecord {
    return this.#record;
  }

  get facts(): SessionFacts {
    return this.#facts;
  }

  set facts(facts: SessionFacts) {
    if (facts === this.#facts) return;
    this.#facts = facts;
    this.#save({});
  }

  /** When all that was noted is kept, or could not be. */
  get saved(): Promise<void> {
    return this.#saving;
  }

  /** The agent's id of the session. */
  noteAgentSession(agentSessionId: string): void {
    if (agentSessionId !== this.#record.agentSessionId) this.#save({agentSessionId});
  }

  /** A title where there is none yet. */
  noteTitle(title: string | null): void {
    if (this.#record.title === null && title !== null) this.#save({title});
  }

  /** What an update of the agent says of the session itself. */
  heard(update: JsonRpcObject): void {
    const isInfo = textAt(update, 'sessionUpdate') === 'session_info_update';
    if (isInfo && Object.hasOwn(update, 'title')) this.#save({title: textAt(update, 'title')});
    this.facts = withUpdate(this.#facts, update);
  }

  /** The context of the page the session was created from: for its first prompt, so it is given once. */
  takeContext(): string | undefined {
    const {pageContext, ...settings} = this.#record.settings;
    if (typeof pageContext !== 'string') return undefined;
    this.#record = {...this.#record, settings};
    this.#save({});
    return pageContext;
  }

  #save(change: {readonly agentSessionId?: string; readonly title?: string | null}): void {
    const settings = {...this.#record.settings, facts: this.#facts};
    this.#record = {...this.#record, ...change, settings};
    const {id} = this.#record;
    const save = () => this.#journal.updateSession(id, {...change, settings});
    this.#saving = this.#saving.then(save).catch(() => {});
  }
}
