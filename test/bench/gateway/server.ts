/** A server of the gateway benchmark, in a process of its own: `floor` or `gateway`. Says what CPU it has used. */
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Readable} from 'node:stream';
import {openFloor} from './floor.js';
import {openGateway} from './gateway.js';

export interface Served {
  readonly port: number;
  /** Path of a run's stream; `RUN` stands for its number. */
  readonly path: string;
  /** Called with the output of each agent. */
  listen(run: number, output: Readable): void;
}

const [kind, runs] = process.argv.slice(2) as [string, string];
const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
const served = await (kind === 'floor' ? openFloor : openGateway)(folder, Number(runs));
const farm = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'farm.ts'), runs], {
  stdio: ['pipe', 'inherit', 'inherit', ...Array.from({length: Number(runs)}, () => 'pipe' as const)],
});
for (let run = 0; run < Number(runs); run++) served.listen(run, farm.stdio[3 + run] as Readable);

process.on('message', (message) => {
  if (message === 'start') farm.stdin!.write('go\n');
  if (message === 'cpu') {
    const {user, system} = process.cpuUsage();
    process.send!(user + system);
  }
  if (message === 'stop') {
    farm.kill();
    rmSync(folder, {recursive: true, force: true});
    process.exit();
  }
});
process.send!({port: served.port, path: served.path});
