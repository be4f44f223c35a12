/** Bodies: what a page may send, checked at the border and bounded. */
import {z} from 'zod';
import type {
  AnswerPermissionRequest,
  CreateSessionRequest,
  SelectProfileRequest,
  SetModeRequest,
  SetOptionRequest,
  StartRunRequest,
  SteerRunRequest,
} from '../../protocol/index.js';
import {GatewayError} from '../gateway-error.js';

const short = z.string().min(1).max(200);
const text = z.string().max(1_000_000);

/** Content blocks are the agent's to read: here only that they are named, and few. */
const block = z.looseObject({type: z.string().min(1).max(64)});

export const bodies = {
  createSession: z.object({
    profile: short.exactOptional(),
    pageContext: text.exactOptional(),
    cwd: z.string().min(1).max(4096).exactOptional(),
  } satisfies Fields<CreateSessionRequest>),
  startRun: z.object({
    sessionId: short,
    prompt: z.union([text.min(1), z.array(block).min(1).max(100)], {
      error: 'expected text or a list of content blocks, not empty',
    }),
    pageContext: text.exactOptional(),
  } satisfies Fields<StartRunRequest>),
  answer: z.object({optionId: short} satisfies Fields<AnswerPermissionRequest>),
  steer: z.object({text: text.min(1)} satisfies Fields<SteerRunRequest>),
  mode: z.object({mode: short} satisfies Fields<SetModeRequest>),
  option: z.object({
    id: short,
    value: z.union([z.string().max(2000), z.boolean()]),
  } satisfies Fields<SetOptionRequest>),
  selectProfile: z.object({profile: short} satisfies Fields<SelectProfileRequest>),
};

/** No field of a body is forgotten here. */
type Fields<Body> = Record<keyof Body, z.ZodType>;

/** The checked body of a request. An empty one is read as `{}`. */
export async function readBody<T>(request: Request, schema: z.ZodType<T>, limit: number): Promise<T> {
  const json = await readText(request, limit);
  checkType(request, json === '');
  const value = json === '' ? {} : parse(json);
  checkDepth(value);
  const {success, data, error} = schema.safeParse(value);
  if (success) return data;
  const {path, message} = error.issues[0]!;
  const where = path.length === 0 ? 'the whole' : path.join('.');
  throw new GatewayError(
    'invalid-request',
    `The body is not what is asked for here. In ${where}: ${message}.`,
  );
}

/** Reads and drops the body of a request that needs none, and still refuses what a form could send. */
export async function refuseForms(request: Request, limit: number): Promise<void> {
  checkType(request, (await readText(request, limit)) === '');
}

// Forms and plain scripts of foreign pages cannot send JSON without asking first.
function checkType({headers}: Request, isEmpty: boolean): void {
  const type = headers.get('content-type');
  if (type === null ? isEmpty : /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return;
  throw new GatewayError(
    'unsupported-media-type',
    'Send the body as JSON, with content-type application/json.',
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new GatewayError('invalid-request', 'The body is not JSON. Check what was sent.', {}, {cause});
  }
}

/** Objects and lists within each other. Whatever walks a body later may do so by recursion. */
const MAX_DEPTH = 100;

function checkDepth(value: unknown): void {
  let level = [value].filter(isNest);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      const message = `The body has more than ${MAX_DEPTH} objects and lists within each other. Send it flatter.`;
      throw new GatewayError('invalid-request', message, {limit: MAX_DEPTH});
    }
    level = level.flatMap((nest) => Object.values(nest).filter(isNest));
  }
}

const isNest = (value: unknown): value is object => typeof value === 'object' && value !== null;

async function readText(request: Request, limit: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) tooLarge(limit);
  const decoder = new TextDecoder('utf-8', {fatal: true});
  let read = 0;
  let json = '';
  try {
    for await (const piece of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      read += piece.byteLength;
      if (read > limit) tooLarge(limit);
      json += decoder.decode(piece, {stream: true});
    }
    return json + decoder.decode();
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
    const message = 'The body broke off or is not UTF-8. Send it again, as JSON in UTF-8.';
    throw new GatewayError('invalid-request', message, {}, {cause});
  }
}

function tooLarge(limit: number): never {
  const message = `The body is longer than ${limit} bytes. Send less, or give files as resource links.`;
  throw new GatewayError('too-large', message, {limit});
}
