/** What a call was given and what it gave back, in full: the lazy chunk that is loaded when the first tool is opened. */
import {noChange} from 'lit';
import {Directive, directive, type ElementPart} from 'lit/directive.js';
import type {ToolDetails} from '../../anchor/index.js';
import {toolVerb} from '../../scene/index.js';
import {jsonLines} from '../../scene/json-lines.js';
import {contentParts} from '../../scene/tool-content.js';
import {givenSections} from '../../scene/tool-sections.js';
import type {ProseChoices} from '../markdown/prose-host.js';
import {selectedRange} from '../selected-range.js';
import {spoken} from '../spoken.js';
import type {Strings} from '../strings.js';
import {drawContent} from './content-section.js';
import {drawDiff} from './diff-section.js';
import {drawJson} from './json-section.js';
import {Section, type Draw, type SectionFacts, type SectionKind} from './section.js';
import {toolBodyStyles} from './styles.js';
import {drawText} from './text-section.js';
import {englishToolBody, type ToolBodyWords} from './words.js';

const draws: Readonly<Record<SectionKind, Draw>> = {
  command: drawText,
  text: drawText,
  terminal: drawText,
  json: drawJson,
  diff: drawDiff,
  texts: drawDiff,
  content: drawContent,
};

class ToolBody extends Directive {
  readonly #sections = new Map<string, Section>();
  #words: ToolBodyWords | undefined;
  #tool: ToolDetails | undefined;
  #prose: ProseChoices | undefined;

  render(_tool: ToolDetails, _strings: Strings, _prose?: ProseChoices) {
    return noChange;
  }

  override update({element}: ElementPart, [tool, strings, prose]: Parameters<this['render']>) {
    // The page draws in another way, or speaks another language.
    if (prose !== this.#prose) this.#forget();
    if (tool === this.#tool) return noChange;
    this.#tool = tool;
    this.#prose = prose;
    const words = (this.#words ??= spoken(englishToolBody(prose?.language), strings.toolBody));
    // It stands in its root once this update is through.
    queueMicrotask(() => adoptStyles(element));
    const wanted = sectionsOf(tool, strings, words).map((facts) => (prose ? {...facts, prose} : facts));
    let last: Element | null = null;
    for (const facts of wanted) {
      const section = this.#section(facts, words);
      const place: Element | null = last ? last.nextElementSibling : element.firstElementChild;
      if (place !== section.element) element.insertBefore(section.element, place);
      last = section.element;
    }
    for (const [name, section] of this.#sections)
      if (!wanted.some((facts) => facts.name === name)) {
        section.element.remove();
        this.#sections.delete(name);
      }
    return noChange;
  }

  #forget() {
    for (const {element} of this.#sections.values()) element.remove();
    this.#sections.clear();
    this.#tool = this.#words = undefined;
  }

  #section(facts: SectionFacts, words: ToolBodyWords): Section {
    const before = this.#sections.get(facts.name);
    // What the reader has selected in it stays, in the way it was drawn.
    if (before && (before.kind === facts.kind || isSelected(before.element))) {
      before.update({...facts, kind: before.kind});
      return before;
    }
    before?.element.remove();
    const section = new Section(facts, draws[facts.kind], words);
    this.#sections.set(facts.name, section);
    return section;
  }
}

/** In an element's tag: `<div ${toolBody(tool, strings, prose)}></div>`. What stands there is kept while the call goes on. */
export const toolBody = directive(ToolBody);

function isSelected(element: Element): boolean {
  const range = selectedRange(element.getRootNode() as ShadowRoot);
  return range !== null && range !== undefined && !range.collapsed && element.contains(range.startContainer);
}

/** The sheet comes with the chunk: pages that open no tool do not load it. */
function adoptStyles(element: Element) {
  const root = element.getRootNode();
  const sheet = toolBodyStyles.styleSheet;
  if (root instanceof ShadowRoot && sheet && !root.adoptedStyleSheets.includes(sheet))
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

function sectionsOf(tool: ToolDetails, strings: Strings, words: ToolBodyWords): readonly SectionFacts[] {
  const titles: Readonly<Record<string, string>> = {
    command: words.command,
    arguments: strings.arguments,
    changes: strings.changes,
  };
  const sections = givenSections(tool).map(({argument, ...section}) => ({
    ...section,
    title: argument ?? titles[section.name]!,
  }));
  return tool.output || tool.content ? [...sections, outputOf(tool, strings)] : sections;
}

/** What these give back is somebody's text, shown as it is; a terminal's is drawn as it would be. */
const documents = ['read', 'edit', 'delete', 'fetch', 'web', 'browse'];
// eslint-disable-next-line no-control-regex -- what only a terminal writes
const TERMINAL = /[\x1b\b]|\r(?!\n|$)/;
const PATCH = /^(?:diff --git .*\n(?:(?!---|@@).*\n){0,8})?--- .+\n\+\+\+ .+\n@@ /;

function outputOf(tool: ToolDetails, strings: Strings): SectionFacts {
  const {output: text, status, content} = tool;
  const grows = status === 'running' || status === 'pending';
  return {name: 'output', title: strings.output, text, content, grows, kind: outputKind(tool, grows)};
}

function outputKind(tool: ToolDetails, grows: boolean): SectionKind {
  const {output, content} = tool;
  if (content) return 'content';
  const verb = toolVerb(tool);
  if (!documents.includes(verb) && (verb === 'run' || TERMINAL.test(output)))
    if (grows || TERMINAL.test(output)) return 'terminal';
  if (grows) return 'text';
  if (PATCH.test(output)) return 'diff';
  if (contentParts(output)) return 'content';
  return /^\s*[[{]/.test(output) && jsonLines(output) ? 'json' : verb === 'run' ? 'terminal' : 'text';
}
