/** Turns as Markdown or plain text: prompt, worklog as a list, answer, artifacts, ending. */
import {firstString, ownObject, ownString, type JsonObject} from '../anchor/json.js';
import type {ToolDetails, TurnAnchor} from '../anchor/turn-anchor.js';
import type {DisplayMode} from './display-mode.js';
import {project} from './project.js';
import type {Row} from './row.js';
import {toolLabel} from './tool-words.js';

/** How the parts of a turn are written. */
interface Style {
  readonly prompt: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly code: (text: string) => string;
  readonly address: (uri: string) => string;
  /** What the agent wrote, which is Markdown. */
  readonly text: (markdown: string) => string;
  readonly between: string;
}

const markdown: Style = {
  prompt: (text) => text.replace(/^/gm, '> '),
  quiet: (text) => text.replace(/^(?=.*\S)(.*\S)/gm, '*$1*'),
  code: codeSpan,
  address: (uri) => (/^(?:https?|mailto):[^\s<>]+$/i.test(uri) ? `<${uri}>` : codeSpan(uri)),
  text: asWritten,
  between: '\n\n---\n\n',
};

const plain: Style = {
  prompt: (text) => `You: ${text}`,
  quiet: (text) => text,
  code: (text) => text,
  address: (uri) => uri,
  text: asWritten,
  between: '\n\n\n',
};

export function toMarkdown(turns: readonly TurnAnchor[], mode: DisplayMode = 'transparent-stream'): string {
  return write(turns, mode, markdown);
}

/** Plain text. What the agent wrote is taken as it is, unless `read` makes text of its Markdown. */
export function toText(
  turns: readonly TurnAnchor[],
  mode: DisplayMode = 'transparent-stream',
  read: (markdown: string) => string = asWritten,
): string {
  return write(turns, mode, {...plain, text: read});
}

function asWritten(text: string): string {
  return text;
}

function write(turns: readonly TurnAnchor[], mode: DisplayMode, style: Style): string {
  const written = turns.map((turn) => writeTurn(turn, mode, style)).filter((text) => text !== '');
  return written.length === 0 ? '' : `${written.join(style.between)}\n`;
}

/** Blocks with an empty line between them; entries of a list stand together. */
function writeTurn(turn: TurnAnchor, mode: DisplayMode, style: Style): string {
  let out = '';
  let inList = false;
  for (const row of project(turn, mode).rows) {
    const entries = listEntries(row, style);
    const text = entries === null ? blockText(row, style) : entries.map(listEntry).join('\n');
    if (text === '') continue;
    const together = entries !== null && inList && row.type !== 'artifacts';
    out += (out === '' ? '' : together ? '\n' : '\n\n') + text;
    inList = entries !== null;
  }
  return out;
}

function listEntry(text: string): string {
  return `- ${text.trim().replace(/\n(?=[^\n])/g, '\n  ')}`;
}

/** What a row adds to a list, null for rows that are blocks of their own. */
function listEntries(row: Row, style: Style): readonly string[] | null {
  switch (row.type) {
    case 'prose':
      return [style.text(row.text.toString())];
    case 'lifecycle':
    case 'notice':
      return [row.text.toString()];
    case 'reasoning':
      return [style.quiet(style.text(row.text.toString()))];
    case 'tool': {
      const {status} = row.tool;
      const label = style.code(toolLabel(row.tool)) + (status === 'completed' ? '' : ` (${status})`);
      return [[label, ...given(row.tool, style).map(listEntry)].join('\n')];
    }
    case 'control': {
      const {type, status, choice} = row.control;
      return [`${type}: ${style.code(row.text.toString())} (${choice ?? status})`];
    }
    case 'plan':
      return row.entries.map((entry) => `[${entry.status === 'completed' ? 'x' : ' '}] ${entry.content}`);
    case 'artifacts':
      return row.artifacts.map(({change, path}) => `${change} ${style.code(path)}`);
    case 'side-effects':
      return row.effects.map(({kind, action, name}) =>
        [kind, action, name].filter((word) => word !== null).join(' '),
      );
    default:
      return null;
  }
}

/** What a call gave back besides text: what it is called, and its address. A picture is not brought along. */
function given({content = []}: ToolDetails, style: Style): readonly string[] {
  return content
    .filter((block) => ownString(block, 'type') !== 'text')
    .map((block) => {
      const held = ownObject(block, 'resource') ?? block;
      const uri = firstString(held, 'uri', 'url');
      const name = firstString(block, 'title', 'name') ?? (uri === null ? kindOf(block, held) : null);
      const address = uri === null || uri.startsWith('data:') ? null : style.address(uri);
      return [name === null ? null : style.code(name), address].filter((part) => part !== null).join(' ');
    })
    .filter((entry) => entry !== '');
}

function kindOf(block: JsonObject, held: JsonObject): string | null {
  return firstString(held, 'mimeType', 'mime_type') ?? ownString(block, 'type');
}

function blockText(row: Row, style: Style): string {
  switch (row.type) {
    case 'prompt':
      return style.prompt(
        [row.text, ...row.parts.flatMap((part) => attachment(part.type, part.uri))].join('\n').trim(),
      );
    case 'answer':
      return style.text(row.text.toString()).trim();
    case 'terminal':
      return style.quiet(row.error === null ? row.state : `${row.state}: ${row.error.message}`);
    case 'condition':
      return style.quiet(row.condition);
    default:
      return '';
  }
}

function attachment(type: string, uri: string | null): readonly string[] {
  return type === 'text' ? [] : [`[${type}] ${uri ?? ''}`.trim()];
}

/** A code span that may hold backticks: its fence is longer than any run of them inside. */
function codeSpan(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + pad + text.replace(/\s*\n\s*/g, ' ') + pad + fence;
}
