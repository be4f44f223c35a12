/**
 * `npm start`, also straight after a clone: installs and builds what is missing, then serves the demo.
 * Options: `-- --port N` (0 takes any free port). Needs only Node until everything is in place.
 */
import {existsSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {ensureBuilt, ensureInstalled} from '../test/bootstrap.mjs';

const {values} = parseArgs({options: {port: {type: 'string', default: '4310'}}});

if (!ensureInstalled()) {
  giveUp('The packages could not be installed. npm says above why; mend that and run npm start again.');
}
if (!ensureBuilt()) {
  giveUp('The build failed. Its message above says where; mend that and run npm start again.');
}

const {port} = await (
  await loadServer()
)
  .serve({port: Number(values.port)})
  .catch(({message}) => giveUp(message));
console.log(`ready http://127.0.0.1:${port}`);

function giveUp(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** The server is TypeScript; tsx compiles it on the way. */
async function loadServer() {
  const {register} = await import('tsx/esm/api');
  register();
  const server = new URL('server/index.ts', import.meta.url);
  return existsSync(server) ? import(server.href) : import('./files.mjs');
}
