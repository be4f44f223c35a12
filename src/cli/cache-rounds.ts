/**
 * Cache rounds: scenarios run through a gateway of their own, over a folder of notes that goes when they are done. What an
 * agent asks to do to these notes is allowed.
 */
import {mkdtemp, rm, writeFile, mkdir} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {
  createFolderHost,
  createGateway,
  defaultBasePath,
  folderToolServer,
  type Gateway,
  type Machine,
} from '../gateway/index.js';
import {createFrameDecoder, runTerminalNames} from '../protocol/index.js';
import {CommandError} from './command-error.js';
import type {CacheAsk, CacheScenario} from './cache-scenarios.js';

/** What a round says of the cache; null where its agent did not say. */
export interface CacheRound {
  readonly rate: number | null;
  readonly hitTokens: number | null;
  /** How it ended, where not well. */
  readonly failure: string | null;
}

export interface CacheResult {
  readonly scenario: CacheScenario;
  readonly rounds: readonly CacheRound[];
}

/** What the runs need. */
export interface CacheRun {
  readonly profile: string;
  readonly configFile: string | undefined;
  readonly machine: Machine;
  readonly scenarios: readonly CacheScenario[];
  /** Told before each round. */
  onRound(scenario: CacheScenario, round: number): void;
}

/** Runs the scenarios one after the other. A round that fails is a result; what keeps the gateway from starting is thrown. */
export async function runCacheScenarios(run: CacheRun): Promise<readonly CacheResult[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hermes-cache-'));
  const folder = join(dataDir, 'notes');
  const host = createFolderHost({folder});
  const tools = folderToolServer(host);
  let gateway: Gateway | null = null;
  try {
    const {profile, configFile, machine} = run;
    gateway = await createGateway({dataDir, tools, profile, configFile, machine});
    const results: CacheResult[] = [];
    for (const scenario of run.scenarios) {
      await writeNotes(folder, scenario);
      results.push({scenario, rounds: await converse(gateway, run, scenario)});
    }
    return results;
  } finally {
    host.stop();
    await gateway?.stop();
    await rm(dataDir, {recursive: true, force: true});
  }
}

async function writeNotes(folder: string, {notes}: CacheScenario): Promise<void> {
  await mkdir(folder, {recursive: true});
  for (const [id, markdown] of Object.entries(notes)) await writeFile(join(folder, `${id}.md`), markdown);
}

async function converse(gateway: Gateway, run: CacheRun, scenario: CacheScenario): Promise<CacheRound[]> {
  const {sessionId} = await ask(gateway, 'POST', '/sessions', {profile: run.profile});
  const rounds: CacheRound[] = [];
  for (const [index, asked] of scenario.rounds.entries()) {
    run.onRound(scenario, index + 1);
    rounds.push(await oneRound(gateway, String(sessionId), scenario, asked));
  }
  await ask(gateway, 'DELETE', `/sessions/${String(sessionId)}`);
  return rounds;
}

async function oneRound(
  gateway: Gateway,
  sessionId: string,
  {notes}: CacheScenario,
  {note, prompt}: CacheAsk,
): Promise<CacheRound> {
  const pageContext = `docId: ${note}\n\n${notes[note] ?? ''}`;
  const {runId} = await ask(gateway, 'POST', '/runs', {sessionId, prompt, pageContext});
  const end = await follow(gateway, String(runId));
  const failure = end.event === 'run.completed' ? null : (end.error ?? end.event);
  return {rate: end.cacheHitRate ?? null, hitTokens: end.cacheHitTokens ?? null, failure};
}

interface Heard {
  readonly event: string;
  readonly error?: string;
  readonly cacheHitRate?: number;
  readonly cacheHitTokens?: number;
  readonly permission_id?: string;
  readonly options?: readonly {readonly id: string; readonly kind: string}[];
}

/** Reads a run to its end, and allows what it asks. */
async function follow(gateway: Gateway, run: string): Promise<Heard> {
  const {body} = await gateway.fetch(new Request(`${ROOT}/events/${run}`));
  const heard: Heard[] = [];
  const decoder = createFrameDecoder({onEvent: ({data}) => heard.push(JSON.parse(data as string) as Heard)});
  const text = new TextDecoder();
  let last: Heard = {event: 'run.failed', error: 'The stream ended before the run.'};
  for await (const bytes of body ?? []) {
    decoder.push(text.decode(bytes as Uint8Array, {stream: true}));
    for (const event of heard.splice(0)) {
      if (event.event === 'permission.requested') await allow(gateway, run, event);
      if (runTerminalNames.has(event.event)) last = event;
    }
  }
  return last;
}

async function allow(gateway: Gateway, run: string, {permission_id, options = []}: Heard): Promise<void> {
  const option =
    options.find(({kind}) => kind === 'allow_once') ?? options.find(({kind}) => kind === 'allow_always');
  if (option) await ask(gateway, 'POST', `/runs/${run}/permissions/${permission_id}`, {optionId: option.id});
}

const ROOT = `http://localhost${defaultBasePath}`;

async function ask(
  gateway: Gateway,
  method: string,
  path: string,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const init = body && {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)};
  const response = await gateway.fetch(new Request(ROOT + path, {method, ...init}));
  const answer = (await response.json()) as Readonly<Record<string, unknown>>;
  if (response.ok) return answer;
  throw new CommandError(
    'failure',
    typeof answer['error'] === 'string' ? answer['error'] : `${path}: ${response.status}.`,
  );
}
