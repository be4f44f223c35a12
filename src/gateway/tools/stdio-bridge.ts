/**
 * The stdio bridge, a program: MCP on stdin and stdout for agents without MCP over HTTP.
 *
 * Started by the agent as `session/new` told it to. It holds no tools of its own: each call goes to the gateway's loopback
 * port with the session's token, where it is checked and waits its turn. It ends when its stdin does.
 */
import {serveStdio} from '@modelcontextprotocol/server/stdio';
import {systemClock} from '../clock.js';
import {callHost, defaultToolLimits} from './host-client.js';
import {createMcpServer} from './mcp-server.js';
import {noteTools} from './note-tools.js';

const {HERMES_TOOLS_URL: url, HERMES_TOOLS_TOKEN: token} = process.env;

if (url && token) {
  // The gateway keeps the time; the bridge only waits a little longer than it.
  const limits = {...defaultToolLimits, callMs: defaultToolLimits.callMs + 5_000};
  const headers = {authorization: `Bearer ${token}`};
  serveStdio(() =>
    createMcpServer(noteTools, ({name, args, signal}) => {
      const given = (args ?? {}) as Readonly<Record<string, unknown>>;
      return callHost(
        {toolName: name, args: given, signal},
        {url, headers, fetch, limits, clock: systemClock},
      );
    }),
  );
} else {
  process.stderr.write(
    'HERMES_TOOLS_URL and HERMES_TOOLS_TOKEN are missing: start this program through an agent.\n',
  );
  process.exitCode = 2;
}
