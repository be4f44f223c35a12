/** The floor: what any such server must do. Output → lines → one insert a line → a plain fan-out. */
import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {openDatabase} from '../../../src/gateway/journal/sqlite.js';
import type {Served} from './server.js';

export async function openFloor(folder: string, runs: number): Promise<Served> {
  const db = await openDatabase(join(folder, 'floor.db'));
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE lines (run INTEGER, seq INTEGER, line TEXT)',
  );
  const insert = db.prepare('INSERT INTO lines (run, seq, line) VALUES (?, ?, ?)');
  const readers = Array.from({length: runs}, () => new Set<ServerResponse>());
  const server = createServer((request, response) => {
    const set = readers[Number(request.url!.slice(1))]!;
    set.add(response);
    response.on('close', () => set.delete(response));
    response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-store'});
    response.write(': open\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4096, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    path: '/RUN',
    listen(run, output) {
      let seq = 0;
      let rest = '';
      output.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop()!;
        for (const line of lines) {
          insert.run(run, ++seq, line);
          const frame = Buffer.from(`id: r${run}:${seq}\ndata: ${line}\n\n`);
          for (const response of readers[run]!) response.write(frame);
        }
      });
    },
  };
}
