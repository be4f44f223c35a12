/** What a row says, also where nothing of it is drawn: in parts, by where each of them stands once it is. */
import type {ToolDetails} from '../../anchor/index.js';
import type {MarkdownNode} from '../../markdown/index.js';
import {diffBlocks, textDiffBlocks, type DiffBlock} from '../../scene/diff-blocks.js';
import {toolKeyArgument, type Row} from '../../scene/index.js';
import {jsonLines, jsonLineText} from '../../scene/json-lines.js';
import {plainText, TerminalLines} from '../../scene/terminal-text.js';
import {blockParts, contentParts, type ContentPart} from '../../scene/tool-content.js';
import {givenSections, type GivenSection} from '../../scene/tool-sections.js';
import {markdown} from '../export/markdown-here.js';
import {foldText, GAP} from './folded-text.js';

export interface RowText {
  readonly row: string;
  /** `text` for all of it, `label` for the line of a tool, else the section of its body. */
  readonly part: string;
  /** As it is compared. */
  readonly folded: string;
}

/** With `math`, formulas are read, and found as they were written. */
export function rowTexts(row: Row, math = false): readonly RowText[] {
  return textsOf(row, math)
    .filter(([, text]) => text)
    .map(([part, text]) => ({row: row.id, part, folded: foldText(text!).text}));
}

type Part = readonly [part: string, text: string | null | undefined];

function textsOf(row: Row, math: boolean): readonly Part[] {
  switch (row.type) {
    case 'prompt':
      return one(
        row.text,
        ...row.parts.flatMap(({type, text, uri}) => (type === 'text' ? [] : [text ?? uri])),
      );
    case 'prose':
    case 'reasoning':
    case 'answer': {
      const {findEntity, parseMarkdown} = markdown();
      return one(readable(parseMarkdown(row.text.toString(), {entities: findEntity, math})));
    }
    case 'lifecycle':
    case 'notice':
      return one(row.text.toString());
    case 'control':
      return one(row.control.detail, row.text.toString());
    case 'tool':
      return toolTexts(row.tool);
    case 'plan':
      return one(...row.entries.map(({content}) => content));
    case 'artifacts':
      return one(...row.artifacts.map(({path}) => path));
    case 'side-effects':
      return one(...row.effects.flatMap(({kind, action, name}) => [`${kind}: ${action}`, name]));
    case 'terminal':
      return one(row.error?.message);
    // Headings repeat what stands below them, and lines of life are gone before somebody gets there.
    default:
      return [];
  }
}

function one(...texts: readonly (string | null | undefined)[]): readonly Part[] {
  return [['text', texts.filter(Boolean).join(GAP)]];
}

const BLOCK = /^(?:p|h\d|blockquote|[uo]l|li|hr|table|t[rhd]|notes?)$/;

/** Markdown as it is read, without its marks. */
function readable(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const {tag, attributes, children} = node;
      if (tag === 'pre') return GAP + markdown().textOf(children) + GAP;
      if (tag === 'note-reference') return String(attributes.number ?? '');
      const text = readable(children);
      return BLOCK.test(tag) ? GAP + text + GAP : text;
    })
    .join('');
}

/** By the names that the sections of its body have. */
function toolTexts(tool: ToolDetails): readonly Part[] {
  return [
    ['label', [tool.name || tool.title, toolKeyArgument(tool)].join(GAP)],
    ...givenSections(tool).map((section) => [section.name, givenText(section)] as const),
    ['output', outputOf(tool)],
  ];
}

function givenText(section: GivenSection): string {
  switch (section.kind) {
    case 'diff':
      return diffText(diffBlocks(section.text));
    case 'texts':
      return diffText(textDiffBlocks(section.before, section.text));
    default:
      return section.text;
  }
}

function diffText(blocks: readonly DiffBlock[]): string {
  return blocks.flatMap(linesOf).join(GAP);
}

function linesOf(block: DiffBlock): readonly string[] {
  switch (block.type) {
    case 'file':
      return [block.after ?? block.before ?? ''];
    case 'same':
      return block.lines.map(({text}) => text);
    case 'change':
      return [...block.removed, ...block.added].map(({text}) => text);
    default:
      return [block.text];
  }
}

function outputOf({content, output}: ToolDetails): string {
  const parts = content ? blockParts(content, output) : contentParts(output);
  if (parts) return parts.map(partText).join(GAP);
  // eslint-disable-next-line no-control-regex -- what only a terminal writes
  if (/\x1b/.test(output)) {
    const lines = new TerminalLines();
    lines.write(output);
    return plainText(lines);
  }
  const lines = /^\s*[[{]/.test(output) ? jsonLines(output) : null;
  return lines ? lines.map(jsonLineText).join('\n') : output;
}

function partText(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'link':
      return [part.name, part.uri, part.text].filter(Boolean).join(GAP);
    case 'image':
      return '';
    case 'other':
      return part.name ?? '';
  }
}
