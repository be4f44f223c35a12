/** Calls of the host: one POST a tool call, with limits, and its answer or a sentence about what went wrong. */
import type {Clock} from '../clock.js';
import {ToolError, type CurrentDocument, type ToolErrorCode} from './tool-error.js';

/** Limits of one call. */
export interface ToolLimits {
  /** Until the host has answered, in ms. */
  readonly callMs: number;
  /** The arguments as JSON, in bytes. */
  readonly maxArgumentBytes: number;
  /** The host's answer, in bytes. */
  readonly maxResultBytes: number;
}

export const defaultToolLimits: ToolLimits = {
  callMs: 30_000,
  maxArgumentBytes: 2_000_000,
  maxResultBytes: 4_000_000,
};

export interface HostCall {
  /** The host's name of the tool: `mnote.doc.fetch`. */
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
}

export interface HostClientOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly limits: ToolLimits;
  readonly clock: Clock;
}

/** The host's result of a call, any JSON. Rejects with a `ToolError`. */
export async function callHost(
  {toolName, args, signal}: HostCall,
  options: HostClientOptions,
): Promise<unknown> {
  const body = JSON.stringify({toolName, args});
  if (Buffer.byteLength(body) > options.limits.maxArgumentBytes) {
    throw new ToolError('too-large', 'The arguments are too long. Send a smaller change.');
  }
  const timeout = new AbortController();
  const timer = options.clock.setTimeout(() => timeout.abort(), options.limits.callMs);
  const both = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal;
  try {
    const response = await options.fetch(options.url, {
      method: 'POST',
      headers: {...options.headers, 'content-type': 'application/json', accept: 'application/json'},
      body,
      signal: both,
      redirect: 'error',
    });
    return readAnswer(response, await readText(response, options.limits.maxResultBytes));
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    if (signal?.aborted) throw new ToolError('cancelled', 'The call was cancelled.', null, {cause});
    if (timeout.signal.aborted) {
      const seconds = Math.round(options.limits.callMs / 1000);
      throw new ToolError('timeout', `The notes did not answer within ${seconds} s. Try again.`, null, {
        cause,
      });
    }
    throw new ToolError('unavailable', 'The notes cannot be reached. Try again later.', null, {cause});
  } finally {
    options.clock.clearTimeout(timer);
  }
}

async function readText(response: Response, max: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > max)
      throw new ToolError('too-large', 'The answer of the notes is too long. Ask for a part.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function readAnswer(response: Response, text: string): unknown {
  const body = parse(text);
  const error = own(body, 'error');
  if (response.ok && body === undefined) {
    throw new ToolError('failed', 'The notes sent an answer that is not JSON.');
  }
  if (response.ok && !error) return own(body, 'result') ?? body;
  const message = typeof error === 'string' ? error : own(error, 'message');
  throw new ToolError(
    errorCode(own(error, 'code'), response.status),
    typeof message === 'string' && message !== ''
      ? message
      : `The notes refused the call (${response.status}).`,
    readCurrent(own(error, 'current') ?? own(body, 'current')),
  );
}

const codes = new Set<unknown>(['invalid', 'not-found', 'conflict', 'exists', 'forbidden', 'too-large']);
const codesByStatus: Readonly<Record<number, ToolErrorCode>> = {
  400: 'invalid',
  401: 'forbidden',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  413: 'too-large',
  422: 'invalid',
};

function errorCode(said: unknown, status: number): ToolErrorCode {
  return codes.has(said) ? (said as ToolErrorCode) : (codesByStatus[status] ?? 'failed');
}

function readCurrent(value: unknown): CurrentDocument | null {
  const [docId, revision, markdown] = ['docId', 'revision', 'markdown'].map((name) => own(value, name));
  if (typeof revision !== 'string' || typeof markdown !== 'string') return null;
  return {docId: typeof docId === 'string' ? docId : '', revision, markdown};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
