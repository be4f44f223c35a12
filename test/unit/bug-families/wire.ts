/** What Hermes WebUI sends, said as a story: frames of a run, and the settled session that comes later. */
import {adapterFor, readSettled, readStart} from '../../../src/adapters/index.js';
import {
  applySettled,
  applyTurnEvents,
  beginTurn,
  createTranscript,
  type FoldedTranscript,
  type TurnAnchor,
} from '../../../src/anchor/index.js';
import type {SourceEvent} from '../../../src/protocol/index.js';
import {project, type DisplayMode, type Row} from '../../../src/scene/index.js';
import {sketch} from '../scene/sketch.js';

export const SESSION = 'a1c0';

/** Frames of one run, numbered as the server does: from 1, without gaps. */
export class Run {
  readonly frames: SourceEvent[] = [];
  /** The last position given out. */
  seq = 0;

  constructor(
    readonly id = 'r1',
    readonly sessionId = SESSION,
  ) {}

  send(name: string, data: object = {}): this {
    return this.at(this.seq + 1, name, data);
  }

  /** A frame at a position of the test's choice: a borrowed id, or a row that was lost before it. */
  at(seq: number, name: string, data: object = {}): this {
    this.seq = Math.max(this.seq, seq);
    return this.push({id: `${this.id}:${seq}`, name, data});
  }

  /** A frame without an id. */
  bare(name: string, data: object = {}): this {
    return this.push({id: null, name, data});
  }

  push(frame: SourceEvent): this {
    this.frames.push({...frame, data: JSON.stringify(frame.data)});
    return this;
  }

  says(...texts: string[]): this {
    for (const text of texts) this.send('token', {text});
    return this;
  }

  thinks(...texts: string[]): this {
    for (const text of texts) this.send('reasoning', {text});
    return this;
  }

  interim(text: string, already_streamed = false, more: object = {}): this {
    return this.send('interim_assistant', {text, already_streamed, ...more});
  }

  calls(tid: string | null, name: string, args: object = {}): this {
    const call = {event_type: 'tool.started', name, preview: null, args};
    return this.send('tool', tid === null ? call : {...call, tid});
  }

  ends(tid: string | null, name: string, preview: string, more: object = {}): this {
    const call = {event_type: 'tool.completed', name, preview, args: {}, is_error: false, ...more};
    return this.send('tool_complete', tid === null ? call : {...call, tid});
  }

  /** A call from start to end. */
  uses(tid: string | null, name: string, args: object, preview: string): this {
    return this.calls(tid, name, args).ends(tid, name, preview);
  }

  metering(): this {
    return this.send('metering', {tps: 40, tps_available: true, active: 1, session_id: this.sessionId});
  }

  done(more: object = {}): this {
    return this.send('done', {usage: {}, ...more});
  }

  fails(type: string, more: object = {}): this {
    return this.send('apperror', {type, message: `It was ${type}.`, session_id: this.sessionId, ...more});
  }

  stops(more: object = {}): this {
    return this.send('cancel', {
      message: 'Cancelled by user',
      type: 'cancelled',
      status: 'cancelled',
      ...more,
    });
  }

  end(): this {
    return this.send('stream_end', {session_id: this.sessionId});
  }
}

export function run(id?: string, sessionId?: string): Run {
  return new Run(id, sessionId);
}

/** Messages of a settled session; the rest of `more` as the server puts it beside the content. */
export const user = (content: unknown, timestamp: number, more: object = {}) => ({
  role: 'user',
  content,
  timestamp,
  ...more,
});
export const assistant = (content: unknown, timestamp: number, more: object = {}) => ({
  role: 'assistant',
  content,
  timestamp,
  ...more,
});
export const calling = (id: string, name: string, args: object, timestamp: number, content = '') =>
  assistant(content, timestamp, {
    tool_calls: [{id, type: 'function', function: {name, arguments: JSON.stringify(args)}}],
  });
export const result = (tool_call_id: string, output: string, timestamp: number, more: object = {}) => ({
  role: 'tool',
  tool_call_id,
  content: JSON.stringify({output, ...more}),
  timestamp,
});

/** A session object; its version is the time of its last message unless `more` says otherwise. */
export function session(messages: readonly {timestamp: number}[], more: object = {}) {
  const updated_at = (messages.at(-1)?.timestamp ?? 0) + 0.5;
  const whole = {message_count: messages.length, updated_at, active_stream_id: null};
  return {session_id: SESSION, title: 'Rain', ...whole, pending_user_message: null, messages, ...more};
}

const {normalize} = adapterFor('hermes-webui');

/** The transcript after frames, folded as one batch. Frames that name no run are of the one whose stream it is. */
export function hear(
  source: Run | readonly SourceEvent[],
  before = createTranscript(),
  stream = source instanceof Run ? source.id : null,
): FoldedTranscript {
  const frames = source instanceof Run ? source.frames : source;
  return applyTurnEvents(before, frames.map(normalize), {run: stream});
}

/** The same, one frame a batch. */
export function hearSlowly({frames, id}: Run, before = createTranscript()): FoldedTranscript {
  return frames.reduce((transcript, frame) => hear([frame], transcript, id), before);
}

/** The transcript after the answer to a session request. */
export function settle(before: FoldedTranscript, settled: object): FoldedTranscript {
  const observation = readSettled({session: settled});
  if (observation === null) throw new TypeError('not a session');
  return applySettled(before, observation);
}

/** The transcript after the answer to a start request. */
export function start(before: FoldedTranscript, runId: string, more: object = {}): FoldedTranscript {
  const begun = readStart({stream_id: runId, session_id: SESSION, ...more});
  if (begun === null) throw new TypeError('not a start answer');
  return beginTurn(before, begun);
}

export function only(transcript: FoldedTranscript): TurnAnchor {
  const [turn, more] = transcript.turns;
  if (!turn || more) throw new Error(`expected one turn, got ${transcript.turns.map(({id}) => id).join()}`);
  return turn;
}

export const answerOf = (transcript: FoldedTranscript) => only(transcript).answer.toString();

/** Activity as words: `prose Looking.`, `tool:c1 completed`, the answer's own prose as `answer`. */
export function story(turn: TurnAnchor): string[] {
  return [...turn.items].map(({id, kind, text, message, status, tool, control}) => {
    if (tool) return `${id} ${tool.status}`;
    if (control) return `${control.type} ${control.status}`;
    const word = kind === 'prose' && message === turn.answerMessage ? 'answer' : kind;
    return [word, kind === 'lifecycle' ? status : null, text.toString()].filter(Boolean).join(' ');
  });
}

export const tool = (turn: TurnAnchor, callId: string) => {
  const found = [...turn.items].find((item) => item.tool?.callId === callId);
  if (!found?.tool) throw new Error(`no call ${callId}`);
  return found.tool;
};

/** A turn's rows in a mode, as lines a person can read. */
export function lines(turn: TurnAnchor, mode: DisplayMode = 'transparent-stream'): string[] {
  return sketch(project(turn, mode)).split('\n');
}

export const rowOf = <T extends Row['type']>(turn: TurnAnchor, mode: DisplayMode, type: T) =>
  project(turn, mode).rows.find((row): row is Extract<Row, {type: T}> => row.type === type);

export {comparable} from '../recordings/observations.js';
