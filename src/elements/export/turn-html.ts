/** Turns as HTML for a clipboard: the same as their Markdown says, in elements that every editor knows. */
import type {TurnAnchor} from '../../anchor/index.js';
import {escapeHtml} from './markdown-here.js';
import {project, toolLabel, type DisplayMode, type Row} from '../../scene/index.js';
import {cleanHtml} from './clean-html.js';

/** Text of one line or more, from outside, in its own direction. */
export const said = (text: string) => `<bdi>${escapeHtml(text)}</bdi>`;

export const code = (text: string) => `<code dir="ltr">${escapeHtml(text)}</code>`;

/** A line end after the opening tag is not part of the text, so that one of the text's own is kept. */
export const pre = (text: string) => `<pre dir="ltr" tabindex="0">\n${escapeHtml(text)}</pre>\n`;

/** The lines of a text that is no Markdown. */
export const lines = (text: string) => escapeHtml(text).replace(/\r\n?|\n/g, '<br>\n');

/** With `math`, formulas are read in them, and stand as they were written. */
export function turnsToHtml(turns: readonly TurnAnchor[], mode: DisplayMode, math = false): string {
  return turns
    .map((turn, index) => turnToHtml(turn, mode, `t${index + 1}-`, math))
    .filter((html) => html !== '')
    .join('<hr>\n');
}

function turnToHtml(turn: TurnAnchor, mode: DisplayMode, scope: string, math: boolean): string {
  let html = '';
  let list: string[] = [];
  const endList = () => {
    if (list.length > 0) html += listHtml(list);
    list = [];
  };
  for (const row of project(turn, mode).rows) {
    const scopeOfRow = `${scope}${row.id}-`;
    const entries = entriesOf(row, scopeOfRow, math);
    if (entries === null || row.type === 'artifacts') endList();
    if (entries === null) html += blockOf(row, scopeOfRow, math);
    else list.push(...entries);
  }
  endList();
  return html;
}

export const listHtml = (entries: readonly string[]) =>
  `<ul>\n${entries.map((entry) => `<li>${entry}</li>\n`).join('')}</ul>\n`;

/** What a row adds to a list, null for rows that are blocks of their own. */
export function entriesOf(row: Row, scope: string, math: boolean): readonly string[] | null {
  switch (row.type) {
    case 'prose':
      return [cleanHtml(row.text.toString(), scope, math)];
    case 'reasoning':
      return [cleanHtml(row.text.toString(), scope, math)];
    case 'lifecycle':
    case 'notice':
      return [said(row.text.toString())];
    case 'tool':
      return [code(toolLabel(row.tool)) + (row.tool.status === 'completed' ? '' : ` (${row.tool.status})`)];
    case 'control': {
      const {type, status, choice} = row.control;
      return [`${type}: ${code(row.text.toString())} (${said(choice ?? status)})`];
    }
    case 'plan':
      return row.entries.map(({content, status}) => `${status === 'completed' ? '☑' : '☐'} ${said(content)}`);
    case 'artifacts':
      return row.artifacts.map(({change, path}) => `${escapeHtml(change)} ${code(path)}`);
    case 'side-effects':
      return row.effects.map(({kind, action, name}) =>
        said([kind, action, name].filter((word) => word !== null).join(' ')),
      );
    default:
      return null;
  }
}

export function blockOf(row: Row, scope: string, math: boolean): string {
  switch (row.type) {
    case 'prompt': {
      const parts = row.parts.flatMap(({type, uri}) =>
        type === 'text' ? [] : [`[${type}] ${uri ?? ''}`.trim()],
      );
      return `<blockquote dir="auto"><p>${lines([row.text, ...parts].join('\n').trim())}</p></blockquote>\n`;
    }
    case 'answer':
      return cleanHtml(row.text.toString(), scope, math);
    case 'terminal':
      return `<p dir="auto"><em>${lines(row.error === null ? row.state : `${row.state}: ${row.error.message}`)}</em></p>\n`;
    case 'condition':
      return `<p><em>${row.condition}</em></p>\n`;
    default:
      return '';
  }
}
