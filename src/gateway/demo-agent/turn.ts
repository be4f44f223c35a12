/** A turn of the demo agent, as a person would tell it: think, plan, say, use tools, ask. Everything stops at a cancel. */
import {setImmediate, setTimeout} from 'node:timers/promises';
import type {
  PermissionOption,
  PlanEntry,
  RequestPermissionResponse,
  ToolCallContent,
  ToolCallLocation,
  ToolKind,
} from '@agentclientprotocol/sdk';
import type {DemoSession} from './demo-session.js';
import type {McpClient, McpToolResult} from './mcp-client.js';

/** A note as the tools give it. */
export interface OpenNote {
  readonly id: string;
  readonly title: string;
  readonly markdown: string;
  readonly revision: string;
}

export interface ToolUse {
  readonly name: string;
  readonly title: string;
  readonly kind: ToolKind;
  readonly args: object;
  readonly locations?: ToolCallLocation[];
}

const permissionOptions: PermissionOption[] = [
  {optionId: 'yes', name: 'Allow', kind: 'allow_once'},
  {optionId: 'yes-always', name: 'Allow edits in this session', kind: 'allow_always'},
  {optionId: 'no', name: 'Reject', kind: 'reject_once'},
  {optionId: 'no-always', name: 'Reject edits in this session', kind: 'reject_always'},
];

export class Turn {
  readonly session: DemoSession;
  readonly prompt: string;
  /** The page the reader is on, as its host told it. */
  readonly context: string;
  readonly signal: AbortSignal;
  readonly #paceMs: number;
  readonly #open = new Set<string>();
  #ids = 0;
  #message = '';
  #plan: PlanEntry[] = [];
  /** Characters read and written in this turn. */
  read = 0;
  written = 0;

  constructor(
    session: DemoSession,
    {prompt, context}: {readonly prompt: string; readonly context: string},
    {signal, paceMs}: {readonly signal: AbortSignal; readonly paceMs: number},
  ) {
    this.session = session;
    this.prompt = prompt;
    this.context = context;
    this.signal = signal;
    this.#paceMs = paceMs;
  }

  /** Thinks aloud, as far as the reader wants it. */
  async think(brief: string, full = ''): Promise<void> {
    const {thoughts} = this.session;
    if (thoughts === 'off') return;
    await this.#stream(
      'agent_thought_chunk',
      thoughts === 'full' && full !== '' ? `${brief} ${full}` : brief,
    );
  }

  /** Says Markdown; a paragraph of its own behind what this message holds. */
  async say(markdown: string): Promise<void> {
    await this.#stream('agent_message_chunk', this.#message === '' ? markdown : `\n\n${markdown}`);
  }

  /** What it is about to do; the first is begun. */
  async plan(...steps: readonly string[]): Promise<void> {
    this.#plan = steps.map((content, index) => ({
      content,
      priority: 'medium',
      status: index === 0 ? 'in_progress' : 'pending',
    }));
    await this.#tellPlan();
  }

  /** One step of the plan is done, the next begun. */
  async step(): Promise<void> {
    const at = this.#plan.findIndex(({status}) => status === 'in_progress');
    this.#plan = this.#plan.map((entry, index) => {
      if (index === at) return {...entry, status: 'completed'};
      return index === at + 1 ? {...entry, status: 'in_progress'} : entry;
    });
    await this.#tellPlan();
  }

  /** The note tools; null where there are none. */
  tools(): Promise<McpClient | null> {
    return this.session.tools(this.signal);
  }

  /** Uses a tool and shows it from start to end. Rejects only at a cancel. */
  async use(tools: McpClient, tool: ToolUse): Promise<McpToolResult> {
    const id = await this.announce(tool);
    return this.run(tools, tool, id);
  }

  /** Shows a call before it runs. */
  async announce(
    {name, title, kind, args, locations}: ToolUse,
    content?: ToolCallContent[],
  ): Promise<string> {
    this.signal.throwIfAborted();
    const toolCallId = this.#id('call');
    this.#open.add(toolCallId);
    this.#message = '';
    await this.session.update({
      sessionUpdate: 'tool_call',
      toolCallId,
      title,
      name,
      kind,
      status: 'pending',
      rawInput: args,
      ...(locations && {locations}),
      ...(content && {content}),
    });
    return toolCallId;
  }

  /** Runs an announced call. `content` stays in front of what the tool says. */
  async run(
    tools: McpClient,
    {name, args}: ToolUse,
    toolCallId: string,
    content: ToolCallContent[] = [],
  ): Promise<McpToolResult> {
    await this.session.update({sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress'});
    await this.pause(4);
    const result = await tools.call(name, args, this.signal).catch((error: unknown) => {
      this.signal.throwIfAborted();
      return {
        text: error instanceof Error ? error.message : 'The call failed.',
        structured: null,
        isError: true,
      };
    });
    this.read += result.text.length;
    await this.end(toolCallId, result.isError ? 'failed' : 'completed', result.text, {
      content,
      rawOutput: result.structured,
    });
    return result;
  }

  /** Ends a call in sight of the reader. */
  async end(
    toolCallId: string,
    status: 'completed' | 'failed',
    text: string,
    {content = [], rawOutput}: {readonly content?: ToolCallContent[]; readonly rawOutput?: unknown} = {},
  ): Promise<void> {
    this.#open.delete(toolCallId);
    await this.session.update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status,
      content: [...content, {type: 'content', content: {type: 'text', text}}],
      ...(rawOutput !== undefined && rawOutput !== null && {rawOutput}),
    });
  }

  /** Asks whether a call may run. A cancel is a cancel, whatever the client answers. */
  async ask(tool: ToolUse, toolCallId: string, content: ToolCallContent[]): Promise<boolean> {
    if (this.session.always !== null) return this.session.always === 'allow';
    const {title, kind, args, locations} = tool;
    const toolCall = {toolCallId, title, kind, rawInput: args, content, ...(locations && {locations})};
    const answer: Promise<RequestPermissionResponse> = this.session.client.request(
      'session/request_permission',
      {sessionId: this.session.id, toolCall, options: permissionOptions},
    );
    const {outcome} = await this.#untilCancel(answer);
    // A client that cancels the question without the turn means no.
    if (outcome.outcome === 'cancelled') return false;
    const kindOf = permissionOptions.find(({optionId}) => optionId === outcome.optionId)?.kind;
    if (kindOf === 'allow_always') this.session.always = 'allow';
    if (kindOf === 'reject_always') this.session.always = 'reject';
    return kindOf === 'allow_once' || kindOf === 'allow_always';
  }

  /** Closes what is still open when the turn ends early. */
  async closeTools(text: string): Promise<void> {
    for (const toolCallId of [...this.#open]) await this.end(toolCallId, 'failed', text);
  }

  /** Waits some beats; always gives the others their turn. */
  async pause(beats = 1): Promise<void> {
    const wait =
      this.#paceMs > 0
        ? setTimeout(this.#paceMs * beats, undefined, {signal: this.signal})
        : setImmediate(undefined, {signal: this.signal});
    await wait;
  }

  /** Never resolves. */
  stall(): Promise<never> {
    // The timer keeps the process; nothing else would.
    return this.#untilCancel(setTimeout(2 ** 31 - 1, undefined as never, {signal: this.signal}));
  }

  async #stream(sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk', text: string): Promise<void> {
    // A thought may stand inside a message; a tool call ends it.
    if (sessionUpdate === 'agent_message_chunk') this.#message ||= this.#id('message');
    const messageId = sessionUpdate === 'agent_message_chunk' ? this.#message : this.#id('thought');
    for (const [piece] of text.matchAll(/\s*\S+(?:\s+\S+){0,2}\s*/g)) {
      await this.pause();
      this.written += piece.length;
      await this.session.update({sessionUpdate, messageId, content: {type: 'text', text: piece}});
    }
  }

  #tellPlan(): Promise<void> {
    return this.session.update({sessionUpdate: 'plan', entries: this.#plan});
  }

  #id(what: string): string {
    return `${what}-${this.session.turns}-${++this.#ids}`;
  }

  #untilCancel<Result>(waiting: Promise<Result>): Promise<Result> {
    const {signal} = this;
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, {once: true});
      waiting.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }
}
