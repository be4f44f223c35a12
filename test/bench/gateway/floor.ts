/** The floor: what any such server must do. Output → lines → one insert a line → a plain fan-out. */
import {createServer, type ServerResponse} from 'node:http';
import {connect, type AddressInfo} from 'node:net';
import {join} from 'node:path';
import {openDatabase, type Database, type Statement} from '../../../src/gateway/journal/sqlite.js';
import type {Served} from './server.js';

const held: Database[] = [];

export async function openFloor(folder: string, agents: string, runs: number): Promise<Served> {
  const db = await openDatabase(join(folder, 'floor.db'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  db.exec('CREATE TABLE lines (run INTEGER, seq INTEGER, line TEXT)');
  // Held: a database that is collected is closed, whatever its statements are used for.
  held.push(db);
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
  readers.forEach((set, run) => fanOut(agents, run, set, insert));
  return {port: (server.address() as AddressInfo).port, paths: readers.map((_set, run) => `/${run}`)};
}

function fanOut(agents: string, run: number, readers: Iterable<ServerResponse>, insert: Statement): void {
  let seq = 0;
  let rest = '';
  const agent = connect(agents);
  agent.write('{"jsonrpc":"2.0","id":1,"method":"session/prompt"}\n');
  agent.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      insert.run(run, ++seq, line);
      const frame = Buffer.from(`id: r${run}:${seq}\ndata: ${line}\n\n`);
      for (const response of readers) response.write(frame);
    }
  });
}
