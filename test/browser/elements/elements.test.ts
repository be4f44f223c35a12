import {loadMarkdown} from '../../../src/elements/load-markdown.js';
import 'axe-core/axe.min.js';
import '../../../src/define.js';
import {
  HermesTranscript,
  loadModel,
  type HermesSession,
  type HermesTurn,
  type HermesTurnSettledEvent,
} from '../../../src/index.js';
import {encodeFrame, readRecording} from '../../../src/protocol/index.js';
import {expectedRows, project, reconcile, type DisplayMode} from '../../../src/scene/index.js';
import * as assert from '../../support/assert.js';
import {createFeed, done, reasoning, settled, token, tool, toolEnd, type Feed} from './feed.js';

declare const axe: {
  run(root: Element, options?: object): Promise<{violations: {id: string; nodes: {html: string}[]}[]}>;
};

// Loaded first, so that what an element does at once can be asked at once.
before(() => Promise.all([loadModel(), loadMarkdown()]));

const mounted: Element[] = [];

/** An element in the page, with its properties set before it stands there. */
function mount<T extends HTMLElement>(markup: string, properties: Partial<T> = {}): T {
  const box = document.createElement('div');
  box.innerHTML = markup;
  const element = box.querySelector<T>('[id=it]') ?? (box.firstElementChild as T);
  Object.assign(element, properties);
  document.body.append(box);
  mounted.push(box);
  return element;
}

function transcript(feed: Feed, markup = '<hermes-transcript src="/events/run_1"></hermes-transcript>') {
  return mount<HermesTranscript>(markup, {fetch: feed.fetch});
}

const root = (element: HTMLElement) => element.shadowRoot as ShadowRoot;
const rows = (element: HTMLElement, type?: string) => [
  ...root(element).querySelectorAll<HTMLElement>(`[data-item-id]${type ? `[data-type=${type}]` : ''}`),
];
const text = (element: HTMLElement, type?: string) => rows(element, type)[0]?.textContent.trim();
const visible = (element: HTMLElement) =>
  rows(element).filter((row) => !row.hidden && row.offsetParent !== null);
const types = (element: HTMLElement) => visible(element).map((row) => row.dataset['type']);
const turnOf = (element: HTMLElement) => root(element).querySelector<HermesTurn>('[part=turn]') as HermesTurn;
const button = (element: ParentNode, name: RegExp) =>
  [...element.querySelectorAll('button')].find((one) => name.test(one.textContent)) as HTMLButtonElement;
const said = (element: HTMLElement) =>
  root(element).querySelector('.unseen[role=status]')?.lastElementChild?.textContent;

async function checkAccess(element: Element) {
  const {violations} = await axe.run(element, {rules: {region: {enabled: false}}});
  assert.deepEqual(
    violations.map(({id, nodes}) => [id, nodes[0]?.html]),
    [],
  );
}

/** The screen shows its scene. */
function checkRows(element: HermesTranscript, mode: DisplayMode) {
  for (const turn of root(element).querySelectorAll<HermesTurn>('[part=turn]')) {
    const expected = expectedRows(project(turn.anchor!, mode), {open: turn.openRows});
    assert.deepEqual(reconcile(expected, turn.renderedRows()).mismatches, []);
  }
}

/** A turn with thoughts, prose, tools, one of them failed, and an answer. */
const work = [
  reasoning('I should look.'),
  token('Let me look.'),
  tool('c1', 'read_file', {path: 'a.md'}),
  toolEnd('c1', 'read_file', 'text of a'),
  tool('c2', 'read_file', {path: 'b.md'}),
  toolEnd('c2', 'read_file', 'text of b'),
  token('Now the build.'),
  tool('c3', 'terminal', {command: 'make'}),
  toolEnd('c3', 'terminal', 'no rule', {is_error: true}),
] as const;

afterEach(() => {
  for (const element of mounted.splice(0)) element.remove();
});

describe('a transcript of one stream', () => {
  it('is there before the first frame, runs, and settles', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    await settled();
    const turn = turnOf(element);
    assert.equal(turn.dataset['turnId'], 'run_1');
    assert.equal(turn.ariaBusy, 'true');
    assert.deepEqual(types(element), ['status']);
    await feed.send(token('Hello'));
    assert.deepEqual(types(element), ['answer', 'status']);
    assert.ok(turn.matches(':state(running)'));
    await feed.send(token(' there.'), done, ['stream_end', {}]);
    assert.deepEqual(types(element), ['answer']);
    assert.equal(text(element), 'Hello there.');
    assert.ok(turn.matches(':state(settled)'));
    assert.equal(turn.ariaBusy, 'false');
    assert.equal(turnOf(element), turn);
  });

  it('says phases in a polite region, never the text', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    await settled();
    assert.equal(said(element), undefined);
    await feed.send(token('Secret words'));
    assert.equal(said(element), 'The agent has started.');
    await feed.send(['approval', {command: 'rm -r build', approval_id: 'a1', description: 'delete'}]);
    assert.equal(said(element), 'The agent needs a decision. Approval: rm -r build');
    await feed.send(token(' and more.'), done);
    assert.equal(said(element), 'The answer is complete. Secret words and more.');
  });

  it('grows by appended text: nodes stay, and so does a selection in the tail, also through settlement', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    await feed.send(token('First paragraph.\n\nSelect these words'));
    const [first, tail] = rows(element, 'answer')[0]!.querySelectorAll('p');
    const text = tail!.firstChild!;
    getSelection()!.setBaseAndExtent(text, 7, text, 12);
    for (let n = 0; n < 20; n++) await feed.send(token(` and ${n}`));
    const answer = `First paragraph.\n\nSelect these words${Array.from({length: 20}, (_, n) => ` and ${n}`).join('')}`;
    const session = {
      session_id: 's1',
      updated_at: 5,
      messages: [
        {role: 'user', content: 'Hi'},
        {role: 'assistant', content: answer},
      ],
    };
    await feed.send(['done', {session}], ['stream_end', {}]);
    const after = rows(element, 'answer')[0]!.querySelectorAll('p');
    assert.equal(after[0], first);
    assert.equal(after[1], tail);
    assert.equal(tail!.firstChild, text);
    const selection = getSelection()!;
    const range = selection.getComposedRanges?.({shadowRoots: [root(element)]})[0] ?? selection.getRangeAt(0);
    assert.ok(range.startContainer === text, `the selection is in ${range.startContainer.nodeName}`);
    assert.deepEqual([range.startOffset, range.endOffset], [7, 12]);
  });

  it('prose that turns out to be the answer, or not, keeps its nodes', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    await feed.send(token('Let me look.'));
    const text = rows(element, 'answer')[0]!.querySelector('p');
    await feed.send(tool('c1', 'read_file', {path: 'a.md'}));
    assert.equal(rows(element, 'prose')[0]!.querySelector('p'), text);
  });

  it('a change of src swaps the session after a microtask and lets the old one go', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    await feed.send(token('One'));
    const next = createFeed('run_2');
    const before = element.shown;
    element.fetch = next.fetch;
    element.src = '/events/run_2';
    assert.equal(element.shown, before);
    await next.send(token('Two'));
    assert.ok(feed.aborted);
    assert.deepEqual(
      [...root(element).querySelectorAll('[part=turn] [data-item-id]')].map(({textContent}) =>
        textContent?.replace(/\s+/g, ' ').trim(),
      ),
      ['Two', 'Writing'],
    );
  });

  it('an element that is moved keeps its stream, one that is removed lets it go, and goes on when it is back', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    await feed.send(token('One'));
    const home = element.parentElement as HTMLElement;
    const other = home.appendChild(document.createElement('section'));
    other.append(element);
    await settled();
    assert.equal(feed.aborted, false);
    assert.equal(feed.asked.length, 1);
    element.remove();
    await settled();
    assert.equal(feed.aborted, true);
    home.append(element);
    await settled();
    assert.equal(feed.asked.length, 2);
    await feed.send(token(' two'));
    assert.equal(text(element, 'answer'), 'One two');
  });

  it('a problem is said in a sentence', async () => {
    const element = mount<HermesTranscript>('<hermes-transcript src="/events/run_1"></hermes-transcript>', {
      fetch: () => Promise.resolve(new Response('', {status: 404})),
    });
    await settled();
    assert.ok(/does not know this/.test(root(element).textContent ?? ''));
  });
});

describe('where a session comes from', () => {
  it('a session serves what stands inside it over one connection', async () => {
    const feed = createFeed();
    const session = mount<HermesSession>(
      '<hermes-session src="/events/run_1"><hermes-transcript></hermes-transcript><hermes-turn></hermes-turn></hermes-session>',
      {fetch: feed.fetch},
    );
    await feed.send(token('Hello'));
    assert.equal(feed.asked.length, 1);
    const [inner, turn] = session.children as unknown as [HermesTranscript, HermesTurn];
    assert.equal(inner.shown, session.shown);
    assert.equal(text(inner, 'answer'), 'Hello');
    assert.equal(text(turn, 'answer'), 'Hello');
    session.src = '/events/run_2';
    await settled();
    assert.equal(inner.shown, session.shown);
    assert.equal(feed.asked.length, 2);
  });

  it('a session elsewhere is found by its id', async () => {
    const feed = createFeed();
    mount<HermesSession>('<hermes-session id="it" src="/events/run_1"></hermes-session>', {
      fetch: feed.fetch,
    });
    const element = mount<HermesTranscript>('<hermes-transcript session="it"></hermes-transcript>');
    await feed.send(token('Hello'));
    assert.equal(text(element, 'answer'), 'Hello');
  });

  it('a JSON island is shown with no server at all', async () => {
    const feed = createFeed();
    const source = transcript(feed);
    await feed.send(...work, token('Done.'), done);
    const json = JSON.stringify(source.snapshot).replaceAll('<', '\\u003c');
    const element = mount<HermesTranscript>(
      `<hermes-transcript><script type="application/json">${json}</script></hermes-transcript>`,
    );
    await settled();
    assert.deepEqual(types(element), types(source));
    assert.equal(text(element, 'answer'), 'Done.');
    assert.deepEqual(element.snapshot?.turns, (JSON.parse(json) as {turns: unknown}).turns);
  });

  it('children are the fallback while there is nothing to show', async () => {
    const element = mount<HermesTranscript>('<hermes-transcript><p>Stored answer.</p></hermes-transcript>');
    await settled();
    const paragraph = element.firstElementChild as HTMLElement;
    assert.ok(paragraph.offsetParent);
    const feed = createFeed();
    element.fetch = feed.fetch;
    element.src = '/events/run_1';
    await feed.send(token('Live.'));
    assert.equal(paragraph.offsetParent, null);
  });

  it('a snapshot set as property is shown, and another one in its place', async () => {
    const feed = createFeed();
    const source = transcript(feed);
    await feed.send(token('One.'), done);
    const element = mount<HermesTranscript>('<hermes-transcript></hermes-transcript>', {
      snapshot: source.snapshot,
    });
    await settled();
    assert.equal(text(element, 'answer'), 'One.');
    element.snapshot = null;
    await settled();
    assert.equal(rows(element).length, 0);
  });

  it('an island that is no JSON is a problem in a sentence', async () => {
    const element = mount<HermesTranscript>(
      '<hermes-transcript><script type="application/json">{oops</script></hermes-transcript>',
    );
    await settled();
    assert.ok(/neither hermes.transcript.v1 nor/.test(root(element).textContent ?? ''));
  });

  it('a session begins a turn before anything has been asked', async () => {
    const session = mount<HermesSession>(
      '<hermes-session><hermes-transcript></hermes-transcript></hermes-session>',
    );
    session.begin({runId: 'run_1', prompt: 'Do it.'});
    await settled();
    assert.deepEqual(types(session.firstElementChild as HTMLElement), ['prompt', 'status']);
  });

  it('properties set before the element is defined are not lost', async () => {
    const source = transcript(createFeed());
    await settled();
    const {snapshot} = source;
    const element = document.createElement('hermes-late') as HermesTranscript;
    Object.assign(element, {snapshot, mode: 'answer-only'});
    document.body.append(element);
    mounted.push(element);
    customElements.define('hermes-late', class extends HermesTranscript {});
    await settled();
    assert.equal(element.mode, 'answer-only');
    assert.equal(element.snapshot?.turns[0]?.id, 'run_1');
  });

  it('a turn alone shows what it is given, in a root of its own', async () => {
    const feed = createFeed();
    const source = transcript(feed);
    await feed.send(token('One.'), done);
    const {anchor} = turnOf(source);
    const element = mount<HermesTurn>('<hermes-turn></hermes-turn>', {anchor: anchor!});
    await settled();
    assert.equal(text(element, 'answer'), 'One.');
    assert.equal(turnOf(source).shadowRoot, null);
  });
});

describe('modes', () => {
  it('change in mid-stream, fetch nothing, and every one of them shows its scene', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    const modes = ['compact-worklog', 'transparent-stream', 'answer-only'] as const;
    let step = 0;
    for (const frame of [...work, token('The '), token('answer.'), done]) {
      await feed.send(frame);
      const mode = modes[step++ % 3]!;
      element.mode = mode;
      await settled();
      checkRows(element, mode);
    }
    assert.equal(feed.asked.length, 1);
    element.mode = 'transparent_stream';
    await settled();
    assert.deepEqual(types(element), ['reasoning', 'prose', 'tool', 'tool', 'prose', 'tool', 'answer']);
  });

  const recordings = [
    '01-plain-answer',
    '02-reasoning-tools-answer',
    '03-interim-prose-repeated-text',
    '04-parallel-same-name-one-error',
    '05-cancel-midway',
    '06-apperror-rate-limit',
    '07-tool-limit',
    '08-compression-rotation',
    '09-approval-clarify',
    '10-reconnect-duplicates',
    '11-stream-end-without-done',
    '12-metadata-noise',
  ];
  for (const name of recordings) {
    it(`the recording ${name} stands on the page as its scenes say, and is accessible`, async () => {
      const text = await (await fetch(`/test/fixtures/hermes-webui/${name}.jsonl`)).text();
      const {events} = readRecording(text, 'jsonl');
      const body = events.map(encodeFrame).join('');
      const asked: string[] = [];
      const answer = () => new Response(body, {headers: {'content-type': 'text/event-stream'}});
      const element = mount<HermesTranscript>(
        '<hermes-transcript src="/api/chat/stream"></hermes-transcript>',
        {
          fetch: (url) => (
            asked.push(url as string),
            Promise.resolve(asked.length > 1 ? new Response(null, {status: 204}) : answer())
          ),
        },
      );
      await settled();
      for (const mode of ['compact-worklog', 'transparent-stream', 'answer-only'] as const) {
        element.mode = mode;
        await settled();
        checkRows(element, mode);
        await checkAccess(element);
      }
    });
  }
});

describe('a connection that is cut', () => {
  it('ten times in a turn ends in the snapshot and the rows of an undisturbed run', async () => {
    const frames = [
      ...work,
      ...'The answer comes word by word, so that there is enough of it to cut.'.split(/(?= )/).map(token),
      done,
      ['stream_end', {}] as const,
    ];
    const texts = frames.map(([name, data], index) => encodeFrame({id: `run_1:${index + 1}`, name, data}));
    const whole = mount<HermesTranscript>('<hermes-transcript src="/events/run_1"></hermes-transcript>', {
      fetch: () =>
        Promise.resolve(new Response(texts.join(''), {headers: {'content-type': 'text/event-stream'}})),
    });
    let attempt = 0;
    const cut = mount<HermesTranscript>('<hermes-transcript src="/events/run_1"></hermes-transcript>', {
      fetch: (_url, init) => {
        const last = new Headers(init?.headers).get('last-event-id');
        // Two frames on, one frame back, and torn inside the next.
        const from = last === null ? 0 : Math.max(0, Number(last.split(':')[1]) - 1);
        const body = texts.slice(from).join('');
        attempt++;
        const end = texts.slice(from, from + 3).join('').length + 9;
        return Promise.resolve(
          new Response(`retry: 1\n\n${body.slice(0, end)}`, {headers: {'content-type': 'text/event-stream'}}),
        );
      },
    });
    const modes = ['transparent-stream', 'answer-only', 'compact-worklog'];
    for (let step = 0; cut.shown?.connection.phase !== 'ended'; step++) {
      cut.mode = modes[step % 3]!;
      await settled();
    }
    cut.mode = 'compact-worklog';
    await settled();
    assert.ok(attempt > 10, `cut ${attempt - 1} times`);
    const bare = ({snapshot}: HermesTranscript) =>
      snapshot?.turns.map(({stats: _stats, ...turn}) => ({...turn, applied: null}));
    assert.deepEqual(bare(cut), bare(whole));
    const shown = (element: HermesTranscript) => element.renderedRows().map((row) => [row, text(element)]);
    assert.deepEqual(shown(cut), shown(whole));
    checkRows(cut, 'compact-worklog');
  });
});

describe('the worklog', () => {
  it('is open while the turn runs, folds when it is over, and opens again by its button', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    await feed.send(...work);
    assert.deepEqual(types(element), [
      'worklog-summary',
      'reasoning',
      'prose',
      'tool-group',
      'prose',
      'tool-group',
      'error',
      'status',
    ]);
    await feed.send(token('Done.'), done);
    assert.deepEqual(types(element), ['worklog-summary', 'error', 'answer']);
    const summary = button(root(element), /Read 2 files, ran 1 command/);
    assert.equal(summary.getAttribute('aria-expanded'), 'false');
    assert.equal(summary.part.value, 'worklog-summary');
    const before = JSON.stringify(element.snapshot);
    summary.click();
    await settled();
    assert.equal(summary.getAttribute('aria-expanded'), 'true');
    assert.equal(types(element).length, 8);
    assert.equal(JSON.stringify(element.snapshot), before);
  });

  it('does not fold under a reader who opened something in it', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    await feed.send(...work);
    const row = rows(element, 'prose')[0];
    button(root(element), /Read 2 files/).focus();
    await feed.send(token('Done.'), done);
    assert.equal(rows(element, 'prose')[0], row);
    assert.equal(row!.hidden, false);
  });

  it('a group opens to its tools, a tool to its arguments and output', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    await feed.send(...work);
    button(rows(element, 'tool-group')[0]!, /Read 2 files/).click();
    await settled();
    const [first] = rows(element, 'tool');
    assert.equal(first!.dataset['status'], 'completed');
    button(first!, /read_file/).click();
    await settled();
    assert.deepEqual(
      [...first!.querySelectorAll('pre')].map(({textContent}) => textContent),
      ['{\n  "path": "a.md"\n}', 'text of a'],
    );
    await checkAccess(element);
    // A heading with one tool opens the tool as well.
    button(rows(element, 'tool-group')[1]!, /make/).click();
    await settled();
    assert.ok(/no rule/.test(rows(element, 'tool')[2]!.textContent));
  });
});

describe('what the page is told', () => {
  it('a turn is told to be started once, and settled once an outcome', async () => {
    const feed = createFeed();
    const told: string[] = [];
    const element = transcript(feed);
    for (const type of ['hermes-turn-started', 'hermes-turn-settled', 'hermes-artifact-added'] as const) {
      element.addEventListener(type, (event) => {
        const {turn, revision = ''} = event as HermesTurnSettledEvent;
        told.push(`${type} ${turn.id} ${revision}`.trim());
      });
    }
    await feed.send(...work, token('Done.'));
    await feed.send(done);
    await feed.send(['title', {title: 'x'}]);
    assert.deepEqual(told, ['hermes-turn-started run_1', 'hermes-turn-settled run_1 1']);
    const messages = [
      {role: 'user', content: 'Hi', timestamp: 1},
      {role: 'assistant', content: 'Done, really.', timestamp: 2},
    ];
    element.shown!.snapshot = {session: {session_id: 's1', updated_at: 5, messages}};
    element.shown!.snapshot = {session: {session_id: 's1', updated_at: 6, messages}};
    assert.deepEqual(told.slice(2), ['hermes-turn-settled run_1 2']);
  });

  it('a source that a listener gives where a turn is found running is shown', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    element.addEventListener('hermes-turn-started', () => (element.src = '/events/run_2'), {once: true});
    await settled();
    assert.deepEqual(feed.asked, ['/events/run_1', '/events/run_2']);
    assert.equal(element.shown?.source.src, '/events/run_2');
  });

  it('the connection is told as it changes', async () => {
    const feed = createFeed();
    const phases: string[] = [];
    const element = transcript(feed);
    element.addEventListener('hermes-connection-changed', ({connection}) => phases.push(connection.phase));
    await feed.send(token('Hello'), done, ['stream_end', {}]);
    assert.equal(phases.join(), 'connecting,open,ended');
  });

  it('a link is the reader’s request, which the page may take over', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    await feed.send(token('See https://a.example/x for more.'), done);
    const asked: string[] = [];
    element.addEventListener('hermes-link-request', (event) => {
      asked.push(event.url);
      event.preventDefault();
    });
    const link = rows(element, 'answer')[0]!.querySelector('a') as HTMLAnchorElement;
    const click = new MouseEvent('click', {bubbles: true, composed: true, cancelable: true});
    link.dispatchEvent(click);
    assert.deepEqual(asked, ['https://a.example/x']);
    assert.ok(click.defaultPrevented);
    assert.equal(link.rel, 'noopener noreferrer nofollow ugc');
  });

  it('toMarkdown tells the turn', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    await feed.send(...work, token('Done.'), done);
    assert.ok(/Done\.\n$/.test(element.toMarkdown()));
  });
});

describe('following the end', () => {
  it('stays at the end while the reader is there, and returns by a button', async () => {
    const feed = createFeed();
    const element = transcript(feed);
    element.style.blockSize = '120px';
    const atEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight < 2;
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (let n = 0; n < 5; n++) await feed.send(token(`Line ${n}.\n\nMore.\n\n`));
    // What grew is drawn with the next frame but one, and followed.
    while (!root(element).textContent.includes('Line 4.') || !atEnd()) await frame();
    element.scrollTop = 0;
    await frame();
    for (let n = 0; n < 5; n++) await feed.send(token(`Line ${n}.\n\n`));
    await frame();
    assert.equal(element.scrollTop, 0);
    const back = button(root(element), /To the end/);
    assert.equal(back.hidden, false);
    back.click();
    await frame();
    assert.ok(atEnd(), 'is back');
    assert.equal(back.hidden, true);
  });
});
