/**
 * Gateway: many readers of one run and few readers of many, against the floor (line → insert → fan-out) in the same run.
 * Server, agents and readers are processes of their own; floor and gateway alternate, and ratios count.
 */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {withChildren} from './gateway/children.js';
import {journalCost} from './gateway/journal-cost.js';
import type {Served} from './gateway/server.js';
import {median} from './workload.js';

const ROUNDS = 3;
// A server that is still being compiled falls behind and then catches up; that is not what is measured.
const WARM_MS = 6000;
const MEASURE_MS = 8000;

interface Measured {
  /** CPU of the server, in µs. */
  readonly cpu: number;
  /** In ms, one a line and reader. */
  readonly latencies: readonly number[];
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

const script = (name: string) => join(import.meta.dirname, 'gateway', name);

const measure = (kind: 'floor' | 'gateway', runs: number, readers: number): Promise<Measured> =>
  inFolder((folder) =>
    withChildren(async (children) => {
      const agents = join(folder, 'agents.sock');
      const farm = children.start(script('farm.ts'), agents);
      await children.ask(farm);
      const server = children.start(script('server.ts'), kind, folder, agents, String(runs));
      const served = await children.ask<Served>(server);
      const reader = children.start(script('reader.ts'));
      await children.ask(reader, {...served, readers});
      farm.send('go');
      await children.whole(pause(WARM_MS));
      reader.send('begin');
      const before = await children.ask<number>(server, 'cpu');
      await children.whole(pause(MEASURE_MS));
      const cpu = (await children.ask<number>(server, 'cpu')) - before;
      return {cpu, latencies: await children.ask<number[]>(reader, 'end')};
    }),
  );

const round = (value: number) => Number(value.toFixed(2));

function quantile(measured: readonly Measured[], q: number): number {
  const each = measured.map(({latencies}) => {
    const sorted = [...latencies].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!;
  });
  return round(median(each));
}

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
  const expected = (runs * readers * 10 * MEASURE_MS) / 1000;
  console.log(
    JSON.stringify({
      case: 'gateway',
      readers,
      runs,
      cpu_ratio: round(median(ours.map(({cpu}, n) => cpu / floors[n]!.cpu))),
      p50_ms: quantile(ours, 0.5),
      p99_ms: quantile(ours, 0.99),
      floor_p99_ms: quantile(floors, 0.99),
      journal_us_per_event: round(await inFolder((folder) => journalCost(folder, runs))),
      floor_p50_ms: quantile(floors, 0.5),
      cpu_ms: round(median(ours.map(({cpu}) => cpu)) / 1000),
      floor_cpu_ms: round(median(floors.map(({cpu}) => cpu)) / 1000),
      // Of what was to reach the readers in that time; what is under way at its ends makes it not quite 1.
      delivered: round(median(ours.map(({latencies}) => latencies.length)) / expected),
    }),
  );
}
