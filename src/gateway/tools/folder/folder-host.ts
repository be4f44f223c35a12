/**
 * The folder host: a folder of `.md` files as a host of notes, for the demo and for people with plain files.
 *
 * `POST /api/hermes/tools/mnote/call {toolName, args}` is what the gateway calls. The rest is for a note page:
 * `GET /api/notes`, `POST /api/notes {title, markdown?}`, `GET` and `PUT /api/notes/:id {markdown, revision}`,
 * `GET /api/note-events` (SSE: `{change, id, title, revision, updatedAt}` a frame). Refusals are
 * `{error: {code, message, current?}}`, a conflict with the current text.
 */
import {readRequestBody} from '@modelcontextprotocol/server';
import {Hono, type Context} from 'hono';
import {z} from 'zod';
import {systemClock, type Clock} from '../../clock.js';
import {checkedCalls} from '../note-calls.js';
import {noteTools} from '../note-tools.js';
import {ToolError, type ToolErrorCode} from '../tool-error.js';
import {Turns} from '../turns.js';
import {callFolderTool} from './folder-tools.js';
import {NoteFolder, type Note} from './note-folder.js';
import {replacementsOf} from './note-text.js';
import {NoteEventStreams} from './note-events.js';
import {NoteWatch} from './note-watch.js';

export interface FolderHostOptions {
  /** Absolute; made when it is not there. */
  readonly folder: string;
  /** Whether a tool call with this bearer token may be carried out; without it every caller may. */
  readonly accepts?: (token: string) => boolean;
  readonly clock?: Clock;
  /** How often changes of other programs are looked for while a page listens, in ms. */
  readonly watchMs?: number;
}

export interface FolderHost {
  fetch(this: void, request: Request): Promise<Response>;
  /** Ends every event stream. */
  stop(): void;
}

const MAX_BODY_BYTES = 2_000_000;

const toolCall = z.object({toolName: z.string(), args: z.unknown()});
const newNote = z.object({title: z.string().trim().min(1).max(200), markdown: z.string().default('')});
const savedNote = z.object({markdown: z.string(), revision: z.string()});

/** A handler for the host's endpoint and the page's API. */
export function createFolderHost({
  folder: path,
  accepts = () => true,
  clock = systemClock,
  watchMs = 1_000,
}: FolderHostOptions): FolderHost {
  const folder = new NoteFolder(path);
  const watch = new NoteWatch(folder, watchMs, clock);
  const call = checkedCalls(noteTools, new Turns(), (tool, args) => callFolderTool(folder, tool, args));
  const streams = new NoteEventStreams(watch, clock);

  const app = new Hono();
  app.use(sameOriginJson);
  app.post('/api/hermes/tools/mnote/call', async (context) => {
    const [, token = ''] = /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '') ?? [];
    if (!accepts(token)) throw new ToolError('forbidden', 'This token is of no open session.');
    const {toolName, args} = await read(context, toolCall);
    const result = await call({name: toolName, args});
    await watch.look();
    return context.json({result});
  });
  app.get('/api/notes', async (context) => context.json({notes: await folder.list()}));
  app.post('/api/notes', async (context) => {
    const {title, markdown} = await read(context, newNote);
    const {note} = await folder.create(title, markdown);
    await watch.look();
    return context.json(note, 201);
  });
  app.get('/api/notes/:id{.+}', async (context) => context.json(await folder.read(idOf(context))));
  app.put('/api/notes/:id{.+}', async (context) => {
    const {markdown, revision} = await read(context, savedNote);
    const {note} = await folder.change(idOf(context), revision, (note) =>
      replacementsOf(note.markdown, markdown),
    );
    await watch.look();
    return context.json<Note>(note);
  });
  app.get('/api/note-events', () => streams.open());
  app.notFound((context) => context.json({error: {code: 'not-found', message: 'Nothing is here.'}}, 404));
  app.onError((error, context) => {
    const {code, message, current} = error instanceof ToolError ? error : unexpected(error);
    return context.json({error: {code, message, ...(current && {current})}}, statuses[code] ?? 500);
  });

  return {
    fetch: async (request) => app.fetch(request),
    stop: () => streams.stop(),
  };
}

const statuses: Readonly<Partial<Record<ToolErrorCode, 400 | 403 | 404 | 409 | 413>>> = {
  invalid: 400,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  exists: 409,
  'too-large': 413,
};

function unexpected(cause: Error): ToolError {
  // A path of this machine stands in most errors of the file system: it goes to no page and no agent.
  const code = 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
  return new ToolError('failed', `The folder of notes cannot be used${code}.`, null, {cause});
}

/** A page of another origin can send neither JSON nor a method of ours without asking; and it is told no. */
async function sameOriginJson(context: Context, next: () => Promise<void>): Promise<void> {
  const origin = context.req.header('origin');
  if (origin !== undefined && origin !== new URL(context.req.url).origin) {
    throw new ToolError('forbidden', 'This page may not use these notes.');
  }
  const changes = context.req.method !== 'GET' && context.req.method !== 'HEAD';
  if (changes && !context.req.header('content-type')?.startsWith('application/json')) {
    throw new ToolError('invalid', 'Send JSON.');
  }
  await next();
}

async function read<Shape>(context: Context, shape: z.ZodType<Shape>): Promise<Shape> {
  const body = await readRequestBody(context.req.raw, MAX_BODY_BYTES);
  if (body.tooLarge) throw new ToolError('too-large', 'The body is too long.');
  const parsed = shape.safeParse(parse(body.text));
  if (!parsed.success) throw new ToolError('invalid', z.prettifyError(parsed.error));
  return parsed.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ToolError('invalid', 'The body is not JSON.', null, {cause});
  }
}

function idOf(context: Context): string {
  return context.req.param('id') ?? '';
}
