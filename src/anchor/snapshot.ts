/**
 * `hermes.transcript.v1`: the one JSON format of a transcript. It is the recovery cache, the JSON island, the export,
 * a gateway's settled history and what `fold` prints. Its schema is docs/hermes.transcript.v1.schema.json.
 */
import {digest} from './digest.js';
import type {FoldedTranscript, Evidence} from './fold.js';
import {rebuild} from './fold.js';
import type {Json, JsonObject} from './json.js';
import {RunFold, type FoldMemo} from './run-fold.js';
import {isWholeMemo} from './resume-shape.js';
import {RunState, type RunMemo} from './run-state.js';
import {stripPrototypeKeys} from './sanitize.js';
import {GrowingText} from './text.js';
import {readSession, readTurns} from './snapshot-shape.js';
import type {Transcript} from './transcript.js';
import {isAnswerItem, type ActivityItem, type Artifact, type Stats, type TurnAnchor} from './turn-anchor.js';
import {UnreadableError} from './unreadable-error.js';
import {Vector} from './vector.js';

/** The format's name and version. */
export const TRANSCRIPT_FORMAT = 'hermes.transcript.v1';

export interface ItemJson {
  readonly id: string;
  readonly kind: ActivityItem['kind'];
  readonly status: string | null;
  readonly text: string;
  readonly at: number | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly tool: ActivityItem['tool'];
  readonly control: ActivityItem['control'];
}

/** One turn of the format; docs/hermes.transcript.v1.schema.json describes each field. */
export interface TurnJson extends Omit<
  TurnAnchor,
  'items' | 'answer' | 'answerMessage' | 'renamed' | 'stats'
> {
  readonly answer: string;
  readonly items: readonly ItemJson[];
  readonly applied: Readonly<Record<string, readonly (readonly [number, number])[]>>;
  readonly resume: JsonObject | null;
  readonly stats: Stats;
}

export interface TranscriptJson {
  readonly format: typeof TRANSCRIPT_FORMAT;
  readonly session: Transcript['session'];
  readonly turns: readonly TurnJson[];
}

/** The transcript as JSON: a copy that shares nothing that grows. */
export function toSnapshot(transcript: FoldedTranscript): TranscriptJson {
  const {session, turns, evidence} = transcript;
  return {
    format: TRANSCRIPT_FORMAT,
    session: {...session, stats: copyStats(session.stats)},
    turns: turns.map((turn) => turnToJson(turn, evidence)),
  };
}

/** The digest of a turn (law 15). */
export function turnDigest(turn: TurnAnchor): string {
  return digest(turnToJson(turn, null));
}

function turnToJson(turn: TurnAnchor, evidence: Evidence | null): TurnJson {
  const {items, answer, answerMessage: _answerMessage, renamed: _renamed, stats, ...rest} = turn;
  const shown = [...items].filter((item) => !isAnswerItem(turn, item) && !isEmpty(item)).map(itemToJson);
  const origin = origins.get(turn);
  const runs = evidence
    ? turn.runIds.map((id) => evidence.runs.get(id)).filter((run) => run !== undefined)
    : [];
  return {
    ...rest,
    answer: answer.toString(),
    items: terminalRow(turn, shown),
    applied:
      origin?.applied ??
      Object.fromEntries(runs.filter((run) => run.seen).map((run) => [run.id, run.ranges])),
    resume: origin ? origin.resume : resumeOf(turn, runs),
    stats: copyStats(stats),
  };
}

/** What an archived turn said beside its anchor: given out again as long as the turn stands as it came. */
const origins = new WeakMap<TurnAnchor, Pick<TurnJson, 'applied' | 'resume'>>();

/** A thought that was only an echo has no text left. */
function isEmpty(item: ActivityItem): boolean {
  return (item.kind === 'prose' || item.kind === 'reasoning') && item.text.length === 0;
}

function itemToJson(item: ActivityItem): ItemJson {
  const {message: _message, text, ...rest} = item;
  return {...rest, text: text.toString()};
}

/** A terminal item stands last, only when the turn did not simply complete. */
function terminalRow(turn: TurnAnchor, items: readonly ItemJson[]): readonly ItemJson[] {
  if (turn.terminal === null || turn.terminal === 'completed') return items;
  const text = turn.error?.message ?? '';
  const at = turn.completedAt;
  const terminal = {id: 'terminal', kind: 'terminal', status: turn.terminal, text, at} as const;
  return [...items, {...terminal, from: null, to: null, tool: null, control: null}];
}

function copyStats(stats: Stats): Stats {
  return {...stats, excluded: {...stats.excluded}};
}

/** What a fold needs to go on after the cursor; null where it could not (a hole, several runs, a finished turn). */
function resumeOf(turn: TurnAnchor, runs: readonly RunState[]): JsonObject | null {
  const run = runs[0];
  if (turn.status !== 'running' || runs.length !== 1 || !run || run.hole || !run.seen || run.watermark === 0)
    return null;
  const answers = [...turn.items].flatMap((item, index) =>
    isAnswerItem(turn, item) || isEmpty(item) ? [{index, item: itemToJson(item)}] : [],
  );
  return {version: 1, run: run.memo(), fold: run.view.memo(), answers} as unknown as JsonObject;
}

/**
 * What a snapshot is: `history`, the session's settled history, as a gateway stores it; `earlier`, some more of it, from before
 * all that is known; `cache`, a recovery cache, which paints first and yields to everything.
 */
export type SnapshotRank = 'history' | 'earlier' | 'cache';

/**
 * Takes a snapshot in. A running turn with `resume` and no hole goes on at its cursor.
 *
 * @throws UnreadableError when `json` is not a `hermes.transcript.v1`.
 */
export function applySnapshot(
  transcript: FoldedTranscript,
  json: unknown,
  rank: SnapshotRank,
): FoldedTranscript {
  const snapshot = readSnapshot(json);
  const archive = snapshot.turns.map(archivedTurn);
  let {runs} = transcript.evidence;
  snapshot.turns.forEach((turn, n) => {
    const run = resumed(turn, archive[n]!, runs);
    if (run) runs = new Map(runs).set(run.id, run);
  });
  const before = transcript.evidence.archive;
  const given = new Set(archive.map(({id}) => id));
  // Each side may know more at either end: what stands before the first one both know stays there.
  const common = before.findIndex(({id}) => given.has(id));
  const earlier = rank === 'earlier' ? 0 : common < 0 ? before.length : common;
  const later = before.slice(earlier).filter(({id}) => !given.has(id));
  const evidence: Evidence = {
    ...transcript.evidence,
    runs,
    archive: [...before.slice(0, earlier), ...archive, ...later],
    archiveSettled: transcript.evidence.archiveSettled || rank !== 'cache',
    archivedSession: snapshot.session,
    notices: snapshot.session.notices.length > 0 ? snapshot.session.notices : transcript.evidence.notices,
    payloadLinks: sessionChain(snapshot, transcript.evidence.payloadLinks),
  };
  return rebuild(transcript, evidence);
}

/** The snapshot's aliases are ids of one session, its own id the newest. */
function sessionChain({session}: TranscriptJson, links: Evidence['payloadLinks']): Evidence['payloadLinks'] {
  const {id, aliases} = session;
  const known = new Set(links.map((chain) => chain.join(' ')));
  const fresh =
    id === null ? [] : aliases.map((alias) => [alias, id]).filter((chain) => !known.has(chain.join(' ')));
  return fresh.length === 0 ? links : [...links, ...fresh];
}

/** Reads and checks the outer shape; odd fields inside become their empty values. */
function readSnapshot(json: unknown): TranscriptJson {
  const value = stripPrototypeKeys(json as Json) as unknown as Partial<TranscriptJson> | null;
  if (
    value === null ||
    typeof value !== 'object' ||
    value.format !== TRANSCRIPT_FORMAT ||
    !Array.isArray(value.turns)
  ) {
    throw new UnreadableError(`This is not a ${TRANSCRIPT_FORMAT}: it needs "format" and a list of "turns".`);
  }
  const {session, turns} = value as unknown as {session?: Json; turns: readonly unknown[]};
  return {format: TRANSCRIPT_FORMAT, session: readSession(session), turns: readTurns(turns)};
}

/** The turn as an anchor: its answer becomes prose again so that its row keeps its id. */
function archivedTurn(json: TurnJson): TurnAnchor {
  const turn = json;
  const answerMessage = turn.answerId === null ? null : ordinalOf(turn.answerId);
  const items = turn.items.filter((item) => item.kind !== 'terminal').map(itemFromJson);
  const answer = GrowingText.of(turn.answer);
  if (answerMessage !== null && !items.some((item) => item.id === turn.answerId)) {
    items.push({...blankItem, id: turn.answerId!, kind: 'prose', text: answer, message: answerMessage});
  }
  const {applied, resume, ...rest} = turn;
  const anchor = {...rest, items: Vector.from(items), answer, answerMessage, renamed: null};
  origins.set(anchor, {applied, resume});
  return anchor;
}

function itemFromJson(json: ItemJson): ActivityItem {
  const message = json.kind === 'prose' || json.kind === 'reasoning' ? ordinalOf(json.id) : null;
  return {...blankItem, ...json, text: GrowingText.of(json.text), message};
}

function ordinalOf(id: string): number | null {
  const ordinal = Number(id.split(':')[1]);
  return Number.isInteger(ordinal) ? ordinal : null;
}

const blankItem: ActivityItem = {
  id: '',
  kind: 'prose',
  status: null,
  text: GrowingText.empty,
  at: null,
  from: null,
  to: null,
  message: null,
  tool: null,
  control: null,
};

interface Resume {
  readonly version: number;
  readonly run: RunMemo;
  readonly fold: FoldMemo;
  readonly answers: readonly {readonly index: number; readonly item: ItemJson}[];
}

/** The run of a running turn, ready to go on; painted where it can only be shown. */
function resumed(json: TurnJson, turn: TurnAnchor, runs: Evidence['runs']): RunState | null {
  const id = json.runIds.at(-1);
  if (id === undefined || json.status === 'settled' || json.status === 'created') return null;
  const before = runs.get(id) ?? new RunState(id);
  const watermark = Number(json.cursor?.slice(json.cursor.lastIndexOf(':') + 1) ?? 0);
  if (!(watermark > 0)) return null;
  const resume = json.resume as unknown as Resume | null;
  if (resume?.version === 1 && resume.run?.id === id) {
    try {
      const items = itemsWithAnswers(json, resume);
      if (isWholeMemo(resume.run, resume.fold, items))
        return before.resume(RunFold.from(resume.fold, items, factsOf(turn)), watermark, resume.run);
    } catch {
      // Not ours, whatever it says: it is painted like any other.
    }
  }
  const painted = RunFold.painted(turn.items, turn.answerMessage, turn.answer, factsOf(turn));
  return before.painted(painted, watermark);
}

function itemsWithAnswers(json: TurnJson, {answers}: Resume): Vector<ActivityItem> {
  const items = json.items.filter((item) => item.kind !== 'terminal').map(itemFromJson);
  for (const {index, item} of answers) items.splice(index, 0, itemFromJson(item));
  return Vector.from(items);
}

function factsOf(turn: TurnAnchor): {
  usage: TurnAnchor['usage'];
  plan: TurnAnchor['plan'];
  artifacts: readonly Artifact[];
} {
  return {usage: turn.usage, plan: turn.plan, artifacts: turn.artifacts};
}
