/** The demo agent: ACP on one side, the note tools over MCP on the other, and no model between. */
import {randomUUID} from 'node:crypto';
import {
  agent,
  PROTOCOL_VERSION,
  RequestError,
  type AgentApp,
  type AgentContext,
  type ContentBlock,
  type PromptResponse,
} from '@agentclientprotocol/sdk';
import {DemoSession} from './demo-session.js';
import type {SessionStore} from './session-store.js';
import {commands, skillFor} from './skills.js';
import {Turn} from './turn.js';

export interface DemoAgentOptions {
  /** Between two pieces of text, in ms; 0 does not wait at all. */
  readonly paceMs: number;
  readonly store: SessionStore;
  readonly crash: () => never;
}

/** How much the agent says it can hold. */
const WINDOW = 32_000;
const SLOW = 20;

export function createDemoAgent(options: DemoAgentOptions): AgentApp {
  const sessions = new Map<string, DemoSession>();

  const find = (id: string) => {
    const session = sessions.get(id);
    if (!session) throw RequestError.resourceNotFound(id);
    return session;
  };

  const reopen = async (id: string, client: AgentContext, servers: readonly object[]) => {
    const open = sessions.get(id);
    if (open?.running) throw RequestError.invalidRequest(undefined, 'A turn of this session is running.');
    const stored = open?.stored() ?? (await options.store.load(id));
    if (!stored) throw RequestError.resourceNotFound(id);
    const session = new DemoSession(id, client, servers, stored);
    sessions.set(id, session);
    return session;
  };

  const prompt = async (session: DemoSession, blocks: readonly ContentBlock[]): Promise<PromptResponse> => {
    if (session.running) throw RequestError.invalidRequest(undefined, 'A turn of this session is running.');
    const running = (session.running = new AbortController());
    session.turns++;
    const asked = readPrompt(blocks);
    for (const content of blocks.filter(isForReader)) {
      session.remember({sessionUpdate: 'user_message_chunk', content});
    }
    const paceMs = /\bslow\b/i.test(asked.prompt) ? options.paceMs * SLOW : options.paceMs;
    const turn = new Turn(session, asked, {signal: running.signal, paceMs});
    try {
      await tellTitle(session, asked.prompt);
      await skillFor(asked.prompt).run(turn, options);
      return {stopReason: 'end_turn', ...(await tellUsage(turn))};
    } catch (error) {
      if (!running.signal.aborted) throw error;
      await turn.closeTools('Stopped.');
      return {stopReason: 'cancelled', ...(await tellUsage(turn))};
    } finally {
      session.running = null;
      await options.store.save(session.stored());
    }
  };

  return agent({name: 'demo-agent'})
    .onRequest('initialize', () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: {name: 'demo-agent', title: 'Demo agent', version: '1'},
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: {embeddedContext: true},
        mcpCapabilities: {http: true},
        sessionCapabilities: {resume: {}, close: {}},
      },
      authMethods: [],
    }))
    .onRequest('session/new', async ({params, client}) => {
      const session = new DemoSession(randomUUID(), client, params.mcpServers);
      sessions.set(session.id, session);
      await options.store.save(session.stored());
      tellCommands(session);
      return {sessionId: session.id, ...session.settings};
    })
    .onRequest('session/load', async ({params, client}) => {
      const session = await reopen(params.sessionId, client, params.mcpServers);
      for (const update of session.transcript) await session.tell(update);
      tellCommands(session);
      return session.settings;
    })
    .onRequest('session/resume', async ({params, client}) => {
      const session = await reopen(params.sessionId, client, params.mcpServers ?? []);
      tellCommands(session);
      return session.settings;
    })
    .onRequest('session/close', ({params}) => {
      find(params.sessionId).running?.abort(stopped());
      sessions.delete(params.sessionId);
      return {};
    })
    .onRequest('session/set_mode', async ({params}) => {
      const session = find(params.sessionId);
      if (!session.setMode(params.modeId))
        throw RequestError.invalidParams(undefined, 'There is no such mode.');
      await session.tell({sessionUpdate: 'current_mode_update', currentModeId: session.mode});
      return {};
    })
    .onRequest('session/set_config_option', ({params}) => {
      const session = find(params.sessionId);
      if (!session.setOption(params.configId, params.value)) {
        throw RequestError.invalidParams(undefined, 'There is no such option or value.');
      }
      return {configOptions: session.options};
    })
    .onRequest('session/prompt', ({params}) => prompt(find(params.sessionId), params.prompt))
    .onNotification('session/cancel', ({params}) => {
      sessions.get(params.sessionId)?.running?.abort(stopped());
    });
}

function stopped(): Error {
  return new Error('Stopped by the reader.');
}

/** The commands follow the answer that names the session: before it nobody would know whose they are. */
function tellCommands(session: DemoSession): void {
  setImmediate(() => {
    // A client that has gone has no use for them.
    session.tell({sessionUpdate: 'available_commands_update', availableCommands: commands}).catch(() => {});
  });
}

async function tellTitle(session: DemoSession, prompt: string): Promise<void> {
  if (session.title !== null) return;
  const line = prompt.replace(/\s+/g, ' ').trim();
  session.title = line.length <= 60 ? line : `${line.slice(0, 59).trimEnd()}…`;
  await session.tell({
    sessionUpdate: 'session_info_update',
    title: session.title,
    updatedAt: new Date().toISOString(),
  });
}

/** Figures as a model with a prefix cache would have them: what was said before is read from the cache. */
async function tellUsage({session, prompt, context, read, written}: Turn): Promise<object> {
  const cachedReadTokens = session.tokens;
  const inputTokens = cachedReadTokens + tokens(prompt.length + context.length + read);
  const outputTokens = tokens(written);
  session.tokens = Math.min(WINDOW, inputTokens + outputTokens);
  await session.tell({sessionUpdate: 'usage_update', used: session.tokens, size: WINDOW});
  return {usage: {totalTokens: inputTokens + outputTokens, inputTokens, outputTokens, cachedReadTokens}};
}

function tokens(characters: number): number {
  return Math.ceil(characters / 4);
}

/** What the page said to the agent alone is not said again to a reader. */
function isForReader({annotations}: ContentBlock): boolean {
  return annotations?.audience?.includes('user') ?? true;
}

/** What the reader wrote, and what the page around it says: text resources and their addresses. */
function readPrompt(blocks: readonly ContentBlock[]): {readonly prompt: string; readonly context: string} {
  const prompt = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const context = blocks.flatMap((block) => {
    if (block.type === 'resource' && 'text' in block.resource) return [block.resource.text];
    return block.type === 'resource_link' ? [`${block.name}\n${block.uri}`] : [];
  });
  return {prompt: prompt.join('\n'), context: context.join('\n\n')};
}
