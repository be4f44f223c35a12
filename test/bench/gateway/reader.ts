/** The readers of the gateway benchmark, in one process: plain sockets that note how old each line is when it arrives. */
import {connect} from 'node:net';
import {endWithParent} from './children.js';

/** What is to be read: so many readers of each path. */
export interface Reading {
  readonly port: number;
  readonly paths: readonly string[];
  readonly readers: number;
}

endWithParent();

let latencies: number[] = [];
let waiting = 0;

function read(port: number, path: string): void {
  const socket = connect(port, '127.0.0.1');
  let tail = '';
  let isFirst = true;
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    if (isFirst) {
      isFirst = false;
      if (!chunk.startsWith('HTTP/1.1 200')) throw new Error(chunk);
      if (--waiting === 0) process.send!('open');
    }
    const now = Number(process.hrtime.bigint());
    const text = tail + chunk;
    let end = 0;
    for (let at = text.indexOf('t='); at >= 0; at = text.indexOf('t=', end)) {
      const stop = text.indexOf(';', at);
      if (stop < 0) break;
      end = stop + 1;
      const sent = Number(text.slice(at + 2, stop));
      if (sent > 0) latencies.push((now - sent) / 1e6);
    }
    tail = text.slice(Math.max(end, text.length - 40));
  });
}

process.on('message', (message: Reading | 'begin' | 'end') => {
  if (message === 'begin') latencies = [];
  else if (message === 'end') process.send!(latencies);
  else {
    const {port, paths, readers} = message;
    waiting = paths.length * readers;
    for (const path of paths) for (let n = 0; n < readers; n++) read(port, path);
  }
});
