/** Hermes Agent's HTTP API on loopback, acted by scripts: what it says of a run, and when, is the test's. */
import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {json} from 'node:stream/consumers';
import type {TestContext} from 'node:test';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

export interface HermesScript {
  /** Plays a run once its stream is open. */
  readonly run?: (run: ScriptedRun) => void | Promise<void>;
  readonly key?: string;
  /** An old build says nothing of what it can do. */
  readonly isOld?: boolean;
  /** Held back before anything is answered. */
  readonly slow?: Promise<unknown>;
  /** Held back before a run is started. */
  readonly starts?: Promise<unknown>;
  /** In place of an answer to a path's end, such as `/approval`. */
  readonly refuse?: Readonly<Record<string, readonly [status: number, message: string]>>;
}

export class ScriptedRun {
  status: Record<string, unknown>;
  readonly approved: Promise<Readonly<Record<string, unknown>>>;
  readonly stopped: Promise<void>;
  resolveApproved!: (body: Readonly<Record<string, unknown>>) => void;
  resolveStopped!: () => void;
  stream: ServerResponse | null = null;

  constructor(
    readonly id: string,
    readonly asked: Asked,
  ) {
    this.status = {object: 'hermes.run', run_id: id, status: 'running', updated_at: 1};
    this.approved = new Promise((resolve) => (this.resolveApproved = resolve));
    this.stopped = new Promise((resolve) => (this.resolveStopped = resolve));
  }

  send(event: string, fields: object = {}): this {
    this.raw(`data: ${JSON.stringify({event, run_id: this.id, timestamp: 1790000000.5, ...fields})}\n\n`);
    return this;
  }

  raw(text: string): this {
    this.stream!.write(text);
    return this;
  }

  /** The usual end. */
  end(event: string, fields: object = {}): void {
    this.send(event, fields).raw(': stream closed\n\n');
    this.stream!.end();
  }

  /** The connection goes, the run does not. */
  break(): void {
    this.stream!.destroy();
  }
}

export class ScriptedHermes {
  readonly asked: Asked[] = [];
  readonly runs: ScriptedRun[] = [];
  url = '';
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  constructor(readonly script: HermesScript) {}

  async open(context: TestContext): Promise<this> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    context.after(() => this.close());
    return this;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Forgets what was started, as a restart does. */
  forget(): void {
    this.runs.length = 0;
  }

  times(end: string): number {
    return this.asked.filter(({path}) => path.endsWith(end)).length;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const {method = '', url = '', headers} = request;
    const body = method === 'POST' ? ((await json(request)) as Asked['body']) : {};
    const asked = {method, path: url, headers, body};
    this.asked.push(asked);
    await this.script.slow;
    const {key, refuse = {}} = this.script;
    const say = (status: number, answer: object) => {
      response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(answer));
    };
    const refusal = Object.entries(refuse).find(([end]) => url.endsWith(end))?.[1];
    if (refusal) return say(refusal[0], {error: {message: refusal[1], code: 'scripted'}});
    if (url === '/health') return say(200, {status: 'ok', platform: 'hermes-agent'});
    if (key !== undefined && headers.authorization !== `Bearer ${key}`) {
      return say(401, {error: {message: 'Invalid API key', code: 'invalid_api_key'}});
    }
    if (url === '/v1/capabilities' && !this.script.isOld) {
      return say(200, {platform: 'hermes-agent', features: {run_submission: true, run_events_sse: true}});
    }
    if (url === '/v1/runs') {
      await this.script.starts;
      const run = new ScriptedRun(`run_${this.runs.length + 1}`, asked);
      this.runs.push(run);
      return say(202, {run_id: run.id, status: 'started'});
    }
    const [, id, rest = ''] = /^\/v1\/runs\/([^/]+)(.*)$/.exec(url) ?? [];
    const run = this.runs.find((each) => each.id === id);
    if (!run) return say(404, {error: {message: `Run not found: ${id}`, code: 'run_not_found'}});
    switch (rest) {
      case '':
        return say(200, run.status);
      case '/approval':
        run.resolveApproved(body);
        return say(200, {object: 'hermes.run.approval_response', run_id: id, resolved: 1});
      case '/stop':
        run.resolveStopped();
        return say(200, {run_id: id, status: 'stopping'});
    }
    if (run.stream) return say(404, {error: {message: 'Run not found', code: 'run_not_found'}});
    run.stream = response.writeHead(200, {'content-type': 'text/event-stream'});
    response.flushHeaders();
    await this.script.run?.(run);
  }
}
