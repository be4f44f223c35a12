/**
 * Gateway: many readers of few runs and few readers of many, against the floor (line → insert → fan-out) in the same run.
 * Servers, agents and readers are processes of their own; floor and gateway alternate, and ratios count.
 */
import {fork, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openSqliteJournal} from '../../src/gateway/journal/sqlite-journal.js';
import {openRun} from './gateway/gateway.js';
import {median} from './workload.js';

const ROUNDS = 3;
const WARM_MS = 3000;
const MEASURE_MS = 8000;

interface Measured {
  /** CPU of the server, in µs. */
  readonly cpu: number;
  readonly latencies: readonly number[];
}

const start = (script: string, ...given: readonly string[]): ChildProcess =>
  fork(join(import.meta.dirname, 'gateway', script), given, {
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  });

async function ask<T>(child: ChildProcess, message?: string): Promise<T> {
  if (message !== undefined) child.send(message);
  return ((await once(child, 'message')) as [T])[0];
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function measure(kind: 'floor' | 'gateway', runs: number, readers: number): Promise<Measured> {
  const server = start('server.ts', kind, String(runs));
  const {port, path} = await ask<{port: number; path: string}>(server);
  const reader = start('reader.ts', String(port), String(runs), String(readers), path);
  await ask(reader);
  server.send('start');
  await pause(WARM_MS);
  reader.send('begin');
  const before = await ask<number>(server, 'cpu');
  await pause(MEASURE_MS);
  const cpu = (await ask<number>(server, 'cpu')) - before;
  const latencies = await ask<number[]>(reader, 'end');
  reader.kill();
  server.send('stop');
  await once(server, 'exit');
  return {cpu, latencies};
}

const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))]!;

/** CPU of recorder and journal alone, in µs an event; each run says one thing a turn of the event loop. */
async function journalCost(runs: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
  const journal = await openSqliteJournal({file: join(folder, 'journal.db')});
  const recorders = [];
  for (let run = 0; run < runs; run++) recorders.push(await openRun(journal, run));
  const update = {
    sessionUpdate: 'agent_message_chunk',
    content: {type: 'text', text: 'the page keeps every word '},
  };
  const turns = Math.ceil(20_000 / runs);
  const before = process.cpuUsage();
  for (let turn = 0; turn < turns; turn++) {
    recorders.forEach((recorder, run) => {
      const message = {jsonrpc: '2.0', method: 'session/update', params: {sessionId: `a${run}`, update}};
      void recorder.observe({from: 'agent', message, at: turn});
    });
    await recorders.at(-1)!.flushed();
  }
  const {user, system} = process.cpuUsage(before);
  await journal.close();
  rmSync(folder, {recursive: true});
  return (user + system) / (turns * runs);
}

const round = (value: number) => Number(value.toFixed(2));

for (const [runs, readers] of [
  [1, 1000],
  [200, 5],
] as const) {
  const floors: Measured[] = [];
  const ours: Measured[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    floors.push(await measure('floor', runs, readers));
    ours.push(await measure('gateway', runs, readers));
  }
  const of = (measured: readonly Measured[], q: number) =>
    round(median(measured.map(({latencies}) => quantile(latencies, q))));
  const expected = (runs * readers * 10 * MEASURE_MS) / 1000;
  console.log(
    JSON.stringify({
      case: 'gateway',
      readers,
      runs,
      cpu_ratio: round(median(ours.map(({cpu}, n) => cpu / floors[n]!.cpu))),
      p50_ms: of(ours, 0.5),
      p99_ms: of(ours, 0.99),
      floor_p50_ms: of(floors, 0.5),
      floor_p99_ms: of(floors, 0.99),
      journal_us_per_event: round(await journalCost(runs)),
      cpu_ms: round(median(ours.map(({cpu}) => cpu)) / 1000),
      floor_cpu_ms: round(median(floors.map(({cpu}) => cpu)) / 1000),
      // Every line reached every reader in the window, within what begins before and ends after it.
      delivered: round(median(ours.map(({latencies}) => latencies.length)) / expected),
    }),
  );
}
