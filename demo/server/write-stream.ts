/** Event streams, written: one connection of a play, with everything that may go wrong with it. */
import {once} from 'node:events';
import type {ServerResponse} from 'node:http';
import {setImmediate as turn, setTimeout as wait} from 'node:timers/promises';
import {encodeComment, encodeFrame} from '../../src/protocol/index.js';
import {tear, type Cut} from './faults.js';
import type {Play, Reading} from './play.js';
import type {Random} from './random.js';
import type {ResumeRequest} from './resume.js';

/** How long a stream may be silent before a comment shows that it lives, in ms. */
const SILENCE = 5000;

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
};

/** Sends a play from where the request continues, until it ends, breaks, or the reader goes. */
export async function writeStream(
  play: Play,
  request: ResumeRequest,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.on('error', () => gone.abort());
  const reading = play.attach(request);
  response.writeHead(200, headers);
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  try {
    // An empty body says that there is nothing more, so nothing else may stand in it.
    if (reading.from < play.frames.length) await writeDelay(request, response, gone.signal);
    await writeFrames(play, reading, response, gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

/** How long readers shall wait before they come back, if the address says so. */
async function writeDelay({query}: ResumeRequest, response: ServerResponse, gone: AbortSignal) {
  const ms = query.get('retry') ?? '';
  if (/^\d+$/.test(ms)) await write(response, `retry: ${ms}\n\n`, gone);
}

async function writeFrames(play: Play, {from, random}: Reading, response: ServerResponse, gone: AbortSignal) {
  for (let index = from; index < play.frames.length; index++) {
    await untilThere(play, index, response, gone);
    const bytes = bytesOf(play, index, random);
    const cut = play.takeCut(index);
    if (cut) return breakOff(response, bytes, cut);
    for (const piece of play.fault.torn ? tear(bytes, random) : [bytes]) {
      await write(response, piece, gone);
      // Pieces written in one turn of the loop would travel as one.
      if (play.fault.torn) await turn(undefined, {signal: gone});
    }
  }
  response.end();
}

async function untilThere(play: Play, index: number, response: ServerResponse, gone: AbortSignal) {
  for (let ms = play.untilFrame(index); ms > 0; ms = play.untilFrame(index)) {
    await wait(Math.min(ms, SILENCE), undefined, {signal: gone});
    if (ms > SILENCE) await write(response, encodeComment('heartbeat'), gone);
  }
}

/** The frame, now and then sent twice or with one from before. Only frames with an id: others could not be told apart. */
function bytesOf({frames, fault}: Play, index: number, random: Random): Uint8Array {
  const texts = [encodeFrame(frames[index]!.event)];
  if (fault.repeats && random.next() < 0.3) {
    const {event} = frames[random.whole(Math.max(0, index - 8), index)]!;
    if (event.id !== null) texts.push(encodeFrame(event));
  }
  return Buffer.from(texts.join(''));
}

function breakOff(response: ServerResponse, bytes: Uint8Array, {inside, broken}: Cut): void {
  const part = bytes.subarray(0, inside === null ? 0 : Math.floor(inside * bytes.length));
  if (!broken) response.end(part);
  else if (part.length === 0) response.destroy();
  else response.write(part, () => response.destroy());
}

async function write(response: ServerResponse, bytes: string | Uint8Array, gone: AbortSignal): Promise<void> {
  gone.throwIfAborted();
  if (!response.write(bytes)) await once(response, 'drain', {signal: gone});
}
