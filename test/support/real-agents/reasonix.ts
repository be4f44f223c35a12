/** Reasonix, as tests run it: the platform's binary, since the launcher passes no signals on, on a mock model. */
import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';

/** The program; null where it is not installed. */
export function reasonixBinary(): string | null {
  const name = `@reasonix/cli-${process.platform}-${process.arch}/package.json`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(name));
    const program = join(folder, 'bin', process.platform === 'win32' ? 'reasonix.exe' : 'reasonix');
    return existsSync(program) ? program : null;
  } catch {
    return null;
  }
}

/** The `reasonix.toml` of a working folder; the key is in `MOCK_KEY`. */
export function reasonixToml(modelUrl: string): string {
  return `default_model = "mock"

[[providers]]
name = "mock"
kind = "openai"
base_url = "${modelUrl}"
model = "mock-model"
api_key_env = "MOCK_KEY"
context_window = 32000
`;
}

/** The marker that has the model call a note tool, which Reasonix hides behind one of its own. */
export function reasonixNote(name: string, args: object): string {
  const call = {action: 'call', capability_id: `mcp-tool:notes/${name}`, arguments: args};
  return `TOOL:use_capability ${JSON.stringify(call)} END`;
}
