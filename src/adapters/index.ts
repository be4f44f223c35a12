/** Adapters: which wire speaks, and what it says. The one place that asks which producer it was. */
import {asObject, firstString, ownObject, ownString, ownValue} from '../anchor/json.js';
import type {SettledSession} from '../anchor/settled.js';
import type {RunStart} from '../anchor/start.js';
import type {SourceEvent} from '../protocol/source-event.js';
import type {AdaptedWire, Adapter, Wire} from './adapter.js';
import {readData} from './frame-head.js';
import {normalizeRunsFrame, runsNames} from './hermes-runs/frames.js';
import {readRunsStart} from './hermes-runs/start.js';
import {isJournalRow, normalizeWebuiFrame, webuiNames} from './hermes-webui/frames.js';
import {readWebuiSettled} from './hermes-webui/settled.js';
import {readWebuiStart} from './hermes-webui/start.js';

export type {AdaptedWire, Adapter, Wire} from './adapter.js';
export {readData} from './frame-head.js';
export {readPending} from './hermes-webui/control-frames.js';

const adapters: ReadonlyMap<string, Adapter> = new Map<AdaptedWire, Adapter>([
  ['hermes-webui', {wire: 'hermes-webui', normalize: normalizeWebuiFrame}],
  ['hermes-runs', {wire: 'hermes-runs', normalize: normalizeRunsFrame}],
]);

/** The adapter of a wire. Throws for a wire that has none. */
export function adapterFor(wire: string): Adapter {
  const adapter = adapters.get(wire);
  if (adapter) return adapter;
  throw new RangeError(
    wire === 'acp'
      ? 'Raw ACP lines have no adapter: fold them to run events with `step` and read those as "hermes-runs".'
      : `Unknown wire "${wire}". Use ${[...adapters.keys(), 'acp', 'auto'].join(', ')}.`,
  );
}

/** The wire a frame belongs to, as far as this one frame tells; null when it tells nothing. */
export function detectWire({name, data: raw}: SourceEvent): Wire | null {
  const data = readData(raw);
  // A bare message, or a recorded line with one in it.
  if (data !== null && Object.hasOwn(ownObject(data, 'msg') ?? data, 'jsonrpc')) return 'acp';
  const event = data && firstString(data, 'event');
  if (data && event !== null) return isJournalRow(data) ? 'hermes-webui' : 'hermes-runs';
  if (name === null) return null;
  if (webuiNames.has(name)) return 'hermes-webui';
  return runsNames.has(name) ? 'hermes-runs' : null;
}

/** What a settled payload is: a transcript of ours, alone or in the gateway's answer, or a Hermes WebUI session. */
export function detectSettled(payload: unknown): 'transcript' | 'hermes-webui' | null {
  const object = asObject(payload);
  if (object === null) return null;
  const transcript = ownObject(object, 'transcript') ?? object;
  if (ownString(transcript, 'format')?.startsWith('hermes.transcript.')) return 'transcript';
  return ownObject(object, 'session') !== null || Array.isArray(ownValue(object, 'messages'))
    ? 'hermes-webui'
    : null;
}

/** A Hermes WebUI session as an observation; null for anything else, transcripts too (those the model reads itself). */
export function readSettled(payload: unknown): SettledSession | null {
  return detectSettled(payload) === 'hermes-webui' ? readWebuiSettled(payload) : null;
}

/** What a start answer says, of either server; null for anything else, such as a refusal. */
export function readStart(payload: unknown): RunStart | null {
  return readWebuiStart(payload) ?? readRunsStart(payload);
}
