/** The demo's server as a process that can be killed: `node serve.mjs PORT DATA` prints `ready PORT`. Nothing is built. */
import {register} from 'tsx/esm/api';

register();
const {serve} = await import('../../demo/server/index.ts');
const [, , port, dataDir] = process.argv;
const server = await serve({port: Number(port), dataDir});
console.log(`ready ${server.port}`);
process.on('SIGTERM', () => void server.close().then(() => process.exit(0)));
// Who has started us is gone.
process.stdin.on('end', () => process.exit(1)).resume();
