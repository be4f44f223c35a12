/**
 * A conversation as one page that needs nothing else: it can be read and printed as it is, and as the transcript it is in
 * `<hermes-transcript>` where the script of the elements is added. No script of its own; all text is escaped.
 */
import type {TranscriptJson, ToolDetails, TurnAnchor} from '../../anchor/index.js';
import {escapeHtml} from './markdown-here.js';
import {englishToolWords, project, toolLabel, type Row} from '../../scene/index.js';
import {blockParts, contentParts} from '../../scene/tool-content.js';
import {spoken} from '../spoken.js';
import type {Strings} from '../strings.js';
import {englishToolBody} from '../tool-body/words.js';
import {archiveStyle} from './archive-style.js';
import {partHtml} from './tool-parts.js';
import {blockOf, code, entriesOf, listHtml, pre, said} from './turn-html.js';

export interface ArchiveOptions {
  readonly words: Strings;
  /** Whether formulas are read in what the agent wrote. */
  readonly math?: boolean;
  /** The language of the conversation, where the page says one. */
  readonly lang?: string | undefined;
}

/** The `snapshot` is what the page can be read from again; null leaves it out. */
export function toArchive(
  turns: readonly TurnAnchor[],
  snapshot: TranscriptJson | null,
  {words, math = false, lang}: ArchiveOptions,
): string {
  const title = titleOf(turns, snapshot) ?? words.transcript;
  return `<!doctype html>
<html${lang ? ` lang="${escapeHtml(lang)}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="object-src 'none'; base-uri 'none'; form-action 'none'">
<title>${escapeHtml(title)}</title>
<style>${archiveStyle}</style>
</head>
<body>
<hermes-transcript>
<main>
<h1 dir="auto">${escapeHtml(title)}</h1>
${turns.map((turn, index) => article(turn, `t${index + 1}-`, words, math)).join('')}</main>
${snapshot === null ? '' : island(snapshot)}</hermes-transcript>
</body>
</html>
`;
}

/** Shorter than a line: what a tab or a file is called. */
export function titleOf(turns: readonly TurnAnchor[], snapshot: TranscriptJson | null): string | null {
  const title = (snapshot?.session.title ?? turns.find(({prompt}) => prompt)?.prompt)?.trim().split('\n')[0];
  if (!title) return null;
  const characters = [...title];
  return characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : title;
}

/** Data that a parser of HTML finds no tag in. */
function island(snapshot: TranscriptJson): string {
  const json = JSON.stringify(snapshot).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<script type="application/json">${json}</script>\n`;
}

function article(turn: TurnAnchor, scope: string, words: Strings, math: boolean): string {
  const {rows} = project(turn, 'compact-worklog', undefined, spoken({tools: englishToolWords}, words).tools);
  const summary = rows.find((row) => row.type === 'worklog-summary');
  const work = rows.filter(({worklog}) => worklog).flatMap((row) => entries(row, scope, words, math));
  let html = '';
  for (const row of rows) {
    if (row.worklog) continue;
    if (row.type === 'worklog-summary') {
      if (work.length > 0) html += details(escapeHtml(summary?.words || words.thought), listHtml(work));
    } else html += block(row, scope, words, math);
  }
  const when = turn.startedAt === null ? '' : time(turn.startedAt);
  return `<article id="turn-${encodeURIComponent(turn.id)}">\n${when}${html}</article>\n`;
}

/** Any time a producer may have sent. */
function time(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const iso = date.toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>\n`;
}

function entries(row: Row, scope: string, words: Strings, math: boolean): readonly string[] {
  if (row.type === 'tool') return [tool(row.tool, words)];
  if (row.type === 'reasoning') {
    const [text = ''] = entriesOf(row, `${scope}${row.id}-`, math) ?? [];
    return [details(escapeHtml(words.thought), text)];
  }
  return entriesOf(row, `${scope}${row.id}-`, math) ?? [];
}

function block(row: Row, scope: string, words: Strings, math: boolean): string {
  switch (row.type) {
    case 'prompt':
      return `<section class="prompt" aria-label="${escapeHtml(words.prompt)}">${blockOf(row, scope, math)}</section>\n`;
    case 'answer':
      return `<section class="answer">${blockOf(row, `${scope}${row.id}-`, math)}</section>\n`;
    case 'terminal': {
      const message = row.error === null ? '' : `: ${said(row.error.message)}`;
      return `<p class="terminal">${escapeHtml(words.terminal[row.state])}${message}</p>\n`;
    }
    case 'artifacts':
      return `<section class="files">${listHtml(
        row.artifacts.map(({change, path, diff}) => {
          const name = `${escapeHtml(change)} ${code(path)}`;
          return diff === null ? name : details(name, pre(diff));
        }),
      )}</section>\n`;
    // What stands outside a folded worklog because it failed; here nothing is out of reach.
    case 'error':
      return '';
    default: {
      const list = entriesOf(row, `${scope}${row.id}-`, math);
      return list === null ? blockOf(row, scope, math) : listHtml(list);
    }
  }
}

function tool(details_: ToolDetails, words: Strings): string {
  const {args, status} = details_;
  const label = code(toolLabel(details_)) + (status === 'completed' ? '' : ` (${status})`);
  const json = Object.keys(args).length > 0 ? JSON.stringify(args, null, 2) : '';
  const sections = [
    [words.arguments, preOf(json)],
    [words.changes, preOf(details_.diff ?? '')],
    [words.output, outputHtml(details_, words)],
  ] as const;
  const body = sections
    .filter(([, html]) => html !== '')
    .map(([name, html]) => `<p class="of">${escapeHtml(name)}</p>\n${html}`)
    .join('');
  return body === '' ? label : details(label, body);
}

/** A result of blocks is shown as what it holds: pictures that bring their bytes, and links, which load nothing. */
function outputHtml({content, output}: ToolDetails, words: Strings): string {
  const parts = content ? blockParts(content, output) : contentParts(output);
  const bodyWords = spoken(englishToolBody(), words.toolBody);
  return parts ? parts.map((part) => partHtml(part, bodyWords)).join('') : preOf(output);
}

const preOf = (text: string) => (text === '' ? '' : pre(text));

const details = (summary: string, body: string) =>
  `<details><summary>${summary}</summary>\n${body}</details>\n`;
