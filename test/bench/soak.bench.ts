/**
 * Soak: a turn of one hour in a few minutes. 2,000 tools, words and thoughts at 40 a second; what a delta costs in the first
 * and in the last tenth. What lies between comes as fast as it is taken in. `--tools N` is a shorter turn.
 */
import {parseArgs} from 'node:util';
import {withBrowser, type Tab} from './render/browser.js';
import {longRun} from './render/long-run.js';
import {rounded} from './render/run-case.js';

const ROUND = {thoughts: 8, words: 64, tools: 1};
const {values} = parseArgs({
  args: process.argv.slice(3),
  options: {tools: {type: 'string', default: '2000'}},
});
const TOOLS = Number(values.tools);
const EVENTS = TOOLS * (ROUND.thoughts + ROUND.words + 2 * ROUND.tools);
const TENTH = EVENTS / 10;
const PER_FRAME = 32;
/** Frames that are measured of a tenth: half of it at most. */
const FRAMES = Math.min(120, Math.floor(TENTH / 2 / PER_FRAME));

/** A stretch in the middle of the tenth that ends there, with all before it taken in, and what is held when it is over. */
async function tenth(tab: Tab, end: number) {
  const measured = FRAMES * PER_FRAME;
  const from = Math.floor(end - TENTH / 2 - measured / 2);
  await tab.evaluate(`long.rush(${from})`);
  const {cpu} = await tab.spent(() => tab.evaluate(`long.feed(${from + measured}, ${PER_FRAME})`));
  await tab.evaluate(`long.rush(${end})`);
  return {
    us: (cpu * 1000) / measured,
    heap: await tab.heap(),
    nodes: await tab.evaluate<number>('long.nodes()'),
  };
}

async function soak(tab: Tab) {
  await tab.evaluate(`import('/long.js')`);
  await tab.evaluate('long.open()');
  const first = await tenth(tab, TENTH);
  // The rest takes minutes.
  console.error(`First tenth: ${rounded(first.us, 1)} µs a delta, ${first.nodes} nodes.`);
  const last = await tenth(tab, EVENTS);
  const tasks = await tab.evaluate<{count: number; longest: number}>('long.longTasks()');
  const grown = (key: 'script' | 'dom') => rounded((last.heap[key] - first.heap[key]) / 1e6, 1);
  return {
    case: 'soak',
    events: EVENTS,
    tools: TOOLS,
    per_frame: PER_FRAME,
    first_us: rounded(first.us, 1),
    last_us: rounded(last.us, 1),
    growth: rounded(last.us / first.us, 2),
    heap_growth_mb: grown('script'),
    dom_growth_mb: grown('dom'),
    long_tasks: tasks.count,
    longest_ms: rounded(tasks.longest, 0),
    first_nodes: first.nodes,
    nodes: last.nodes,
  };
}

await withBrowser([], async (bench) => console.log(JSON.stringify(await bench.inTab(soak))), {
  '/events.json': JSON.stringify(longRun(EVENTS, ROUND)),
});
