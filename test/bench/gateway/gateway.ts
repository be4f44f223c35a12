/** Our side of the benchmark: the whole gateway, with agents that it reaches over a socket. */
import {writeFile} from 'node:fs/promises';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {serve} from '@hono/node-server';
import {createGateway} from '../../../src/gateway/gateway.js';
import type {CreateSessionResponse, StartRunResponse} from '../../../src/protocol/index.js';
import type {Served} from './server.js';

const base = 'http://127.0.0.1/api/hermes/client';

export async function openGateway(folder: string, agents: string, runs: number): Promise<Served> {
  const profile = {
    name: 'farm',
    runtimeType: 'generic',
    connect: {path: agents},
    maxConcurrentSessions: 1000,
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify({profiles: [profile]}));
  const gateway = await createGateway({dataDir: folder, profile: 'farm', boundHost: '127.0.0.1'});
  const post = async <T>(path: string, body: object): Promise<T> => {
    const headers = {'content-type': 'application/json', host: '127.0.0.1'};
    const request = new Request(`${base}${path}`, {method: 'POST', headers, body: JSON.stringify(body)});
    const response = await gateway.fetch(request);
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text) as T;
  };
  const paths: string[] = [];
  for (let run = 0; run < runs; run++) {
    const {sessionId} = await post<CreateSessionResponse>('/sessions', {});
    paths.push((await post<StartRunResponse>('/runs', {sessionId, prompt: 'Go on'})).events);
  }
  const port = await new Promise<number>((resolve) => {
    const options = {fetch: gateway.fetch, port: 0, hostname: '127.0.0.1'};
    serve(options, (info: AddressInfo) => resolve(info.port));
  });
  return {port, paths};
}
