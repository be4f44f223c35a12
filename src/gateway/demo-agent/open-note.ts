/** The open note: which one the reader means, read through the tools; and a change of it, shown, asked for and made. */
import type {ToolCallContent} from '@agentclientprotocol/sdk';
import type {McpClient} from './mcp-client.js';
import type {OpenNote, ToolUse, Turn} from './turn.js';

export interface Page {
  readonly id: string;
  readonly title: string;
}

/** What a turn found: the tools and the note, the note alone (as the page told it), or neither. */
export interface Look {
  readonly tools: McpClient | null;
  readonly note: OpenNote | null;
  readonly pages: readonly Page[];
}

/** Looks at the notes and at the open one, both at once where the page says which it is. */
export async function look(turn: Turn): Promise<Look> {
  const tools = await turn.tools();
  if (!tools) return {tools, note: contextNote(turn.context), pages: []};
  const told = contextId(turn.context);
  const [pages, note] = await Promise.all([
    listPages(turn, tools),
    told === null ? null : readNote(turn, tools, told),
  ]);
  if (note) return {tools, note, pages};
  const meant = pages.find(({title}) => turn.prompt.toLowerCase().includes(title.toLowerCase())) ?? pages[0];
  return {tools, note: meant ? await readNote(turn, tools, meant.id, meant.title) : null, pages};
}

export async function listPages(turn: Turn, tools: McpClient, query?: string): Promise<readonly Page[]> {
  const {isError, structured} = await turn.use(tools, {
    name: 'mnote_page_list',
    title: query === undefined ? 'List the notes' : `Search the notes for “${query}”`,
    kind: 'search',
    args: query === undefined ? {} : {query},
  });
  return isError ? [] : ((structured as {pages?: readonly Page[]} | null)?.pages ?? []);
}

export async function readNote(
  turn: Turn,
  tools: McpClient,
  docId: string,
  title = docId,
): Promise<OpenNote | null> {
  const {isError, structured} = await turn.use(tools, {
    name: 'mnote_doc_fetch',
    title: `Read ${title}`,
    kind: 'read',
    args: {docId},
    locations: [{path: `${docId}.md`}],
  });
  return isError ? null : (structured as OpenNote);
}

/** How a change of a note ended. */
export type Changed = 'changed' | 'same' | 'planned' | 'refused' | 'failed';

/**
 * Changes a note by a function of its text: shows the difference, asks where the mode says so, and writes. A note that
 * changed meanwhile is read and asked about once more.
 */
export async function changeNote(
  turn: Turn,
  tools: McpClient,
  note: OpenNote,
  change: (markdown: string) => string,
  again = true,
): Promise<Changed> {
  const {id, title, markdown: oldText, revision} = note;
  const newText = change(oldText);
  if (newText === oldText) return 'same';
  if (turn.session.mode === 'plan') return 'planned';
  const diff: ToolCallContent[] = [{type: 'diff', path: `${id}.md`, oldText, newText}];
  const tool: ToolUse = {
    name: 'mnote_doc_markdown_edit',
    title: `Edit ${title}`,
    kind: 'edit',
    args: {docId: id, revision, markdown: newText},
    locations: [{path: `${id}.md`}],
  };
  const call = await turn.announce(tool, diff);
  if (turn.session.mode === 'ask' && !(await turn.ask(tool, call, diff))) {
    await turn.end(call, 'failed', 'The reader did not allow this change.', {content: diff});
    return 'refused';
  }
  const {isError, structured} = await turn.run(tools, tool, call, diff);
  if (!isError) return 'changed';
  const current = currentOf(structured);
  if (!again || !current) return 'failed';
  await turn.think('The note changed while I worked on it. I look at its new text.');
  return changeNote(turn, tools, {...note, ...current}, change, false);
}

function currentOf(structured: unknown): {readonly markdown: string; readonly revision: string} | null {
  const {current} = (structured as {current?: {markdown: string; revision: string}} | null) ?? {};
  return current ? {markdown: current.markdown, revision: current.revision} : null;
}

/** The id that the page context names: a line `docId: x`, `{"docId": "x"}`, or the same in brackets. */
export function contextId(context: string): string | null {
  for (const form of idForms) {
    const [, id] = form.exec(context) ?? [];
    if (id) return id;
  }
  return null;
}

const idLine = /^(?:docId|id)[ \t]*[:=][ \t]*(.+?)[ \t]*$/im;
const idForms = [idLine, /"(?:docId|id)"\s*:\s*"([^"]+)"/, /\((?:docId|id)\s*[:=]\s*([^)\n]+)\)/i];

/** Without tools the page's own words are all there is to work on. */
function contextNote(context: string): OpenNote | null {
  const markdown = context.replace(idLine, '').trim();
  if (markdown === '') return null;
  const [, title = 'This page'] = /^#\s+(.+)$/m.exec(markdown) ?? [];
  return {id: '', title, markdown, revision: ''};
}
