/** A long turn as bytes: 80 % tokens in N/200 messages, 10 % tool events, the rest metering, as Hermes WebUI sends it. */
import {encodeFrame} from '../../src/protocol/index.js';

const words = 'the page keeps every word of the agent where the reader left it while more arrive '.split(' ');

/** One run of `events` frames; the last is `stream_end`, so that a turn may be measured while it runs. */
export function longTurn(events: number, run = 'f00dfeed'.repeat(4)): Uint8Array {
  const frames: string[] = [];
  const message = 200;
  let call = 0;
  for (let seq = 1; seq <= events; seq++) {
    frames.push(encodeFrame({id: `${run}:${seq}`, ...frameAt(seq, message, () => call++)}));
  }
  return new TextEncoder().encode(frames.join(''));
}

function frameAt(seq: number, message: number, nextCall: () => number): {name: string; data: object} {
  const at = seq % message;
  // Twenty tool events stand together at the end of each message, a metering frame after each of them.
  if (at >= message - 40) {
    if (at % 2 === 1) return {name: 'metering', data: {tps: 40.1, active: 1, session_id: 'a1c0ffee0001'}};
    const open = at % 4 === 0;
    const call = open ? nextCall() : -1;
    const tid = `call_${open ? call : lastCall}`;
    if (open) lastCall = call;
    const args = {path: `notes/${lastCall % 97}.md`};
    return open
      ? {name: 'tool', data: {event_type: 'tool.started', name: 'read_file', preview: null, args, tid}}
      : {
          name: 'tool_complete',
          data: {
            event_type: 'tool.completed',
            name: 'read_file',
            preview: '# Notes\nsome lines',
            args,
            tid,
            is_error: false,
          },
        };
  }
  return {name: 'token', data: {text: `${words[seq % words.length]!} `}};
}

let lastCall = 0;

/** Network chunks of about 16 KiB. */
export function chunksOf(bytes: Uint8Array, size = 16_384): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

/** The middle one of several measurements. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
