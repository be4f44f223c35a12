/** Reasonix as a real process against a mock model. The platform's binary, not the launcher, which passes no signals on. */
import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {realAgentTests} from '../../../support/real-agents/real-agent-tests.js';

realAgentTests(
  {
    name: 'reasonix',
    runtimeType: 'reasonix',
    bin: binary(),
    args: ['acp'],
    files: (modelUrl) => ({
      'work/reasonix.toml': `default_model = "mock"

[[providers]]
name = "mock"
kind = "openai"
base_url = "${modelUrl}"
model = "mock-model"
api_key_env = "MOCK_KEY"
context_window = 32000
`,
    }),
    askOption: {id: 'tool_approval', value: 'read-only'},
    shell: (command) => `TOOL:bash ${JSON.stringify({command, description: 'a command'})} END`,
    note: (name, args) => {
      const call = {action: 'call', capability_id: `mcp-tool:notes/${name}`, arguments: args};
      return `TOOL:use_capability ${JSON.stringify(call)} END`;
    },
  },
  {afterReject: 'run.completed', cacheHitRate: 1024 / 1200, asksForNotes: true},
);

function binary(): string | null {
  const name = `@reasonix/cli-${process.platform}-${process.arch}/package.json`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(name));
    const bin = join(folder, 'bin', process.platform === 'win32' ? 'reasonix.exe' : 'reasonix');
    return existsSync(bin) ? bin : null;
  } catch {
    return null;
  }
}
