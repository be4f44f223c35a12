/** The player: the routes that answer as Hermes WebUI would, for the demo's server and for the browser tests alike. */
import type {IncomingMessage, ServerResponse} from 'node:http';
import {isFaultName} from './faults.js';
import {Play, paces, type PaceName, type PlayOptions} from './play.js';
import {allRecordings, readText, recordingOfRun, type Recording} from './recordings.js';
import {writeStream} from './write-stream.js';

/** Answers a request; false when the address is none of the player's. */
export type Player = (request: IncomingMessage, response: ServerResponse) => boolean;

/** How many plays are remembered, so that a reader who comes back finds his own. */
const MOST_PLAYS = 500;

/** A player with plays of its own. */
export function createPlayer(): Player {
  const plays = new Map<string, Play>();
  return (request, response) => {
    const url = new URL(`http://localhost${request.url}`);
    const route = routeOf(url.pathname);
    if (!route) return false;
    try {
      route(url, request, response, plays);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      sendJson(response, {error: error.message}, error.status);
    }
    return true;
  };
}

/** A request that cannot be answered, with a sentence that says why. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

type Plays = Map<string, Play>;
type Route = (url: URL, request: IncomingMessage, response: ServerResponse, plays: Plays) => void;

function routeOf(path: string): Route | undefined {
  if (path === '/api/recordings') return (_url, _request, response) => sendJson(response, list());
  const part = /^\/api\/recordings\/(.+)\/(session|start|expected)$/.exec(path);
  if (part) return (_url, _request, response) => sendPart(response, named(part[1]!), part[2] as Part);
  const play = /^\/play\/(.+)\/events(?:\/[^/]+)?$/.exec(path);
  if (play) return (...request) => sendPlay(named(play[1]!), ...request);
  const run = /^\/api\/hermes\/client\/events\/([^/]+)$/.exec(path);
  if (run) return (...request) => sendPlay(ofRun(run[1]!), ...request);
  return undefined;
}

function named(encoded: string): Recording {
  const name = decode(encoded);
  const recording = allRecordings().get(name);
  if (recording) return recording;
  throw new Refusal(
    404,
    `There is no recording ${name}. GET /api/recordings lists those that can be played.`,
  );
}

function ofRun(encoded: string): Recording {
  const run = decode(encoded);
  const recording = recordingOfRun(run);
  if (recording) return recording;
  throw new Refusal(404, `No recording holds a run ${run}. GET /api/recordings lists the runs there are.`);
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new Refusal(400, `${encoded} is not a well-formed part of an address.`);
  }
}

function list() {
  return [...allRecordings().values()].map(({name, title, wire, run, frames, expected}) => ({
    name,
    title,
    wire,
    run,
    events: frames.length,
    milliseconds: frames.at(-1)?.at ?? 0,
    terminal: expected.full.turns.at(-1)?.terminal ?? null,
    settled: expected.settled !== null,
    start: expected.start.length > 0,
  }));
}

type Part = 'session' | 'start' | 'expected';

function sendPart(response: ServerResponse, {name, expected}: Recording, part: Part) {
  if (part === 'expected') return sendJson(response, expected);
  const path = part === 'session' ? expected.settled : expected.start[0];
  if (path == null) throw new Refusal(404, `Nothing of that kind was recorded with ${name}.`);
  response.writeHead(200, {'content-type': 'application/json', 'cache-control': 'no-store'});
  response.end(readText(path));
}

function sendPlay(
  recording: Recording,
  ...[{searchParams: query}, request, response, plays]: Parameters<Route>
) {
  const {refusal} = recording;
  if (refusal) {
    response.writeHead(refusal.status, {'content-type': 'application/json'});
    response.end(refusal.body);
    return;
  }
  const header = request.headers['last-event-id'];
  const lastEventId = typeof header === 'string' ? header : null;
  const play = playOf(recording, query, plays);
  void writeStream(play, {query, lastEventId}, response).catch((error: Error) => response.destroy(error));
}

/** The play a request names, so that a reader who comes back goes on in the same run; a new one when it names none. */
function playOf(recording: Recording, query: URLSearchParams, plays: Plays): Play {
  const options = readOptions(query);
  const id = query.get('play');
  const key = JSON.stringify([id, recording.name, options]);
  const known = id === null ? undefined : plays.get(key);
  if (known) return known;
  const play = new Play(recording, options);
  if (id !== null) plays.set(key, play);
  const [oldest] = plays.keys();
  if (plays.size > MOST_PLAYS) plays.delete(oldest!);
  return play;
}

function readOptions(query: URLSearchParams): PlayOptions {
  const {pace = 'real', fault = 'none', seed = '1', cuts} = Object.fromEntries(query);
  if (!isPaceName(pace))
    throw new Refusal(400, `There is no pace ${pace}; there are real, fast and instant.`);
  if (!isFaultName(fault)) throw new Refusal(400, `There is no fault ${fault}; see demo/server/faults.ts.`);
  return {pace, fault, seed: whole(seed, 'seed'), cuts: cuts === undefined ? undefined : whole(cuts, 'cuts')};
}

function isPaceName(name: string): name is PaceName {
  return Object.hasOwn(paces, name);
}

function whole(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Refusal(400, `${name} must be a whole number, and ${text} is none.`);
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, {'content-type': 'application/json', 'cache-control': 'no-store'});
  response.end(JSON.stringify(value));
}
