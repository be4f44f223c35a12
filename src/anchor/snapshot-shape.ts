/**
 * The shape of `hermes.transcript.v1` as a reader takes it: whatever is missing or of another kind becomes its empty
 * value, and what is not in the format is left out. A page reads these from caches and islands anybody may have written.
 */
import type {Json} from './json.js';
import {noUsage} from './run-fold.js';
import type {ItemJson, TurnJson} from './snapshot.js';
import {TERMINAL_STATES} from './terminal-state.js';
import {emptySession, type SessionFacts} from './transcript.js';

/** The value if it is of the kind, else null for "take the empty one". */
type Read = (value: unknown) => unknown;

const text: Read = (value) => (typeof value === 'string' ? value : null);
const number: Read = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : null);
const flag: Read = (value) => (typeof value === 'boolean' ? value : null);
const object: Read = (value) => (isObject(value) ? value : null);
const oneOf =
  (...known: readonly (string | null)[]): Read =>
  (value) =>
    known.includes(value as string) ? value : null;
const listOf =
  (read: Read): Read =>
  (value) =>
    Array.isArray(value) ? value.map(read).filter((item) => item !== null) : null;
const shaped =
  <T extends object>(shape: Shape<T>, empty: T): Read =>
  (value) =>
    isObject(value) ? conform(shape, empty, value) : null;

type Shape<T> = {readonly [K in keyof T]-?: Read};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function conform<T extends object>(shape: Shape<T>, empty: T, value: Record<string, unknown>): T {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(shape) as (keyof T & string)[]) {
    const read = shape[key](Object.hasOwn(value, key) ? value[key] : undefined) ?? empty[key];
    // What has no empty value is only there where it was said.
    if (read !== undefined) result[key] = read;
  }
  return result as T;
}

const usage = shaped(
  {
    inputTokens: number,
    outputTokens: number,
    cacheHitTokens: number,
    cacheHitRate: number,
    cost: number,
    used: number,
    size: number,
  },
  noUsage,
);

const stats = shaped(
  {applied: number, duplicate: number, mismatched: number, borrowed: number, excluded: object},
  emptySession.stats,
);

const sideEffects = listOf(
  shaped({kind: text, action: text, name: text}, {kind: '', action: '', name: null as string | null}),
);

const locations = listOf(shaped({path: text, line: number}, {path: '', line: null as number | null}));
const options = listOf(
  shaped({id: text, label: text, kind: text}, {id: '', label: '', kind: null as string | null}),
);

const emptyTool: NonNullable<ItemJson['tool']> = {
  callId: null,
  name: 'tool',
  title: null,
  kind: null,
  status: 'completed',
  args: {},
  output: '',
  diff: null,
  locations: [],
  durationMs: null,
};

const tool = shaped(
  {
    callId: text,
    name: text,
    title: text,
    kind: text,
    status: oneOf('pending', 'running', 'completed', 'error', 'denied', 'cancelled', 'interrupted'),
    args: object,
    output: text,
    content: listOf(object),
    diff: text,
    locations,
    durationMs: number,
  },
  emptyTool,
);

const emptyControl: NonNullable<ItemJson['control']> = {
  id: '',
  type: 'permission',
  status: 'stale',
  options: [],
  choice: null,
  detail: null,
  callId: null,
  expiresAt: null,
  input: null,
  diff: null,
};

const control = shaped(
  {
    id: text,
    type: oneOf('permission', 'clarify', 'steer', 'continue', 'interrupt'),
    status: oneOf('pending', 'answered', 'stale', 'expired'),
    options,
    choice: text,
    detail: text,
    callId: text,
    expiresAt: number,
    input: object,
    diff: text,
  },
  emptyControl,
);

const emptyItem: ItemJson = {
  id: '',
  kind: 'notice',
  status: null,
  text: '',
  at: null,
  from: null,
  to: null,
  tool: null,
  control: null,
};

const itemShape: Shape<ItemJson> = {
  id: text,
  kind: oneOf('prose', 'reasoning', 'tool', 'lifecycle', 'control', 'terminal', 'notice'),
  status: text,
  text,
  at: number,
  from: number,
  to: number,
  tool,
  control,
};

const readItem = shaped(itemShape, emptyItem);

/** An item nobody can name, or a tool or control without its details, is not one. */
export const items: Read = (value) => (listOf(readItem)(value) as ItemJson[] | null)?.filter(isWhole) ?? null;

function isWhole({id, kind, tool: call, control: asked}: ItemJson): boolean {
  return id !== '' && (kind !== 'tool' || call !== null) && (kind !== 'control' || asked !== null);
}

export const emptyTurn: TurnJson = {
  id: '',
  aliases: [],
  runIds: [],
  streamIds: [],
  messageRefs: [],
  prompt: null,
  promptParts: [],
  status: 'settled',
  terminal: null,
  evidence: null,
  degraded: false,
  error: null,
  startedAt: null,
  completedAt: null,
  items: [],
  answer: '',
  answerComplete: false,
  answerId: null,
  finalMessageRef: null,
  artifacts: [],
  sideEffects: [],
  plan: null,
  usage: null,
  cursor: null,
  applied: {},
  resume: null,
  stats: emptySession.stats,
};

const turnShape: Shape<TurnJson> = {
  id: text,
  aliases: listOf(text),
  runIds: listOf(text),
  streamIds: listOf(text),
  messageRefs: listOf(text),
  prompt: text,
  promptParts: listOf(
    shaped(
      {type: oneOf('text', 'image', 'attachment'), text, uri: text},
      {type: 'text', text: null as string | null, uri: null as string | null},
    ),
  ),
  status: oneOf('created', 'running', 'restoring', 'settled'),
  terminal: oneOf(...TERMINAL_STATES),
  evidence: oneOf('settled', 'observed', 'synthetic', 'inferred'),
  degraded: flag,
  error: shaped({type: text, message: text, hint: text}, {type: null, message: '', hint: null}),
  startedAt: number,
  completedAt: number,
  items,
  answer: text,
  answerComplete: flag,
  answerId: text,
  finalMessageRef: text,
  artifacts: listOf(
    shaped(
      {
        path: text,
        uri: text,
        change: oneOf('created', 'modified', 'deleted', 'referenced'),
        itemId: text,
        diff: text,
      },
      {path: '', uri: null, change: 'referenced', itemId: null, diff: null},
    ),
  ),
  sideEffects,
  plan: listOf(
    shaped(
      {content: text, status: text, priority: text},
      {content: '', status: 'pending', priority: null as string | null},
    ),
  ),
  usage,
  cursor: text,
  applied: object,
  resume: object,
  stats,
};

/** The turns that have an id. */
export function readTurns(value: readonly unknown[]): TurnJson[] {
  const turns = listOf(shaped(turnShape, emptyTurn))(value) as TurnJson[];
  return turns.filter(({id}) => id !== '');
}

const sessionShape: Shape<SessionFacts> = {
  id: text,
  aliases: listOf(text),
  title: text,
  usage,
  context: object,
  sideEffects,
  notices: listOf(shaped({text, topic: text}, {text: '', topic: null as string | null})),
  stats,
};

export function readSession(value: Json | undefined): SessionFacts {
  return isObject(value) ? conform(sessionShape, emptySession, value) : emptySession;
}
