/**
 * The session's messages by absolute index, each from the newest payload that had it. Joining payloads in any order
 * gives the same base (law 10): a newer one wins index by index, a window lies over an older whole, and a payload
 * without messages erases nothing.
 */
import type {SettledMessage, SettledSession} from './settled.js';

/** Where a payload came from; a later request knows more than one inside a frame of the same version. */
export type PayloadSource = 'embedded' | 'history';

interface Version {
  readonly updatedAt: number;
  readonly count: number;
  readonly source: number;
}

interface Entry {
  readonly message: SettledMessage;
  readonly version: Version;
}

export interface MessageBase {
  readonly entries: readonly (Entry | undefined)[];
  /** The newest payload that brought messages. */
  readonly top: Version | null;
  /** The newest payload of all, messages or not: title, pending, active run. */
  readonly meta: SettledSession | null;
  readonly metaVersion: Version | null;
  /** Newest embedded and history titles are told apart by `metaVersion.source`. */
}

export const emptyBase: MessageBase = {entries: [], top: null, meta: null, metaVersion: null};

/** The base with one more payload; the same when it brought nothing. */
export function joinPayload(base: MessageBase, payload: SettledSession, source: PayloadSource): MessageBase {
  const version = versionOf(payload, source);
  const isNewest = newer(version, base.metaVersion, payload, base.meta);
  const meta = isNewest ? {meta: keepSame(base.meta, payload), metaVersion: version} : null;
  const hasMessages = payload.messages.length > 0 || (!payload.window && payload.messageCount === 0);
  if (!hasMessages) return meta ? {...base, ...meta} : base;
  const isTop = base.top === null || compareVersions(version, base.top) >= 0;
  const entries = overlay(base, payload, version, isTop);
  const top = isTop ? version : base.top;
  return {...base, ...meta, entries, top};
}

/** The payload, with what says the same as before under its old reference: turns read these and compare by it. */
function keepSame(before: SettledSession | null, payload: SettledSession): SettledSession {
  if (before === null) return payload;
  const keep = <K extends 'pending' | 'journal' | 'tools'>(key: K): SettledSession[K] =>
    JSON.stringify(before[key]) === JSON.stringify(payload[key]) ? before[key] : payload[key];
  return {...payload, pending: keep('pending'), journal: keep('journal'), tools: keep('tools')};
}

function overlay(
  base: MessageBase,
  payload: SettledSession,
  version: Version,
  isTop: boolean,
): MessageBase['entries'] {
  const end = payload.offset + payload.messages.length;
  const length = isTop ? (payload.window ? Math.max(payload.messageCount, end) : end) : base.entries.length;
  const entries = base.entries.slice(0, length);
  entries.length = length;
  payload.messages.forEach((message, n) => {
    const index = payload.offset + n;
    if (index >= length) return;
    const before = entries[index];
    if (before && sameMessage(before.message, message)) {
      if (compareVersions(version, before.version) > 0) entries[index] = {message: before.message, version};
      return;
    }
    if (!before || beats(version, before.version, message, before.message))
      entries[index] = {message, version};
  });
  return entries;
}

function versionOf(payload: SettledSession, source: PayloadSource): Version {
  return {
    updatedAt: payload.updatedAt ?? -Infinity,
    count: payload.messageCount,
    source: source === 'history' ? 1 : 0,
  };
}

function compareVersions(a: Version, b: Version): number {
  return order(a.updatedAt, b.updatedAt) || order(a.count, b.count) || order(a.source, b.source);
}

function order(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function newer(version: Version, than: Version | null, value: unknown, other: unknown): boolean {
  return than === null || beats(version, than, value, other);
}

/** Equal versions with different contents are told apart by the contents alone, so that order does not decide. */
function beats(a: Version, b: Version, value: unknown, other: unknown): boolean {
  const versions = compareVersions(a, b);
  if (versions !== 0) return versions > 0;
  return JSON.stringify(value) > JSON.stringify(other);
}

function sameMessage(a: SettledMessage, b: SettledMessage): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** One turn's messages: the prompt (if it is here) and everything up to the next prompt. */
export interface MessageTurn {
  /** Absolute index of the prompt, or of the first message when the prompt is missing. */
  readonly index: number;
  readonly prompt: SettledMessage | null;
  readonly messages: readonly {readonly index: number; readonly message: SettledMessage}[];
}

/** Cuts the base into turns. Hidden messages are never a boundary. */
export function messageTurns(base: MessageBase): readonly MessageTurn[] {
  const turns: {index: number; prompt: SettledMessage | null; messages: MessageTurn['messages'][number][]}[] =
    [];
  base.entries.forEach((entry, index) => {
    if (!entry || entry.message.role === 'hidden') return;
    const {message} = entry;
    if (message.role === 'prompt') turns.push({index, prompt: message, messages: [{index, message}]});
    else if (turns.length > 0) turns.at(-1)!.messages.push({index, message});
    else turns.push({index, prompt: null, messages: [{index, message}]});
  });
  return turns;
}
