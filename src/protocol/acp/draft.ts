/** A draft: the next state while one observation is taken in, and the events that brings. Lives for one step. */
import {sessionRunId} from '../run-id.js';
import type {RunEvent, RunEventFields, RunEventName} from '../run-event.js';
import type {AcpRun, AcpState} from './state.js';

type Mutable<T> = {-readonly [Key in keyof T]: T[Key]};

/** A run that is being changed. */
export type DraftRun = Mutable<AcpRun>;

/** The fields of an event of one name. */
export type Told<Name extends RunEventName> = RunEventFields[Name];

export class Draft {
  readonly state: Mutable<AcpState>;
  readonly events: RunEvent[] = [];

  constructor(
    state: AcpState,
    readonly at: number,
  ) {
    // Heads only: what they hold is replaced, never edited, so the state before stays what it was.
    this.state = {...state, run: state.run && {...state.run}};
  }

  /** The run that updates belong to. */
  get run(): DraftRun | null {
    return this.state.run;
  }

  get sessionId(): string {
    return this.state.publicId ?? this.state.acpSessionId ?? 'session';
  }

  /** The run of session-level events. */
  get sessionRun(): string {
    return sessionRunId(this.sessionId);
  }

  /** Says something of a run. */
  tell<Name extends RunEventName>(run: DraftRun, event: Name, fields: Told<Name>, at = this.at): void {
    run.lastAt = later(run.lastAt, at);
    run.seq++;
    this.#add(event, run.id, run.seq, at, fields);
  }

  /** Says something of the session. */
  tellSession<Name extends RunEventName>(event: Name, fields: Told<Name>): void {
    this.state.sessionSeq++;
    this.#add(event, this.sessionRun, this.state.sessionSeq, this.at, fields);
  }

  /** Says something of the run that goes on, or of the session between runs. */
  tellEither<Name extends RunEventName>(event: Name, fields: Told<Name>): void {
    if (this.run) this.tell(this.run, event, fields);
    else this.tellSession(event, fields);
  }

  #add(event: RunEventName, run: string, seq: number, at: number, fields: object): void {
    const head = {event, run_id: run, seq, session_id: this.sessionId, timestamp: at / 1000};
    this.events.push(Object.assign(head, fields) as RunEvent);
  }
}

/** The later of two times; one that nobody noted loses. */
export function later(a: number, b: number): number {
  return a > b || Number.isNaN(b) ? a : b;
}

/** A map with one entry changed. */
export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(map).set(key, value);
}

/** A map without an entry. */
export function withoutEntry<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  if (!map.has(key)) return map;
  const next = new Map(map);
  next.delete(key);
  return next;
}
