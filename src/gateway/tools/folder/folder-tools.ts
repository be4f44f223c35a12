/** The note tools over a folder: one row a tool. */
import type {NoteTool} from '../tool-host.js';
import {ToolError} from '../tool-error.js';
import {insertAfter, markdownBlocks, replaceBlock, type MarkdownBlock} from './markdown-blocks.js';
import {editReplacements, noteDiff, type TextEdit} from './note-edits.js';
import {replacementsOf, type Replacement} from './note-text.js';
import {titleOf, type Note, type NoteChange, type NoteFolder} from './note-folder.js';

/** Arguments that fit the tool's schema. */
interface Args {
  readonly docId?: string;
  readonly blockId?: string;
  readonly after?: string;
  readonly query?: string;
  readonly title?: string;
  readonly markdown?: string;
  readonly revision?: string;
  readonly edits?: readonly TextEdit[];
}

type FolderTool = (folder: NoteFolder, args: Args) => Promise<unknown>;

const folderTools: Readonly<Record<string, FolderTool>> = {
  'mnote.page.list': async (folder, {query}) => ({pages: await find(folder, query)}),
  'mnote.doc.fetch': async (folder, {docId = ''}) => {
    const {id, title, markdown, revision} = await folder.read(docId);
    return {id, title, markdown, revision};
  },
  'mnote.doc.markdown_edit': (folder, args) => changed(folder, args, (note) => edited(note, args)),
  'mnote.block.list': async (folder, {docId = ''}) => {
    const {markdown, revision} = await folder.read(docId);
    return {docId, revision, blocks: markdownBlocks(markdown).map(brief)};
  },
  'mnote.block.get': async (folder, {docId = '', blockId}) => {
    const note = await folder.read(docId);
    const {id, type, text} = findBlock(note, blockId);
    return {docId, revision: note.revision, block: {id, type, text}};
  },
  'mnote.block.insert': (folder, args) =>
    changed(folder, args, (note) => {
      const after = args.after === undefined ? null : findBlock(note, args.after);
      return [insertAfter(note.markdown, after, args.markdown ?? '')];
    }),
  'mnote.block.replace': (folder, args) =>
    changed(folder, args, (note) => [
      replaceBlock(note.markdown, findBlock(note, args.blockId), args.markdown ?? ''),
    ]),
  'mnote.block.delete': (folder, args) =>
    changed(folder, args, (note) => [replaceBlock(note.markdown, findBlock(note, args.blockId), '')]),
  'mnote.page.create': async (folder, {title = '', markdown = ''}) =>
    changeResult(await folder.create(oneLine(title), markdown)),
  'mnote.page.rename': (folder, args) =>
    changed(folder, args, ({markdown}) => [titleReplacement(markdown, oneLine(args.title ?? ''))]),
};

/** The result of a tool whose arguments fit its schema. */
export function callFolderTool(folder: NoteFolder, {hostName}: NoteTool, args: object): Promise<unknown> {
  const tool = folderTools[hostName];
  if (!tool) throw new ToolError('not-found', `This host has no tool ${hostName}.`);
  return tool(folder, args);
}

type Edit = Parameters<NoteFolder['change']>[2];

async function changed(folder: NoteFolder, {docId = '', revision}: Args, edit: Edit) {
  return changeResult(await folder.change(docId, revision ?? null, edit));
}

function changeResult({before, note}: NoteChange) {
  const {id, title, revision, markdown} = note;
  const head = {docId: id, title, revision};
  if (before?.markdown === markdown) return {...head, changed: false};
  const path = `${id}.md`;
  const diff = noteDiff(path, before?.markdown ?? null, markdown);
  return {...head, changed: true, artifact: {path, change: before ? 'modified' : 'created', diff}};
}

function edited({markdown}: Note, {edits, markdown: whole}: Args): readonly Replacement[] {
  if (edits !== undefined && whole === undefined) return editReplacements(markdown, edits);
  if (edits === undefined && whole !== undefined) return replacementsOf(markdown, whole);
  throw new ToolError('invalid', 'Give either edits or markdown.');
}

async function find(folder: NoteFolder, query: string | undefined) {
  const words = (query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const notes = await folder.list();
  if (words.length === 0) return notes.map(listed);
  const texts = await Promise.all(notes.map(({id}) => folder.read(id)));
  return texts.filter((note) => hasWords(note, words)).map(listed);
}

function listed({
  id,
  title,
  revision,
}: {
  readonly id: string;
  readonly title: string;
  readonly revision: string;
}) {
  return {id, title, revision};
}

function hasWords({title, markdown}: Note, words: readonly string[]): boolean {
  const text = `${title}\n${markdown}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

const BRIEF = 200;

function brief({id, type, text}: MarkdownBlock) {
  return text.length <= BRIEF ? {id, type, text} : {id, type, text: `${text.slice(0, BRIEF)}…`, cut: true};
}

function findBlock({markdown}: Note, id: string | undefined): MarkdownBlock {
  const block = markdownBlocks(markdown).find((each) => each.id === id);
  if (!block) throw new ToolError('conflict', 'There is no such block: it has changed or gone.');
  return block;
}

function titleReplacement(markdown: string, title: string): Replacement {
  const old = titleOf(markdown);
  const heading =
    old === null
      ? null
      : markdownBlocks(markdown).find(({type, text}) => type === 'heading' && /^#\s/.test(text));
  return heading ? replaceBlock(markdown, heading, `# ${title}`) : insertAfter(markdown, null, `# ${title}`);
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') throw new ToolError('invalid', 'A title has at least one letter.');
  return line;
}
