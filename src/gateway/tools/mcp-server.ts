/** The note tools as MCP: a server of the official SDK around a way to call. One for a request, or for a connection. */
import {Server, type CallToolResult, type Tool} from '@modelcontextprotocol/server';
import {isObject} from '../agent/json-rpc.js';
import type {CallTool} from './note-calls.js';
import {ToolError} from './tool-error.js';
import type {NoteTool} from './tool-host.js';

const instructions =
  'The notes of the page the person is looking at. Read a note before you change it, and pass the revision you read.';

/** An MCP server whose tools are the note tools. */
export function createMcpServer(tools: readonly NoteTool[], call: CallTool): Server {
  const server = new Server({name: 'notes', version: '1'}, {capabilities: {tools: {}}, instructions});
  server.setRequestHandler('tools/list', () => ({tools: tools.map(listed)}));
  server.setRequestHandler('tools/call', async ({params}, {mcpReq}) => {
    try {
      return resultOf(await call({name: params.name, args: params.arguments, signal: mcpReq.signal}));
    } catch (error) {
      if (error instanceof ToolError) return refusal(error);
      throw error;
    }
  });
  return server;
}

function listed({name, description, inputSchema, readOnly}: NoteTool): Tool {
  return {
    name,
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    annotations: {readOnlyHint: readOnly, destructiveHint: !readOnly, openWorldHint: false},
  };
}

/** Text alone: most agents read nothing else, and one (Reasonix) hands its model a structured result a second time. */
function resultOf(result: unknown): CallToolResult {
  return {content: textsOf(result).map((text) => ({type: 'text', text}))};
}

/** A diff stands by itself and unescaped, so that whoever shows the call can draw it. */
function textsOf(result: unknown): readonly string[] {
  if (typeof result === 'string') return [result];
  if (!isObject(result) || !isObject(result.artifact)) return [JSON.stringify(result, null, 1)];
  const {diff, ...artifact} = result.artifact;
  const rest = JSON.stringify({...result, artifact}, null, 1);
  return typeof diff === 'string' && diff !== '' ? [diff, rest] : [rest];
}

function refusal({code, message, current}: ToolError): CallToolResult {
  const details = JSON.stringify({code, ...(current && {current})}, null, 1);
  return {isError: true, content: [message, details].map((text) => ({type: 'text', text}))};
}
