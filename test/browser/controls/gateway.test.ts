/** From a tag to the server and back: approvals, stop and prompts of a page that wrote nothing but attributes. */
import {loadControlRow} from '../../../src/elements/lazy-control-row.js';
import '../../../src/define.js';
import {loadModel, type HermesSession} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {settled} from '../elements/feed.js';
import {allByRole, byRole, mount, read, until} from './stage.js';

before(() => loadModel());

type Answer = readonly [status: number, body: object];

/** Our gateway, as far as a page sees it (design.md section 5). */
function createGateway() {
  const posted: string[] = [];
  let pending = ['p1'];
  let refusal: Answer | null = null;
  let seq = 0;
  let body: ReadableStreamDefaultController<Uint8Array> | null = null;
  const json = (value: object | null, status = 200) =>
    Promise.resolve(
      new Response(JSON.stringify(value), {status, headers: {'content-type': 'application/json'}}),
    );
  const fetch: typeof globalThis.fetch = (input, init) => {
    const {pathname} = new URL(input as string, document.baseURI);
    if (init?.method === 'POST') {
      posted.push(`${pathname} ${(init.body as string | undefined) ?? ''}`.trim());
      if (refusal) return json(refusal[1], refusal[0]);
      return json({runId: 'r2', sessionId: 's1', turnId: 'r2', events: '/gateway/events/r2'});
    }
    if (!pathname.endsWith('/events'))
      return json({transcript: null, cursor: null, activeRunId: 'r1', pendingPermissions: pending});
    const stream = new ReadableStream<Uint8Array>({start: (controller) => void (body = controller)});
    return Promise.resolve(new Response(stream, {headers: {'content-type': 'text/event-stream'}}));
  };
  return {
    posted,
    fetch,
    refuse: (answer: Answer | null, open: string[] = pending) => {
      refusal = answer;
      pending = open;
    },
    async send(...events: readonly (readonly [event: string, more: object])[]) {
      const text = events.map(([event, more]) => {
        const data = {event, run_id: 'r1', session_id: 's1', seq: ++seq, timestamp: seq, ...more};
        return `id: r1:${seq}\ndata: ${JSON.stringify(data)}\n\n`;
      });
      // The stream is asked for once the state has been read.
      await until(() => body !== null);
      body!.enqueue(new TextEncoder().encode(text.join('')));
      await settled();
    },
  };
}

before(() => loadControlRow());

const permission = [
  'permission.requested',
  {
    permission_id: 'p1',
    title: 'Run make',
    input: {command: 'make'},
    options: [
      {id: 'yes', name: 'Allow', kind: 'allow_once'},
      {id: 'no', name: 'Refuse', kind: 'reject_once'},
    ],
  },
] as const;

async function open() {
  const gateway = createGateway();
  const session = mount<HermesSession>(
    '<hermes-session base="/gateway" session-id="s1"><hermes-transcript></hermes-transcript></hermes-session>',
    {fetch: gateway.fetch},
  );
  await gateway.send(['run.started', {turn_id: 'r1', prompt: 'Build it'}], permission);
  await read();
  return {gateway, session, view: session.firstElementChild!};
}

describe('a session with its server', () => {
  it('an approval is answered by a button, and shown as answered when the server says so', async () => {
    const {gateway, view} = await open();
    byRole(view, 'button', /Allow/).click();
    await settled();
    assert.deepEqual(gateway.posted, ['/gateway/runs/r1/permissions/p1 {"optionId":"yes"}']);
    const [row] = [...view.shadowRoot!.querySelectorAll('[data-type=control]')];
    assert.ok(/Sent\. Waiting/.test(row!.textContent));
    await gateway.send([
      'permission.resolved',
      {permission_id: 'p1', outcome: 'selected', option_id: 'yes', by: 'reader'},
    ]);
    assert.ok(/answered: Allow/.test(row!.textContent), row!.textContent);
    assert.ok(!/Sent/.test(row!.textContent));
    assert.deepEqual(allByRole(view, 'button', /Allow|Refuse/), []);
  });

  it('one that somebody else answered first says so, and takes no more', async () => {
    const {gateway, view} = await open();
    gateway.refuse([409, {outcome: 'rejected'}], []);
    byRole(view, 'button', /Allow/).click();
    await until(
      () => allByRole(view, 'alert').length > 0 && allByRole(view, 'button', /Allow|Refuse/).length === 0,
    );
    assert.ok(/answered before \(rejected\)/.test(byRole(view, 'alert').textContent));
    assert.deepEqual(allByRole(view, 'button', /Allow|Refuse/), []);
  });

  it('a run is stopped by the button of its status row, and ends when its stream says so', async () => {
    const {gateway, view} = await open();
    byRole(view, 'button', /Stop/).click();
    await settled();
    assert.deepEqual(gateway.posted, ['/gateway/runs/r1/abort']);
    assert.ok(view.shadowRoot!.querySelector(':state(running)') !== null);
    await gateway.send(['run.cancelled', {}]);
    assert.deepEqual(allByRole(view, 'button', /Stop/), []);
  });

  it('a prompt is sent by a method, and what the server does not do is told in a sentence', async () => {
    const {gateway, session} = await open();
    await gateway.send(['run.completed', {output: 'Built.'}]);
    await session.send('And test it');
    assert.deepEqual(gateway.posted, ['/gateway/runs {"sessionId":"s1","prompt":"And test it"}']);
    gateway.refuse([501, {}]);
    const said = await session.steer('Faster').catch((cause: Error) => cause.message);
    assert.ok(
      /^\/gateway\/runs\/r\d\/steer \{"text":"Faster"\}$/.test(gateway.posted[1]!),
      gateway.posted[1],
    );
    assert.ok(/^[A-Z].+\.$/.test(String(said)), String(said));
  });
});
