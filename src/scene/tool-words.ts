/** Tools in words: `Read 3 files, ran 1 command`, and one short line for each call. */
import {ownString, type Json, type JsonObject} from '../anchor/json.js';
import type {ToolDetails} from '../anchor/turn-anchor.js';

/** What a tool does, in the order in which a summary tells it; last what was not allowed to. */
export const toolVerbs = [
  'read',
  'list',
  'search',
  'edit',
  'delete',
  'run',
  'web',
  'fetch',
  'browse',
  'plan',
  'remember',
  'delegate',
  'ask',
  'think',
  'use',
  'deny',
] as const;

export type ToolVerb = (typeof toolVerbs)[number];
export type ToolCounts = Readonly<Record<ToolVerb, number>>;

/** Tool names as agents spell them, lower case; a name with a server before it is looked up by its last part. */
const names: Readonly<Record<Exclude<ToolVerb, 'deny'>, string>> = {
  read: 'read read_file view view_file open_file cat fs_read read_note',
  list: 'list list_files list_dir ls',
  search: 'search search_files glob grep find session_search',
  edit: 'edit edit_file patch apply_patch write write_file create_file str_replace multiedit update_note',
  delete: 'delete delete_file remove_file rm',
  run: 'terminal bash shell execute exec run_command execute_code python process',
  web: 'web_search websearch',
  fetch: 'web_fetch webfetch web_extract fetch fetch_url',
  browse:
    'browser browser_navigate browser_click browser_type browser_snapshot browser_scroll browser_vision',
  plan: 'todo todowrite todo_write update_plan plan',
  remember: 'memory remember skill_manage',
  delegate: 'delegate delegate_task task subagent agent spawn_agent',
  ask: 'clarify ask ask_user',
  think: 'think',
  use: '',
};

/** ACP's tool kinds, for names nobody knows. */
const verbOfKind = new Map<string, ToolVerb>(
  Object.entries({
    read: 'read',
    search: 'search',
    edit: 'edit',
    move: 'edit',
    delete: 'delete',
    execute: 'run',
    fetch: 'fetch',
    think: 'think',
  } as const),
);

const verbOfName = new Map(
  Object.entries(names).flatMap(([verb, all]) => all.split(' ').map((name) => [name, verb as ToolVerb])),
);

export function toolVerb(tool: Pick<ToolDetails, 'name' | 'kind'>): ToolVerb {
  const name = tool.name.toLowerCase();
  const last = name.slice(
    Math.max(name.lastIndexOf('__') + 2, name.lastIndexOf('.') + 1, name.lastIndexOf('/') + 1, 0),
  );
  return verbOfName.get(name) ?? verbOfKind.get(tool.kind ?? '') ?? verbOfName.get(last) ?? 'use';
}

/** How a summary is worded. Each phrase stands as in the middle of a sentence; `sentence` puts them together. */
export type ToolWords = {readonly [verb in ToolVerb]: (count: number) => string} & {
  readonly sentence: (phrases: readonly string[]) => string;
};

/** `1 file`, `2 files`; a plural of another form is given. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const of = (verb: string, one: string) => (count: number) => `${verb} ${counted(count, one)}`;

/** Says nothing of once, ` 3 times` of more. */
const times = (what: string) => (count: number) => (count === 1 ? what : `${what} ${counted(count, 'time')}`);

export const englishToolWords: ToolWords = {
  read: of('read', 'file'),
  list: of('listed', 'folder'),
  search: times('searched files'),
  edit: of('edited', 'file'),
  delete: of('deleted', 'file'),
  run: of('ran', 'command'),
  web: times('searched the web'),
  fetch: of('fetched', 'page'),
  browse: times('used the browser'),
  plan: times('updated the plan'),
  remember: times('updated memory'),
  delegate: of('delegated', 'task'),
  ask: of('asked', 'question'),
  think: times('thought'),
  use: of('used', 'tool'),
  deny: (count) => `${count} refused`,
  sentence: (phrases) => capitalised(phrases.join(', ')),
};

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The summary of so many calls of each verb; empty when there are none. */
export function toolSummary(counts: ToolCounts, words: ToolWords): string {
  return words.sentence(toolVerbs.flatMap((verb) => (counts[verb] > 0 ? [words[verb](counts[verb])] : [])));
}

/** Arguments that tell most about a call, best first. */
const pathArguments = ['path', 'file_path', 'filepath', 'filename', 'file'];
const keyArguments = [
  ...['command', 'cmd', ...pathArguments, 'url', 'urls', 'query', 'pattern', 'q'],
  ...['question', 'goal', 'task', 'prompt', 'description', 'name', 'title', 'action', 'code', 'text'],
];

/** The argument that tells most about a call, in full (the layout cuts, not the data); null without one. */
export function toolKeyArgument(tool: ToolDetails): string | null {
  return keyArgumentOf(tool.args) ?? tool.locations[0]?.path ?? null;
}

/** Whether that argument is the path of a file. */
export function isKeyPath({args, locations}: ToolDetails, key: string): boolean {
  return pathArguments.some((name) => ownString(args, name) === key) || locations[0]?.path === key;
}

function keyArgumentOf(args: JsonObject): string | null {
  for (const key of [...keyArguments, ...Object.keys(args)]) {
    const text = Object.hasOwn(args, key) ? words(args[key]) : null;
    if (text !== null) return text;
  }
  return null;
}

/** A text, or a list of texts such as `["npm", "test"]`; null for anything else. */
function words(value: Json | undefined): string | null {
  const texts = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const text = texts.every((part) => typeof part === 'string') ? texts.join(' ') : '';
  return text.trim() === '' ? null : text;
}

/** One line for a call: its name and key argument, such as `read_file notes.md`. Never cut. */
export function toolLabel(tool: ToolDetails): string {
  const name = tool.name || tool.title || 'tool';
  const key = toolKeyArgument(tool);
  if (key === null) return tool.title ?? name;
  return ` ${name}`.endsWith(` ${key}`) ? name : `${name} ${key}`; // ACP's names often say it already.
}
