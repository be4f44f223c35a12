/** A talk with the demo agent in this process, over real note tools and a real folder. */
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {TestContext} from 'node:test';
import {
  client,
  type ContentBlock,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import {createDemoAgent} from '../../../../src/gateway/demo-agent/demo-agent.js';
import {memoryStore, type SessionStore} from '../../../../src/gateway/demo-agent/session-store.js';
import {createFolderHost} from '../../../../src/gateway/tools/folder/folder-host.js';
import {NoteToolServer, noteToolsUrl} from '../../../../src/gateway/tools/note-tool-server.js';
import {temporaryFolder} from '../tools/temporary-folder.js';

export interface TalkOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly tools?: boolean;
  readonly store?: SessionStore;
  /** The answer to a question; the option of this kind, or an outcome. */
  readonly answer?: (request: RequestPermissionRequest) => string | Promise<RequestPermissionResponse>;
  readonly onUpdate?: (update: SessionUpdate) => void;
}

export async function talk(context: TestContext, options: TalkOptions = {}) {
  const {
    files = {'welcome.md': '# Welcome\n\nTeh first line.\n'},
    tools = true,
    store = memoryStore(),
  } = options;
  const folder = await temporaryFolder(context, files);
  const host = createFolderHost({folder});
  const server = new NoteToolServer({
    url: tools ? noteToolsUrl('http://notes.test') : null,
    fetch: (input, init) => host.fetch(new Request(input, init)),
  });
  const entry = await server.open('s1', {http: true});
  const updates: SessionUpdate[] = [];
  const questions: RequestPermissionRequest[] = [];
  const crash = () => {
    throw new Error('crashed');
  };
  const connection = client({name: 'test'})
    .onRequest('session/request_permission', async ({params}) => {
      questions.push(params);
      const said = (await options.answer?.(params)) ?? 'allow_once';
      if (typeof said !== 'string') return said;
      const option = params.options.find(({kind}) => kind === said);
      return {outcome: {outcome: 'selected', optionId: option?.optionId ?? ''}};
    })
    .onNotification('session/update', ({params}) => {
      updates.push(params.update);
      options.onUpdate?.(params.update);
    })
    .connect(createDemoAgent({paceMs: 0, store, crash}));
  const {agent} = connection;
  context.after(async () => {
    connection.close();
    await server.stop();
  });
  await agent.request('initialize', {protocolVersion: 1});
  const mcpServers = (entry ? [entry] : []) as never[];
  const {sessionId, ...settings} = await agent.request('session/new', {cwd: '/', mcpServers});
  const prompt = (text: string, pageContext = 'Open note (docId: welcome)'): Promise<PromptResponse> => {
    const blocks: ContentBlock[] = [{type: 'text', text}];
    if (pageContext !== '') blocks.unshift(resource(pageContext));
    return agent.request('session/prompt', {sessionId, prompt: blocks});
  };
  return {
    agent,
    sessionId,
    settings,
    mcpServers,
    updates,
    questions,
    prompt,
    text: (name = 'welcome.md') => readFile(join(folder, name), 'utf8'),
    folder,
    said: () => textOf(updates, 'agent_message_chunk'),
    thought: () => textOf(updates, 'agent_thought_chunk'),
    calls: () => callsOf(updates),
  };
}

function resource(text: string): ContentBlock {
  return {
    type: 'resource',
    resource: {uri: 'hermes:page-context', mimeType: 'text/markdown', text},
    annotations: {audience: ['assistant']},
  };
}

/** All text of one channel. */
export function textOf(updates: readonly SessionUpdate[], channel: string): string {
  return updates
    .map((update) =>
      update.sessionUpdate === channel && 'content' in update && update.content && 'text' in update.content
        ? update.content.text
        : '',
    )
    .join('');
}

/** Each tool call in order, as `name: status status`. */
function callsOf(updates: readonly SessionUpdate[]): readonly string[] {
  const calls = new Map<string, string>();
  for (const update of updates) {
    if (update.sessionUpdate === 'tool_call') {
      calls.set(update.toolCallId, `${update.name}: ${update.status}`);
    } else if (update.sessionUpdate === 'tool_call_update') {
      calls.set(update.toolCallId, `${calls.get(update.toolCallId)} ${update.status}`);
    }
  }
  return [...calls.values()];
}
