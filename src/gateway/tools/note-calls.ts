/** Note calls: a tool call of any session, checked, edits of one document in turn, carried out by the host. */
import {fromJsonSchema, type JsonSchemaType} from '@modelcontextprotocol/server';
import type {NoteTool} from './tool-host.js';
import {ToolError} from './tool-error.js';
import type {Turns} from './turns.js';

/** One call, as an agent makes it. */
export interface NoteCall {
  /** As agents or as the host name the tool. */
  readonly name: string;
  readonly args: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Carries out a checked call and gives the host's result. Rejects with a `ToolError`. */
export type CallTool = (call: NoteCall) => Promise<unknown>;

type HostSide = (
  tool: NoteTool,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
) => Promise<unknown>;

/** Calls that are checked against the tools' schemas, and whose edits wait for earlier edits of the same document. */
export function checkedCalls(tools: readonly NoteTool[], turns: Turns, host: HostSide): CallTool {
  const checks = new Map(tools.map((tool) => [tool, fromJsonSchema(tool.inputSchema as JsonSchemaType)]));
  return async ({name, args = {}, signal}) => {
    const tool = tools.find((each) => each.name === name || each.hostName === name);
    const check = tool && checks.get(tool);
    if (!check) throw new ToolError('not-found', `There is no tool ${name}.`);
    const checked = await check['~standard'].validate(args);
    if (checked.issues) {
      const why = checked.issues.map(({message}) => message).join('; ');
      throw new ToolError('invalid', `The arguments of ${tool.name} do not fit: ${why}.`);
    }
    const given = args as Readonly<Record<string, unknown>>;
    if (tool.readOnly) return host(tool, given, signal);
    const document = typeof given.docId === 'string' ? `doc ${given.docId}` : tool.hostName;
    return turns.take(document, () => {
      if (signal?.aborted) throw new ToolError('cancelled', 'The call was cancelled.');
      return host(tool, given, signal);
    });
  };
}
