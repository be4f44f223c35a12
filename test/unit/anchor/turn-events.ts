/** Short ways to say turn events in tests. */
import type {
  ControlEvent,
  LifecycleEvent,
  SettledMessage,
  SettledPart,
  SettledSession,
  TerminalState,
  ToolFacts,
  TurnEvent,
} from '../../../src/anchor/index.js';

/** Events of one run, numbered from 1. */
export function run(
  id: string,
  ...events: readonly ((run: string, seq: number) => TurnEvent)[]
): TurnEvent[] {
  return events.map((event, index) => event(id, index + 1));
}

type Numbered = (run: string, seq: number) => TurnEvent;

export const token =
  (text: string, messageId?: string): Numbered =>
  (id, seq) => ({
    type: 'text',
    run: id,
    seq,
    name: 'token',
    channel: 'prose',
    text,
    ...(messageId === undefined ? {} : {messageId}),
  });

export const thought =
  (text: string): Numbered =>
  (id, seq) => ({type: 'text', run: id, seq, name: 'reasoning', channel: 'thought', text});

export const interim =
  (text: string, claim: 'already-streamed' | 'new' = 'already-streamed', echo = false): Numbered =>
  (id, seq) => ({type: 'interim', run: id, seq, name: 'interim_assistant', text, claim, echo});

export const tool =
  (callId: string | null, name = 'read_file', facts: ToolFacts = {}): Numbered =>
  (id, seq) => ({
    type: 'tool',
    run: id,
    seq,
    name: 'tool',
    phase: 'start',
    callId,
    tool: name,
    status: 'running',
    facts,
  });

export const toolEnd =
  (callId: string | null, name = 'read_file', facts: ToolFacts = {}, failed = false): Numbered =>
  (id, seq) => ({
    type: 'tool',
    run: id,
    seq,
    name: 'tool_complete',
    phase: 'end',
    callId,
    tool: name,
    status: failed ? 'error' : 'completed',
    facts,
  });

export const meta: Numbered = (id, seq) => ({type: 'meta', run: id, seq, name: 'metering'});

export const control =
  (
    controlId: string,
    life: ControlEvent['life'] = 'until-next',
    kind: ControlEvent['control'] = 'permission',
  ): Numbered =>
  (id, seq) => ({
    type: 'control',
    run: id,
    seq,
    name: 'approval',
    control: kind,
    controlId,
    text: 'rm -r build',
    options: [],
    life,
  });

export const phase =
  (status: LifecycleEvent['status'], text = ''): Numbered =>
  (id, seq) => ({type: 'lifecycle', run: id, seq, name: 'compressing', topic: 'compression', status, text});

export const end =
  (state: TerminalState = 'completed', session?: SettledSession): Numbered =>
  (id, seq) => ({
    type: 'terminal',
    run: id,
    seq,
    name: state === 'cancelled' ? 'cancel' : 'done',
    state,
    strength: 'observed',
    ...(session ? {session} : {}),
  });

export const excluded =
  (name: string): Numbered =>
  (id, seq) => ({type: 'excluded', run: id, seq, name});

/** A settled message with everything unsaid left out. */
export function message(
  role: SettledMessage['role'],
  timestamp: number | null,
  ...parts: SettledPart[]
): SettledMessage {
  return {
    role,
    timestamp,
    parts,
    partial: false,
    notice: null,
    terminal: null,
    recovered: false,
    runs: [],
    durationMs: null,
    activity: null,
  };
}

export function text(value: string): SettledPart {
  return {type: 'text', text: value};
}

export function call(callId: string, name = 'read_file', facts: ToolFacts = {}): SettledPart {
  return {type: 'call', callId, tool: name, status: null, open: false, sealed: false, facts};
}

export function result(callId: string, output: string, error = false): SettledPart {
  return {type: 'result', callId, tool: null, error, output, diff: null, artifacts: []};
}

/** A settled session of these messages. */
export function session(
  messages: readonly SettledMessage[],
  rest: Partial<SettledSession> = {},
): SettledSession {
  return {
    sessionId: 's1',
    linkedIds: ['s1'],
    title: null,
    updatedAt: 100,
    messageCount: messages.length,
    offset: 0,
    window: false,
    messages,
    pending: null,
    activeRun: null,
    journal: null,
    usage: null,
    context: null,
    plan: null,
    tools: [],
    live: null,
    ...rest,
  };
}
