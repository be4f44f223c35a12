/** The readers of the gateway benchmark, in one process: plain sockets that note how old each line is when it arrives. */
import {connect} from 'node:net';

const [port, runs, each, path] = process.argv.slice(2) as [string, string, string, string];
let latencies: number[] = [];
let open = 0;
const all = Number(runs) * Number(each);

function read(run: number): void {
  const socket = connect(Number(port), '127.0.0.1');
  let tail = '';
  let isFirst = true;
  socket.write(`GET ${path.replace('RUN', String(run))} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    if (isFirst) {
      isFirst = false;
      if (!chunk.startsWith('HTTP/1.1 200')) throw new Error(chunk);
      if (++open === all) process.send!('open');
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

process.on('message', (message) => {
  if (message === 'begin') latencies = [];
  else process.send!(latencies);
});
for (let run = 0; run < Number(runs); run++) for (let n = 0; n < Number(each); n++) read(run);
