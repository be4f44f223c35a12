/** A transcript on the page, reading one play of a recording to its end. */
import '../../../src/define.js';
import type {HermesTranscript, HermesTurn} from '../../../src/index.js';
import {displayModes, expectedRows, project, reconcile, type DisplayMode} from '../../../src/scene/index.js';
import * as assert from '../../support/assert.js';

/** One recording, as the player lists it. */
export interface Listed {
  readonly name: string;
  readonly run: string;
  readonly events: number;
}

/** What the player's list says of a recording. */
export async function listed(name: string): Promise<Listed> {
  const list = (await (await fetch('/api/recordings')).json()) as Listed[];
  const found = list.find((recording) => recording.name === name);
  assert.ok(found, `the player does not list ${name}`);
  return found;
}

let plays = 0;

/** The address of a play; a new run unless `play` names one. */
export function address({name, run}: Listed, query: Record<string, string | number> = {}): string {
  const play = `${performance.timeOrigin}-${++plays}`;
  const all = Object.entries({pace: 'instant', retry: 5, play, ...query});
  return `/play/${name}/events/${run}?${all.map((pair) => pair.join('=')).join('&')}`;
}

/** A transcript that has read its stream to the end. */
export interface Stage {
  readonly transcript: HermesTranscript;
  /** How often the connection broke. */
  readonly breaks: number;
  /** How often something was heard while the turn was still running. */
  readonly batches: number;
  remove(): void;
}

/**
 * Gives a transcript a box of its own that is in sight whole: its reader follows the end from the first row on, however
 * much comes at once and whatever else is on the page, so worklogs fold alike.
 */
export function inSight({style}: HTMLElement): void {
  style.cssText = 'position: fixed; inset: 0 0 auto; block-size: 200px';
}

/** Reads a play to its end. `onBatch` is called after every batch, in the middle of the stream. */
export async function read(
  src: string,
  onBatch?: (transcript: HermesTranscript, batch: number) => void,
): Promise<Stage> {
  const transcript = document.createElement('hermes-transcript');
  transcript.src = src;
  inSight(transcript);
  let breaks = 0;
  let batches = 0;
  const ended = new Promise<void>((resolve) => {
    transcript.addEventListener('hermes-connection-changed', ({connection: {phase}}) => {
      if (phase === 'waiting') breaks++;
      if (phase === 'ended' || phase === 'lost') resolve();
    });
  });
  document.body.append(transcript);
  await transcript.updateComplete;
  transcript.shown?.subscribe(() => onBatch?.(transcript, batches++));
  await ended;
  await transcript.updateComplete;
  return {transcript, breaks, batches, remove: () => transcript.remove()};
}

/** The transcript as JSON without its statistics: how often something came is not what it said. */
export function facts({snapshot}: HermesTranscript): unknown {
  assert.ok(snapshot);
  const {session, turns} = snapshot;
  return {
    session: {...session, stats: null},
    turns: turns.map((turn) => ({...turn, stats: null})),
  };
}

/** Asserts that the screen shows the scene, and returns what stands there in each mode. */
export async function rowsInAllModes(transcript: HermesTranscript): Promise<Record<DisplayMode, unknown>> {
  const rows = {} as Record<DisplayMode, unknown>;
  for (const mode of displayModes) {
    transcript.mode = mode;
    await transcript.updateComplete;
    rows[mode] = await Promise.all(turnsOf(transcript).map((turn) => matchedRows(turn, mode)));
  }
  return rows;
}

function turnsOf({shadowRoot}: HermesTranscript): HermesTurn[] {
  return [...shadowRoot!.querySelectorAll<HermesTurn>('[part=turn]')];
}

async function matchedRows(turn: HermesTurn, mode: DisplayMode) {
  await turn.updateComplete;
  const rows = turn.renderedRows();
  const expected = expectedRows(project(turn.anchor!, mode), {open: turn.openRows});
  assert.deepEqual(reconcile(expected, rows).mismatches, []);
  return rows;
}
