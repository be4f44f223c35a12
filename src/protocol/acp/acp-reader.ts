/**
 * Reading ACP lines without a gateway: frames that hold recorded lines or bare messages in, frames of run events out.
 * What a page (`wire="acp"`) and a recording (`.ndjson`) need beside `step`: the state between two lines.
 */
import {formatEventId, parseEventId} from '../event-id.js';
import type {RunEvent} from '../run-event.js';
import type {SourceEvent} from '../source-event.js';
import {readAcpLine} from './line.js';
import {acpFacts, createAcpState, type AcpOptions} from './state.js';
import {finish, step, type AcpStep} from './step.js';

export class AcpReader {
  readonly #options: AcpOptions;
  #state;
  /** The first line as it came: seen again, the stream begins anew, and the same runs with it. */
  #first: string | null = null;
  /** When the last line was sent. */
  #at = NaN;
  /** Where numbered frames stand: after a break a server may send some again, and a step cannot tell. */
  #read: {readonly run: string; readonly seq: number} | null = null;

  constructor(options: AcpOptions = {}) {
    this.#options = options;
    this.#state = createAcpState(options);
  }

  /** True while a prompt has its answer and its terminal event is due: after a grace window, or with the next prompt. */
  get isDue(): boolean {
    return acpFacts(this.#state).ended;
  }

  /** The frames of the run events that some lines bring. What is no line is passed over. */
  read(lines: readonly SourceEvent[]): SourceEvent[] {
    const events: SourceEvent[] = [];
    for (const line of lines) {
      if (this.#isRepeated(line)) continue;
      const observation = readAcpLine(parsed(line.data));
      if (observation === null) continue;
      this.#watchBeginning(line);
      if (!Number.isNaN(observation.at)) this.#at = observation.at;
      for (const event of this.#after(step(this.#state, observation))) events.push(event);
    }
    return events;
  }

  /** Nothing more comes, or the grace window is over: the terminal event that is due. */
  finish(): SourceEvent[] {
    return this.#after(finish(this.#state, this.#at));
  }

  #after([state, events]: AcpStep): SourceEvent[] {
    this.#state = state;
    return events.map(frameOf);
  }

  #watchBeginning({id, data}: SourceEvent): void {
    if (id !== null || typeof data !== 'string') return;
    if (data === this.#first) this.#state = createAcpState(this.#options);
    this.#first ??= data;
  }

  #isRepeated({id}: SourceEvent): boolean {
    const place = id === null ? null : (parseEventId(id) ?? parseEventId(`lines:${id}`));
    if (place === null) return false;
    const isOld = this.#read?.run === place.run && place.seq <= this.#read.seq;
    if (!isOld) this.#read = place;
    return isOld;
  }
}

function frameOf(event: RunEvent): SourceEvent {
  return {id: formatEventId(event.run_id, event.seq), name: null, data: event};
}

function parsed(data: string | object): unknown {
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
