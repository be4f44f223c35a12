/**
 * The table of the host's note tools: what agents read of each, and what their arguments must be.
 *
 * The schemas are plain: several model APIs refuse a tool whose schema has `oneOf` at its top or a list of types.
 */
import type {NoteTool} from './tool-host.js';

type Schema = Readonly<Record<string, unknown>>;

const docId: Schema = {type: 'string', minLength: 1, maxLength: 1000, description: 'Id of the note.'};
const blockId: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description: 'Id of the block, as mnote_block_list gives it. It changes when the block does.',
};
const revision: Schema = {
  type: 'string',
  maxLength: 200,
  description:
    'The revision you read. A note that has changed since is not edited; you get its current text.',
};
const markdown: Schema = {type: 'string', maxLength: 1_000_000, description: 'Markdown.'};
const title: Schema = {type: 'string', minLength: 1, maxLength: 200, description: 'Title of the note.'};

const edits: Schema = {
  type: 'array',
  minItems: 1,
  maxItems: 200,
  description:
    'Replacements, applied in order, all or none. Each oldText must stand in the note exactly once.',
  items: object({oldText: {type: 'string', minLength: 1}, newText: {type: 'string'}}, ['oldText', 'newText']),
};

/** Every note tool. The name for agents is the host's with underscores, since agents rewrite dots. */
export const noteTools: readonly NoteTool[] = [
  read('mnote.page.list', 'List the notes: id, title and revision of each.', {
    query: {type: 'string', maxLength: 200, description: 'Only notes whose title or text has these words.'},
  }),
  read('mnote.doc.fetch', 'Read a note: its title, its whole Markdown and its revision.', {docId}, ['docId']),
  write(
    'mnote.doc.markdown_edit',
    'Change the text of a note: either `edits`, or `markdown` for the whole new text. Give the revision you read.',
    {docId, revision, edits, markdown},
    ['docId', 'revision'],
  ),
  read(
    'mnote.block.list',
    'List the blocks of a note (headings, paragraphs, lists, code) with ids.',
    {docId},
    ['docId'],
  ),
  read('mnote.block.get', 'Read one block of a note.', {docId, blockId}, ['docId', 'blockId']),
  write(
    'mnote.block.insert',
    'Insert Markdown after a block, or at the start of the note when `after` is left out.',
    {docId, after: blockId, markdown, revision},
    ['docId', 'markdown'],
  ),
  write('mnote.block.replace', 'Replace one block of a note.', {docId, blockId, markdown, revision}, [
    'docId',
    'blockId',
    'markdown',
  ]),
  write('mnote.block.delete', 'Delete one block of a note.', {docId, blockId, revision}, [
    'docId',
    'blockId',
  ]),
  write('mnote.page.create', 'Create a note.', {title, markdown}, ['title']),
  write('mnote.page.rename', 'Give a note another title. Its id stays.', {docId, title, revision}, [
    'docId',
    'title',
  ]),
];

/** The tool of a name, as agents or as the host say it. */
export function findNoteTool(name: string): NoteTool | undefined {
  return noteTools.find((tool) => tool.name === name || tool.hostName === name);
}

function read(hostName: string, description: string, properties: Schema, required: readonly string[] = []) {
  return tool(hostName, description, object(properties, required), true);
}

function write(hostName: string, description: string, properties: Schema, required: readonly string[]) {
  return tool(hostName, description, object(properties, required), false);
}

function tool(hostName: string, description: string, inputSchema: Schema, readOnly: boolean): NoteTool {
  return {name: hostName.replaceAll('.', '_'), hostName, description, inputSchema, readOnly};
}

function object(properties: Schema, required: readonly string[]): Schema {
  return {type: 'object', properties, required, additionalProperties: false};
}
