/**
 * Mount: a transcript of 1,000 turns × 30 rows that is set at once, the same as a gateway sends it in pages, and a turn of
 * 50,000 events that gets one delta more.
 */
import {withBrowser, type Tab} from './render/browser.js';
import {longRun, longTranscript} from './render/long-run.js';
import {rounded} from './render/run-case.js';

const TURNS = 1000;
const EVENTS = 50_000;
const MORE = 120;
const PAGE = 50;

const whole = longTranscript(TURNS);

/** What a gateway answers to one who asks for pages of it. */
const pages = Object.fromEntries(
  Array.from({length: TURNS / PAGE}, (_, page) => {
    const earlier = page * PAGE;
    const end = earlier + PAGE;
    const before = end === TURNS ? '' : `&turn_before=${end}`;
    const transcript = {...whole, turns: whole.turns.slice(earlier, end)};
    const answer = {transcript, earlier, cursor: null, activeRunId: null, pendingPermissions: []};
    return [`/api/sessions/s1?turn_limit=${PAGE}${before}`, JSON.stringify(answer)];
  }),
);

const files = {
  ...pages,
  '/snapshot.json': JSON.stringify(whole),
  '/events.json': JSON.stringify(longRun(EVENTS + MORE, {thoughts: 10, words: 150, tools: 20})),
};

const state = async (tab: Tab) => {
  const tasks = await tab.evaluate<{count: number; longest: number}>('long.longTasks()');
  const heap = await tab.heap();
  return {
    long_tasks: tasks.count,
    longest_ms: rounded(tasks.longest, 0),
    nodes: await tab.evaluate<number>('long.nodes()'),
    heap_mb: rounded(heap.script / 1e6, 1),
    dom_mb: rounded(heap.dom / 1e6, 1),
  };
};

/** From the moment it is set until its first turns are seen, and until all that is drawn by itself is. */
async function mount(tab: Tab, what: 'transcript' | 'pages', expression: string) {
  await tab.evaluate(`import('/long.js')`);
  let times = {first: 0, all: 0, turns: TURNS};
  const {cpu} = await tab.spent(async () => (times = await tab.evaluate(expression)));
  const [first_ms, all_ms] = [rounded(times.first, 0), rounded(times.all, 0)];
  return {
    case: 'mount',
    what,
    turns: times.turns,
    first_ms,
    all_ms,
    cpu_ms: rounded(cpu, 0),
    ...(await state(tab)),
  };
}

/** One delta a frame; what a frame takes in which nothing comes is told beside it. */
async function turn(tab: Tab) {
  await tab.evaluate(`import('/long.js')`);
  await tab.evaluate('long.open()');
  let all = 0;
  const load = await tab.spent(async () => (all = await tab.evaluate(`long.rush(${EVENTS}, true)`)));
  const loaded = await state(tab);
  const idle = await tab.spent(() => tab.evaluate(`long.idle(${MORE})`));
  const more = await tab.spent(() => tab.evaluate(`long.feed(${EVENTS + MORE}, 1)`));
  return {
    case: 'mount',
    what: 'turn',
    events: EVENTS,
    all_ms: rounded(all, 0),
    cpu_ms: rounded(load.cpu, 0),
    ...loaded,
    delta_us: rounded((more.cpu * 1000) / MORE, 0),
    idle_us: rounded((idle.cpu * 1000) / MORE, 0),
  };
}

await withBrowser(
  [],
  async (bench) => {
    for (const [what, expression] of [
      ['transcript', 'long.mount()'],
      ['pages', `long.pages(${PAGE})`],
    ] as const)
      console.log(JSON.stringify(await bench.inTab((tab) => mount(tab, what, expression))));
    console.log(JSON.stringify(await bench.inTab(turn)));
  },
  files,
);
