/** The host's note tools: what an agent may do to the notes of the page, carried out by the host. */

/** A tool as agents see it. Names have underscores; `hostName` is the host's (`mnote.doc.fetch`). */
export interface NoteTool {
  readonly name: string;
  readonly hostName: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
}

/** An MCP server entry of `session/new`, verbatim ACP. */
export type McpServerEntry = Readonly<Record<string, unknown>>;

/** Gives each session its tools, and takes them back. */
export interface ToolServer {
  readonly tools: readonly NoteTool[];
  /** The entry for a session, with a token of its own; null where no host tools are configured. */
  open(session: string, options: {readonly http: boolean}): Promise<McpServerEntry | null>;
  close(session: string): Promise<void>;
  stop(): Promise<void>;
}
