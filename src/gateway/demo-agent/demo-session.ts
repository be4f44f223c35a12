/** A session of the demo agent: its mode and options, its note tools, what was said, and what is never asked again. */
import type {
  AgentContext,
  NewSessionResponse,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import {McpClient, type McpHttpEntry} from './mcp-client.js';
import type {StoredSession} from './session-store.js';
import {kept} from './transcript.js';

const modes = [
  {id: 'ask', name: 'Ask', description: 'Asks before it changes a note.'},
  {id: 'edit', name: 'Edit', description: 'Changes notes without asking.'},
  {id: 'plan', name: 'Plan', description: 'Says what it would do and changes nothing.'},
] as const;
export type DemoMode = (typeof modes)[number]['id'];

const thoughts = [
  {value: 'brief', name: 'Brief', description: 'A thought before each step.'},
  {value: 'full', name: 'Full', description: 'Thinks at length.'},
  {value: 'off', name: 'Off', description: 'Works in silence.'},
] as const;

export class DemoSession {
  readonly id: string;
  readonly #client: AgentContext;
  readonly #entries: readonly McpHttpEntry[];
  #tools: McpClient | null = null;
  mode: DemoMode = 'ask';
  thoughts: string = 'brief';
  title: string | null = null;
  turns = 0;
  /** Tokens read and written so far, as a model's cache would hold them; four characters count as one. */
  tokens = 0;
  /** What the reader said once and for all: edits are allowed, or are not. */
  always: 'allow' | 'reject' | null = null;
  running: AbortController | null = null;
  #transcript: readonly SessionUpdate[] = [];

  constructor(id: string, client: AgentContext, servers: readonly object[], stored?: StoredSession) {
    this.id = id;
    this.#client = client;
    this.#entries = servers.filter((server) => 'url' in server) as McpHttpEntry[];
    if (!stored) return;
    this.setMode(stored.mode);
    this.setOption('thoughts', stored.thoughts);
    this.title = stored.title;
    this.turns = stored.turns;
    this.tokens = stored.tokens;
    this.#transcript = stored.transcript;
  }

  get transcript(): readonly SessionUpdate[] {
    return this.#transcript;
  }

  /** What `session/new`, `load` and `resume` answer of it. */
  get settings(): Omit<NewSessionResponse, 'sessionId'> {
    return {modes: this.#modes, configOptions: this.options};
  }

  get options(): SessionConfigOption[] {
    return [
      {
        id: 'thoughts',
        name: 'Thinking',
        category: 'thought_level',
        type: 'select',
        currentValue: this.thoughts,
        options: thoughts.map((option) => ({...option})),
      },
    ];
  }

  get #modes(): SessionModeState {
    return {currentModeId: this.mode, availableModes: modes.map((mode) => ({...mode}))};
  }

  /** Whether there is such a mode. */
  setMode(id: string): boolean {
    const mode = modes.find((each) => each.id === id);
    if (mode) this.mode = mode.id;
    return mode !== undefined;
  }

  /** Whether there is such an option with such a value. */
  setOption(id: string, value: unknown): boolean {
    const option = id === 'thoughts' ? thoughts.find((each) => each.value === value) : undefined;
    if (option) this.thoughts = option.value;
    return option !== undefined;
  }

  /** Says an update, and remembers it. */
  async update(update: SessionUpdate): Promise<void> {
    this.#transcript = kept(this.#transcript, update);
    await this.tell(update);
  }

  /** Says an update that is not remembered. */
  tell(update: SessionUpdate): Promise<void> {
    return this.#client.notify('session/update', {sessionId: this.id, update});
  }

  remember(update: SessionUpdate): void {
    this.#transcript = kept(this.#transcript, update);
  }

  /** The note tools; null where the session has none or they cannot be reached. */
  async tools(signal: AbortSignal): Promise<McpClient | null> {
    if (this.#tools) return this.#tools;
    for (const entry of this.#entries) {
      const client = await McpClient.connect(entry, signal).catch(() => null);
      signal.throwIfAborted();
      if (client && (await client.tools(signal)).includes('mnote_doc_fetch')) return (this.#tools = client);
    }
    return null;
  }

  get client(): AgentContext {
    return this.#client;
  }

  stored(): StoredSession {
    const {id, title, mode, thoughts, turns, tokens, transcript} = this;
    return {id, title, mode, thoughts, turns, tokens, transcript};
  }
}
