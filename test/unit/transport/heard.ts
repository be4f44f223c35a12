/** A stream whose server answers by script and whose clock stands still, and everything heard from it. */
import assert from 'node:assert/strict';
import {encodeFrame, type SourceEvent} from '../../../src/protocol/index.js';
import {
  openEventStream,
  type ConnectionState,
  type EventStream,
  type EventStreamOptions,
} from '../../../src/transport/index.js';
import {ManualClock} from './manual-clock.js';
import {ScriptedFetch, type Answer} from './scripted-fetch.js';

export const token = (seq: number, run = 'r') =>
  encodeFrame({id: `${run}:${seq}`, name: 'token', data: {text: `t${seq}`}});
export const named = (name: string, id: string | null = null, data: object = {}) =>
  encodeFrame({id, name, data});
export const END = named('stream_end', 'r:99');
export const LONG = 600_000;

export class Heard {
  readonly clock = new ManualClock();
  readonly batches: (readonly SourceEvent[])[] = [];
  readonly states: ConnectionState[] = [];
  readonly server: ScriptedFetch;
  readonly stream: EventStream;

  constructor(answers: readonly Answer[], options: Partial<EventStreamOptions> = {}) {
    this.server = new ScriptedFetch(...answers);
    this.stream = openEventStream({
      url: '/stream?stream_id=r',
      fetch: this.server.fetch,
      clock: this.clock,
      random: () => 1,
      onState: (state) => this.states.push(state),
      ...options,
      onBatch: (events) => {
        this.batches.push(events);
        options.onBatch?.(events);
      },
    });
  }

  get ids() {
    return this.batches.flat().map(({id}) => id);
  }

  get phases() {
    return this.states.map(({phase}) => phase).join(' ');
  }

  get phase() {
    return this.stream.state.phase;
  }

  get code() {
    return this.stream.state.error?.code ?? null;
  }

  /** What the n-th request said about where to continue. */
  asked(n: number) {
    const request = this.server.asked[n]!;
    return {url: request.url, header: request.headers.get('last-event-id')};
  }

  async run(ms = 0): Promise<this> {
    await this.clock.pass(ms);
    return this;
  }

  /** Nothing is left behind that could wake up later. */
  assertReleased(): void {
    assert.equal(this.clock.waiting, 0);
    assert.ok(this.server.asked.every(({init}) => init.signal!.aborted));
  }
}
