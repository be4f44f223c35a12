/**
 * The demo agent as a program: ACP over stdio. `HERMES_DEMO_PACE` is how many ms pass between two pieces of text (25),
 * `HERMES_DEMO_DIR` a folder in which its sessions outlive it.
 */
import {Readable, Writable} from 'node:stream';
import {ndJsonStream} from '@agentclientprotocol/sdk';
import {createDemoAgent} from './demo-agent.js';
import {folderStore, memoryStore} from './session-store.js';

const {HERMES_DEMO_PACE: pace = '25', HERMES_DEMO_DIR: folder} = process.env;

const paceMs = Number(pace);
const connection = createDemoAgent({
  paceMs: Number.isFinite(paceMs) && paceMs >= 0 ? paceMs : 25,
  store: folder ? folderStore(folder) : memoryStore(),
  crash: () => process.exit(1),
}).connect(
  ndJsonStream(
    Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
    Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
  ),
);

// A turn that waits for nobody would keep the process; without a client it has no reason to be.
await connection.closed;
process.exit(0);
