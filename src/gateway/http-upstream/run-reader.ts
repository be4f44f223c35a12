/**
 * What a run of Hermes says, as updates of an ACP session. It numbers no calls and parts no messages, so both are done here;
 * it says its whole text again at the end, which is only used to fill in what was missed.
 */
import type {JsonRpcObject} from '../agent/agent.js';
import {textAt, valueAt} from '../sessions/loose.js';

type Update = Readonly<Record<string, unknown>>;

export class RunReader {
  /** All that was said, a blank line between messages. */
  said = '';
  /** The same, as it came. */
  #whole = '';
  /** What was said since the last tool. */
  #message = '';
  /** What was thought, piece by piece, since something else came. */
  #thought = '';
  #calls = 0;
  /** Open calls of each tool, oldest first: results name the tool alone. */
  readonly #open = new Map<string, string[]>();

  /** The call that goes on, if there is just one. */
  get onlyCall(): string | null {
    const open = [...this.#open.values()].flat();
    return open.length === 1 ? open[0]! : null;
  }

  /** The updates that one event brings. Events about the run itself bring none; those that are not known pass as they are. */
  updates(event: JsonRpcObject): readonly Update[] {
    const name = textAt(event, 'event') ?? '';
    const read = readers.get(name);
    if (name !== 'reasoning.delta') {
      const thought = this.#thought;
      this.#thought = '';
      if (name === 'reasoning.available' && saysAgain(thought, textAt(event, 'text') ?? '')) return [];
    }
    return read ? read(this, event) : [{...event, sessionUpdate: `hermes.${name || 'event'}`}];
  }

  /** What is lacking of the text at the end. `torn`: a part of the run was not heard. */
  missing(output: string, torn: boolean): readonly Update[] {
    // Builds differ in what they repeat, all or the last message, and in the spaces around it.
    if (withoutSpaces(this.#whole).endsWith(withoutSpaces(output))) return [];
    if (output.startsWith(this.#whole)) return this.say(output.slice(this.#whole.length));
    if (this.#message.trim() === '') return this.say(output);
    if (output.startsWith(this.#message)) return this.say(output.slice(this.#message.length));
    if (!torn) return [];
    this.#endMessage();
    return this.say(`\n\n${output}`);
  }

  say(text: string): readonly Update[] {
    if (text === '') return [];
    if (this.#message === '' && this.said !== '' && !this.said.endsWith('\n')) this.said += '\n\n';
    this.said += text;
    this.#message += text;
    this.#whole += text;
    return [{sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}}];
  }

  think(text: string, isPiece: boolean): readonly Update[] {
    if (text === '') return [];
    if (isPiece) this.#thought += text;
    return [{sessionUpdate: 'agent_thought_chunk', content: {type: 'text', text}}];
  }

  startTool(tool: string, preview: string): readonly Update[] {
    this.#endMessage();
    const toolCallId = `tool#${++this.#calls}`;
    this.#open.set(tool, [...(this.#open.get(tool) ?? []), toolCallId]);
    return [
      {sessionUpdate: 'tool_call', toolCallId, name: tool, title: preview || tool, status: 'in_progress'},
    ];
  }

  endTool(tool: string, failed: boolean): readonly Update[] {
    const status = failed ? 'failed' : 'completed';
    const [toolCallId, ...others] = this.#open.get(tool) ?? [];
    if (toolCallId === undefined) {
      return [
        {sessionUpdate: 'tool_call', toolCallId: `tool#${++this.#calls}`, name: tool, title: tool, status},
      ];
    }
    if (others.length > 0) this.#open.set(tool, others);
    else this.#open.delete(tool);
    return [{sessionUpdate: 'tool_call_update', toolCallId, status}];
  }

  #endMessage(): void {
    this.#message = '';
  }
}

const withoutSpaces = (text: string) => text.replace(/\s+/g, '');

export function notice(title: string, severity: 'info' | 'warning' | 'error' = 'info'): Update {
  return {sessionUpdate: 'notice', severity, title};
}

// Newer builds send a preview of thinking that was streamed; it may be cut.
function saysAgain(thought: string, preview: string): boolean {
  return thought !== '' && thought.trim().startsWith(preview.replace(/(?:…|\.\.\.)$/, '').trim());
}

type Read = (reader: RunReader, event: JsonRpcObject) => readonly Update[];

const silent: Read = () => [];

const readers = new Map<string, Read>(
  Object.entries({
    'message.delta': (reader, event) => reader.say(textAt(event, 'delta') ?? ''),
    'reasoning.delta': (reader, event) =>
      reader.think(textAt(event, 'delta') ?? textAt(event, 'text') ?? '', true),
    'reasoning.available': (reader, event) => reader.think(textAt(event, 'text') ?? '', false),
    'tool.started': (reader, event) => reader.startTool(toolOf(event), textAt(event, 'preview') ?? ''),
    'tool.completed': (reader, event) => reader.endTool(toolOf(event), valueAt(event, 'error') === true),
    'subagent.start': (_reader, event) => subagent('A subagent was started', event, ['goal', 'preview']),
    'subagent.complete': (_reader, event) =>
      subagent(`A subagent ended (${textAt(event, 'status') ?? 'done'})`, event, ['summary', 'preview']),
    // The turn acts on these.
    'approval.request': silent,
    'approval.responded': silent,
    'run.completed': silent,
    'run.failed': silent,
    'run.cancelled': silent,
    'run.steered': silent,
  } satisfies Record<string, Read>),
);

const toolOf = (event: JsonRpcObject) => textAt(event, 'tool') || 'tool';

function subagent(what: string, event: JsonRpcObject, keys: readonly string[]): readonly Update[] {
  const said = keys.map((key) => textAt(event, key)).find((text) => text);
  return [notice(said ? `${what}: ${said}` : `${what}.`)];
}
