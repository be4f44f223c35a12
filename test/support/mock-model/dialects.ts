/** How model APIs are spoken: what was asked in a request, and an answer as SSE. */
import type {MockUsage} from './mock-model.js';

/** A message of a request, of either API, with no more than what is read of it. */
interface Message {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly {readonly text?: string}[] | null;
  readonly output?: unknown;
}

export interface ModelRequest {
  readonly messages?: readonly Message[];
  /** The Responses API's name for them. */
  readonly input?: readonly Message[];
}

/** What was asked last, and the tool results since. */
export interface Asked {
  readonly text: string;
  readonly results: readonly string[];
}

export interface Dialect {
  read(request: ModelRequest): Asked;
  /** The frames of each part of an answer. */
  begin(): readonly object[];
  thought(text: string): readonly object[];
  text(text: string): readonly object[];
  call(id: string, name: string, args: string): readonly object[];
  end(finish: 'stop' | 'tool_calls', text: string, usage: MockUsage): readonly object[];
  readonly last: string;
}

/** OpenAI chat completions, with DeepSeek's thoughts and cache figures. */
export const chatCompletions: Dialect = {
  read: ({messages = []}) => askedIn(messages, ({role}) => role === 'tool'),
  begin: () => [chunk({role: 'assistant'})],
  thought: (text) => [chunk({reasoning_content: text})],
  text: (content) => [chunk({content})],
  call: (id, name, args) => [
    chunk({tool_calls: [{index: 0, id, type: 'function', function: {name, arguments: args}}]}),
  ],
  end: (finish, _text, usage) => [chunk({}, finish), {...completion, choices: [], usage: chatUsage(usage)}],
  last: 'data: [DONE]\n\n',
};

const completion = {id: 'mock', object: 'chat.completion.chunk', created: 0, model: 'mock-model'};

function chunk(delta: object, finish: string | null = null): object {
  return {...completion, choices: [{index: 0, delta, finish_reason: finish}]};
}

function chatUsage(usage: MockUsage): object {
  return {
    ...usage,
    total_tokens: usage.prompt_tokens + usage.completion_tokens,
    prompt_tokens_details: {cached_tokens: usage.prompt_cache_hit_tokens},
  };
}

const message = {type: 'message', role: 'assistant', id: 'msg_1'};

/** OpenAI responses. */
export const responses: Dialect = {
  read: ({input = []}) => askedIn(input, ({type}) => type?.endsWith('_output') ?? false),
  begin: () => [
    {type: 'response.created', response: {id: 'resp_1'}},
    {type: 'response.output_item.added', output_index: 0, item: {...message, content: []}},
  ],
  thought: () => [],
  text: (delta) => [{type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, delta}],
  call: (call_id, called, args) => {
    // Tools of an MCP server stand in a namespace: `mcp__notes/mnote_doc_fetch`.
    const [name = '', namespace] = called.split('/').reverse();
    const item = {type: 'function_call', call_id, name, ...(namespace && {namespace}), arguments: args};
    return [{type: 'response.output_item.done', output_index: 1, item}];
  },
  end: (_finish, text, {prompt_tokens, completion_tokens, prompt_cache_hit_tokens}) => {
    const usage = {
      input_tokens: prompt_tokens,
      input_tokens_details: {cached_tokens: prompt_cache_hit_tokens},
      output_tokens: completion_tokens,
      output_tokens_details: {reasoning_tokens: 0},
      total_tokens: prompt_tokens + completion_tokens,
    };
    const item = {...message, content: [{type: 'output_text', text}]};
    return [
      {type: 'response.output_item.done', output_index: 0, item},
      {type: 'response.completed', response: {id: 'resp_1', usage}},
    ];
  },
  last: '',
};

function askedIn(messages: readonly Message[], isResult: (message: Message) => boolean): Asked {
  const at = messages.findLastIndex(({role}) => role === 'user');
  const results = messages.slice(at + 1).filter(isResult);
  return {text: lastPrompt(textOf(messages[at])), results: results.map(textOf)};
}

/** Agents send a prompt that failed or was stopped together with the next: only what the last marker begins counts. */
function lastPrompt(text: string): string {
  const marks = [...text.matchAll(/\b(?:HELLO|SLOW|HANG|HTTP\d+)\b/g)];
  return text.slice(marks.at(-1)?.index ?? 0);
}

function textOf(message: Message | undefined): string {
  const content = message?.content ?? message?.output ?? '';
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part: {readonly text?: string}) => part.text ?? '').join('\n')
    : JSON.stringify(content);
}
