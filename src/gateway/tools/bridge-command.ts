/** How the stdio bridge is started: this Node, the file beside this one. */
import {execPath} from 'node:process';
import {fileURLToPath} from 'node:url';

export interface BridgeCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export function bridgeCommand(): BridgeCommand {
  const own = fileURLToPath(import.meta.url);
  // From the sources (tests, `npm start` in a checkout without a build) the file is TypeScript and needs the loader.
  const loader = own.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [];
  return {command: execPath, args: [...loader, own.replace(/bridge-command\.(.s)$/, 'stdio-bridge.$1')]};
}
