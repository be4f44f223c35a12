/**
 * OpenCode and codex-acp as real processes against the mock model, where they are installed: on the path, or at
 * HERMES_OPENCODE and HERMES_CODEX_ACP. `npm run test:agents`.
 */
import {existsSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {realAgentTests} from '../support/real-agents/real-agent-tests.js';

realAgentTests(
  {
    name: 'opencode',
    runtimeType: 'generic',
    bin: installed('opencode', 'HERMES_OPENCODE'),
    args: ['acp'],
    files: (modelUrl) => ({
      'home/.config/opencode/opencode.json': JSON.stringify({
        model: 'mock/mock-model',
        small_model: 'mock/mock-model',
        permission: {bash: 'ask', edit: 'ask'},
        autoupdate: false,
        provider: {
          mock: {
            npm: '@ai-sdk/openai-compatible',
            options: {baseURL: modelUrl, apiKey: 'mock'},
            models: {'mock-model': {name: 'Mock', limit: {context: 32_000, output: 4_000}, tool_call: true}},
          },
        },
      }),
    }),
    shell: (command) => `TOOL:bash ${JSON.stringify({command, description: 'a command'})} END`,
    note: (name, args) => `TOOL:notes_${name} ${JSON.stringify(args)} END`,
  },
  {afterReject: 'run.completed', cacheHitRate: 1024 / 1200, asksForNotes: false},
);

realAgentTests(
  {
    name: 'codex-acp',
    runtimeType: 'generic',
    bin: installed('codex-acp', 'HERMES_CODEX_ACP'),
    args: [],
    files: (modelUrl) => ({
      'home/.codex/config.toml': `model = "mock-model"
model_provider = "mock"
approval_policy = "untrusted"
sandbox_mode = "read-only"

[model_providers.mock]
name = "mock"
base_url = "${modelUrl}"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0
`,
    }),
    shell: (command) => `TOOL:shell_command ${JSON.stringify({command})} END`,
    note: (name, args) => `TOOL:mcp__notes/${name} ${JSON.stringify(args)} END`,
  },
  {afterReject: 'run.cancelled', cacheHitRate: null, asksForNotes: true},
);

function installed(name: string, variable: string): string | null {
  const told = process.env[variable];
  const places = [
    ...(told ? [told] : []),
    ...(process.env['PATH'] ?? '').split(delimiter).map((path) => join(path, name)),
  ];
  return places.find((place) => existsSync(place)) ?? null;
}
