/**
 * A scene as a few lines a person can read, for goldens: one line a row, what the worklog folds indented under it, the
 * tools of a group indented once more. Texts are shown on one line.
 */
import type {Row} from '../../../src/scene/row.js';
import type {Scene} from '../../../src/scene/scene.js';
import {counted, toolLabel} from '../../../src/scene/tool-words.js';

export function sketch(scene: Scene): string {
  return scene.rows.map((row) => indent(row) + sketchRow(row)).join('\n');
}

function indent(row: Row): string {
  if (row.type === 'tool' && row.group !== null) return '    ';
  return row.worklog ? '  ' : '';
}

function sketchRow(row: Row): string {
  switch (row.type) {
    case 'prompt':
      return line(
        'prompt',
        row.text,
        ...row.parts.filter((part) => part.type !== 'text').map((part) => `[${part.type}]`),
      );
    case 'worklog-summary':
      return line('worklog', row.words, note(summaryNotes(row)));
    case 'prose':
    case 'notice':
      return line(row.type, row.text);
    case 'reasoning':
      return line('thought', row.text, note([row.live && 'live']));
    case 'tool-group':
      return line('tools', row.words, note([row.status !== 'completed' && row.status]));
    case 'tool':
      return line('tool', toolLabel(row.tool), note([row.tool.status !== 'completed' && row.tool.status]));
    case 'lifecycle':
      return line('phase', row.text, note([row.status]));
    case 'control':
      return line(row.control.type, row.text, note([row.control.status, row.control.choice]));
    case 'error':
      return line(
        'error',
        row.tool === null ? row.text : toolLabel(row.tool),
        note([row.count > 1 && `last of ${String(row.count)}`]),
      );
    case 'plan':
      return line('plan', row.entries.map((entry) => `${entry.content} (${entry.status})`).join(', '));
    case 'answer':
      return line('answer', row.text, note([row.live && 'live', !row.live && !row.complete && 'incomplete']));
    case 'artifacts':
      return line(
        'artifacts',
        row.artifacts.map((artifact) => `${artifact.change} ${artifact.path}`).join(', '),
      );
    case 'side-effects':
      return line(
        'saved',
        row.effects
          .map((effect) => [effect.kind, effect.action, effect.name].filter(Boolean).join(' '))
          .join(', '),
      );
    case 'terminal':
      return line('ended', row.state, row.error === null ? '' : `“${row.error.message}”`);
    case 'status':
      return line('status', row.phase, row.current === null ? '' : toolLabel(row.current));
    case 'condition':
      return row.condition;
  }
}

function summaryNotes(row: Row & {type: 'worklog-summary'}): (string | false)[] {
  const {thoughts, errors, running} = row.counts;
  return [
    thoughts > 0 && counted(thoughts, 'thought'),
    running > 0 && `${String(running)} running`,
    errors > 0 && `${String(errors)} failed`,
    row.defaultOpen ? 'open' : 'folded',
  ];
}

function note(words: readonly (string | false | null)[]): string {
  const said = words.filter((word) => word !== false && word !== null && word !== '');
  return said.length === 0 ? '' : `(${said.join(', ')})`;
}

function line(...words: {toString(): string}[]): string {
  return words
    .map((word) => word.toString().replace(/\s+/g, ' ').trim())
    .filter((word) => word !== '')
    .join(' ');
}
