/**
 * `npm start`, also straight after a clone: installs and builds what is missing, then serves the demo.
 * Options: `-- --port N` (0 takes any free port), `--data DIR` (where notes and conversations are kept; `.data` when not
 * given). A signal ends it once every agent has ended; a second one ends it at once. Needs only Node until everything is in place.
 */
import {join} from 'node:path';
import {setInterval} from 'node:timers';
import {parseArgs} from 'node:util';
import {ensureBuilt, ensureInstalled, root} from '../test/bootstrap.mjs';

const {port, dataDir} = readOptions();
let ending = false;

if (!ensureInstalled()) {
  giveUp('The packages could not be installed. npm says above why; mend that and run npm start again.');
}
if (!ensureBuilt()) {
  giveUp('The build failed. Its message above says where; mend that and run npm start again.');
}

// The server is TypeScript; tsx compiles it on the way.
const {register} = await import('tsx/esm/api');
register();
const {serve} = await import('./server/index.ts');

const server = await serve({port, dataDir}).catch(({code, message}) =>
  giveUp(code === 'EADDRINUSE' ? `Port ${port} is taken. Choose another: npm start -- --port 0` : message),
);
console.log(`ready http://127.0.0.1:${server.port}`);

// A signal to npm ends npm and its shell, but not us: an orphan ends by itself.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && void end(), 1_000).unref();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);

async function end() {
  if (ending) process.exit(1);
  ending = true;
  await server.close();
  process.exit(0);
}

function readOptions() {
  try {
    const {values} = parseArgs({
      options: {
        port: {type: 'string', default: '4310'},
        data: {type: 'string', default: join(root, '.data')},
      },
    });
    if (/^\d{1,5}$/.test(values.port) && Number(values.port) < 65_536)
      return {port: Number(values.port), dataDir: values.data};
    return giveUp(`--port takes a number below 65536, not ${values.port}.`);
  } catch ({message}) {
    return giveUp(message);
  }
}

function giveUp(sentence) {
  console.error(sentence);
  process.exit(1);
}
