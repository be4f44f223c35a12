/** What a call was given, in the parts in which it is read: the command, the other arguments, long texts, changes. */
import {ownString, type JsonObject} from '../anchor/json.js';
import type {ToolDetails} from '../anchor/turn-anchor.js';
import {toolKeyArgument, toolVerb} from './tool-words.js';

/** One part, under a name that stays the same while the call goes on. */
export type GivenSection = {
  readonly name: string;
  readonly text: string;
  /** Of a long text: which argument it is. */
  readonly argument?: string;
} & (
  | {readonly kind: 'command' | 'json' | 'diff'}
  /** A change that came as two texts: `text` is the one after. */
  | {readonly kind: 'texts'; readonly before: string}
);

export function givenSections(tool: ToolDetails): readonly GivenSection[] {
  const command = commandOf(tool);
  const sections = [
    command === null ? null : {name: 'command', kind: 'command' as const, text: command},
    argumentsOf(command === null ? tool.args : without(tool.args, command)),
    ...textsOf(tool, command),
    changesOf(tool),
  ];
  return sections.filter((section) => section !== null);
}

const commands = ['command', 'cmd'];

/** What was run, where that is a text of its own; escaped as JSON it would be hard to read. */
function commandOf(tool: ToolDetails): string | null {
  const told = commands.some((name) => Object.hasOwn(tool.args, name));
  return told && toolVerb(tool) === 'run' ? toolKeyArgument(tool) : null;
}

/** What the command does not say. */
function without(args: JsonObject, command: string): JsonObject {
  const isSaid = (name: string, value: unknown) =>
    commands.includes(name) && [value].flat().join(' ') === command;
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => !isSaid(name, value)));
}

function argumentsOf(args: JsonObject): GivenSection | null {
  const text = Object.keys(args).length > 0 ? jsonText(args) : null;
  return text === null ? null : {name: 'arguments', kind: 'json', text};
}

/** Null where it is nested deeper than can be written. */
function jsonText(value: JsonObject): string | null {
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return null;
  }
}

/** Arguments of several lines, such as a file to be written, as they are: on one line of JSON nobody reads them. */
function textsOf({args, diff}: ToolDetails, command: string | null): readonly GivenSection[] {
  if (diff) return [];
  return Object.keys(args).flatMap((name) => {
    const text = ownString(args, name);
    const isSaid = text === command || olds.includes(name) || news.includes(name);
    return text?.includes('\n') && !isSaid
      ? [{name: `argument ${name}`, kind: 'command' as const, text, argument: name}]
      : [];
  });
}

const olds = ['old_string', 'old_str', 'oldText', 'old_text'];
const news = ['new_string', 'new_str', 'newText', 'new_text'];

function changesOf({args, diff}: ToolDetails): GivenSection | null {
  if (diff) return {name: 'changes', kind: 'diff', text: diff};
  const [before, after] = [olds, news].map((names) =>
    names.map((name) => ownString(args, name)).find((text) => text !== null),
  );
  return before === undefined || after === undefined || before === null || after === null
    ? null
    : {name: 'changes', kind: 'texts', before, text: after};
}
