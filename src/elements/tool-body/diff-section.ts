/** Changes: in one column where it is narrow, old beside new where it is wide; the style sheet decides which. */
import {
  diffBlocks,
  textDiffBlocks,
  wordMarks,
  type DiffBlock,
  type DiffLine,
  type WordSpan,
} from '../../scene/diff-blocks.js';
import type {Draw} from './section.js';
import {appendVisibly, asSeen, button, element} from './visible-text.js';
import {Windowed} from './windowed.js';
import type {ToolBodyWords} from './words.js';

/** So many lines that stay are shown before and after a change; what is between is folded if it is more than a few. */
const CONTEXT = 3;
const FEW = 4;
/** Blocks drawn unasked, each of up to a hundred lines on each side. */
const FIRST = 24;

export const drawDiff: Draw = (box, {text, before, title}, words) => {
  const blocks = before === undefined ? diffBlocks(text) : textDiffBlocks(before, text);
  const diff = element('div', 'diff');
  diff.dir = 'ltr';
  diff.tabIndex = 0;
  diff.setAttribute('role', 'group');
  diff.ariaLabel = title;
  box.append(diff);
  const lines = blocks.reduce((sum, block) => sum + linesOf(block), 0);
  new Windowed(
    diff,
    {length: blocks.length, lines, draw: (from, to) => drawBlocks(blocks, from, to, words)},
    words.showAll,
    {first: FIRST},
  );
  return {update: () => false};
};

function linesOf(block: DiffBlock): number {
  if (block.type === 'same') return block.lines.length;
  return block.type === 'change' ? block.removed.length + block.added.length : 1;
}

function drawBlocks(blocks: readonly DiffBlock[], from: number, to: number, words: ToolBodyWords): Node {
  const drawn = new DocumentFragment();
  for (let index = from; index < to; index++) {
    const block = blocks[index]!;
    switch (block.type) {
      case 'file':
        drawn.append(fileHead(block, words));
        break;
      case 'hunk':
      case 'note':
        drawn.append(text(element('div', block.type), block.text));
        break;
      case 'same':
        drawSame(drawn, block.lines, isSame(blocks[index - 1]), isSame(blocks[index + 1]), words);
        break;
      case 'change':
        drawn.append(change(block.removed, block.added));
        break;
    }
  }
  return drawn;
}

function isSame(block: DiffBlock | undefined): boolean {
  return block?.type === 'same';
}

function text<T extends Element>(parent: T, words: string): T {
  appendVisibly(parent, words, true);
  return parent;
}

function fileHead({before, after}: Extract<DiffBlock, {type: 'file'}>, words: ToolBodyWords): Element {
  const head = text(element('div', 'file'), after ?? before ?? '');
  const said =
    before === null
      ? words.created
      : after === null
        ? words.deleted
        : before === after
          ? ''
          : words.renamed(before);
  if (said) head.append(' ', text(element('small'), said));
  return head;
}

/** `follows`, `goesOn`: there is more of the same before, or after, which is no change to stand near. */
function drawSame(
  parent: Node,
  lines: readonly DiffLine[],
  follows: boolean,
  goesOn: boolean,
  words: ToolBodyWords,
) {
  const start = follows ? 0 : CONTEXT;
  const end = lines.length - (goesOn ? 0 : CONTEXT);
  const folds = end - start > FEW;
  for (const line of folds ? lines.slice(0, start) : lines) parent.appendChild(drawLine(line, 'same'));
  if (!folds) return;
  const open = button('unchanged', words.unchanged(end - start), () => {
    const shown = lines.slice(start, end).map((line) => drawLine(line, 'same'));
    const next = open.nextElementSibling as HTMLElement | null;
    open.replaceWith(...shown);
    (next?.closest<HTMLElement>('.diff') ?? shown[0]!.closest<HTMLElement>('.diff'))?.focus({
      preventScroll: true,
    });
  });
  open.ariaExpanded = 'false';
  parent.appendChild(open);
  for (const line of lines.slice(end)) parent.appendChild(drawLine(line, 'same'));
}

function change(removed: readonly DiffLine[], added: readonly DiffLine[]): Element {
  const block = element('div', 'change');
  const marks = removed.map((line, index) => added[index] && wordMarks(line.text, added[index].text));
  const sides = [element('div', 'side'), element('div', 'side')] as const;
  for (const [index, line] of removed.entries()) sides[0].append(drawLine(line, 'remove', marks[index]?.[0]));
  for (const [index, line] of added.entries()) sides[1].append(drawLine(line, 'add', marks[index]?.[1]));
  // Side by side both have as many rows, so that lines stand beside each other however high they are.
  block.style.setProperty('--_rows', String(Math.max(removed.length, added.length)));
  block.append(...sides);
  return block;
}

const signs = {same: ' ', remove: '-', add: '+'};

/** The sign is text like the line: it is read out, copied, and seen without colours. */
function drawLine(
  {text: words, before, after}: DiffLine,
  kind: keyof typeof signs,
  marks?: readonly WordSpan[],
) {
  const line = element('div', `diff-line ${kind}`);
  line.dataset['before'] = String(before ?? '');
  line.dataset['after'] = String(after ?? '');
  line.append(element('span', 'sign', signs[kind]));
  const content = element('span', 'content');
  for (const {text: piece, changed} of marks ?? [{text: words, changed: false}])
    if (changed) content.append(text(element(kind === 'add' ? 'ins' : 'del'), piece));
    else text(content, piece);
  line.append(content);
  if (kind === 'same') {
    // Beside itself, where old and new stand side by side: drawn by the style sheet, said and copied once.
    const beside = element('span', 'beside');
    beside.dataset['text'] = asSeen(words);
    line.append(beside);
  }
  return line;
}
