/** The built script-tag files (npm run build) in pages that do not make it easy, from their first byte. */
import type {RenderedRow} from '../../../src/scene/index.js';
import * as assert from '../../support/assert.js';

const esm = '/dist/cdn/hermes-elements.js';
const classic = '/dist/cdn/hermes-elements.iife.js';

/** What a page tells of itself (watch.classic.js). */
interface Report {
  readonly violations: readonly string[];
  readonly host: string;
  readonly views: readonly ({
    readonly tag: string;
    readonly rows: readonly RenderedRow[];
    readonly shown: readonly string[];
    readonly size: readonly [boolean, boolean][];
    readonly text: string;
    readonly links: readonly string[];
    readonly images: number;
    readonly markdown: string;
    readonly waiting: number;
    readonly phase: string | null;
    readonly problem: string | null;
  } | null)[];
}

type Query = Record<string, string | readonly string[]>;

const isDrawn = ({views}: Report) =>
  views.every((view) => view && view.waiting === 0 && view.shown.includes('answer'));

/** The report of a page once its streams have ended and its views are drawn, or of how far it came in twenty seconds. */
async function visit(query: Query, sandbox?: string, isDone = isDrawn): Promise<Report> {
  const frame = document.createElement('iframe');
  if (sandbox !== undefined) frame.setAttribute('sandbox', sandbox);
  frame.width = '600';
  frame.src = `/__policy__/page?${new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
  )}`;
  document.body.append(frame);
  try {
    await new Promise((resolve) => frame.addEventListener('load', resolve, {once: true}));
    let report = await ask(frame);
    for (let time = 0; time < 200 && !isDone(report); time++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      report = await ask(frame);
    }
    return report;
  } finally {
    frame.remove();
  }
}

function ask(frame: HTMLIFrameElement): Promise<Report> {
  return new Promise((resolve) => {
    const listen = ({source, data}: MessageEvent) => {
      if (source !== frame.contentWindow) return;
      removeEventListener('message', listen);
      resolve(data as Report);
    };
    addEventListener('message', listen);
    frame.contentWindow!.postMessage('tell', '*');
  });
}

/** Everything is there, is text where it should be text, and nothing was violated, thrown or logged. */
function check({violations, views}: Report, count = 1, links = [2]) {
  assert.deepEqual(violations, []);
  assert.equal(views.length, count);
  for (const view of views) {
    assert.ok(view, 'a view was not drawn');
    assert.ok(view.text.includes('const a = 1;'), view.text);
    assert.ok(view.text.includes('rm -r <script>alert(1)</script>'), view.text);
    assert.ok(view.text.includes('<img src=x onerror=alert(2)>'), view.text);
    assert.equal(view.images, 0);
    assert.ok(
      view.links.every((link) => link.startsWith('https://a.example/')),
      view.links.join(),
    );
    assert.ok(links.includes(new Set(view.links).size), view.links.join());
  }
}

let whole: Report;

before(async () => {
  whole = await visit({file: esm});
  check(whole);
});

describe('under the strict policy', () => {
  const cases: Record<string, readonly string[]> = {
    'the classic file': [classic],
    'two copies of the ES file': [esm, `copy:${esm}`],
    'two copies of the classic file': [classic, `copy:${classic}`],
    'the ES file, then the classic one': [esm, classic],
    'the classic file, then the ES one': [classic, esm],
    'a copy whose turns come late, and one that is there first': [`slow:${esm}`, `copy:${esm}`],
  };
  for (const [name, file] of Object.entries(cases)) {
    it(`${name}: the same turn, and nothing is violated`, async () => {
      const report = await visit({file});
      check(report);
      assert.deepEqual(report.views[0]!.rows, whole.views[0]!.rows);
      assert.equal(report.views[0]!.text, whole.views[0]!.text);
    });

    it(`${name}: a session is found around, and by name`, async () => {
      const report = await visit({file, body: 'session'});
      check(report, 3);
      const [transcript, ...turns] = report.views;
      assert.equal(transcript!.tag, 'hermes-transcript');
      for (const turn of turns) assert.equal(turn!.markdown, whole.views[0]!.markdown.replace(/\n+$/, '\n'));
    });
  }

  it('a policy that the page does not name is noticed, so the tests above can fail', async () => {
    if (!('trustedTypes' in window)) return;
    const {violations} = await visit({file: classic, policies: 'another'});
    assert.ok(violations.length > 0);
  });
});

describe('beside a host that has a Lit of its own', () => {
  const host = '/test/browser/policy/host-lit.js';
  const policies = 'hermes-elements lit-html';
  for (const [name, query] of Object.entries({
    'the host first': {file: [host, esm]},
    'the host last': {file: [esm, host]},
    'the classic file': {file: [classic, host]},
  })) {
    it(`${name}: both draw, each by its own policy`, async () => {
      const report = await visit({...query, policies});
      check(report);
      assert.equal(report.host, 'The host draws.');
    });
  }
});

describe('where raw HTML is let through', () => {
  const host = '/test/browser/policy/host-lit.js';
  const cases: Record<string, Query> = {
    'the ES file': {file: esm},
    'the classic file': {file: classic},
    'two copies': {file: [esm, `copy:${esm}`]},
    'beside a host that has a Lit of its own': {file: [host, esm], policies: 'hermes-elements lit-html'},
  };
  for (const [name, query] of Object.entries(cases)) {
    it(`${name}: by our policy alone, and nothing of it runs`, async () => {
      const {violations, views} = await visit({...query, body: 'sanitized'});
      assert.deepEqual(violations, []);
      const {text, images} = views[0]!;
      // An image without an address is what it is called; commands are no Markdown.
      assert.ok(text.includes('that, x.'), text);
      assert.ok(text.includes('rm -r <script>alert(1)</script>'), text);
      assert.equal(images, 0);
    });
  }
});

describe('in a sandbox', () => {
  for (const [name, file] of Object.entries({
    'the ES file': `copy:${esm}`,
    'the classic file': `copy:${classic}`,
  })) {
    it(`${name} works in an opaque origin, where storage throws`, async () => {
      // In some engines an opaque origin gets no chunks from beside the classic file: its text stays as it was written.
      check(await visit({file}, 'allow-scripts'), 1, file.endsWith('.iife.js') ? [1, 2] : [2]);
    });
  }
});

describe('where the page has patched what everybody shares', () => {
  for (const [name, file] of Object.entries({'the ES file': esm, 'the classic file': classic})) {
    it(`${name} shows the same turn`, async () => {
      const report = await visit({file, before: 'patched.classic.js'});
      check(report);
      assert.equal(report.views[0]!.text, whole.views[0]!.text);
      assert.equal(report.views[0]!.markdown, whole.views[0]!.markdown);
    });
  }
});

describe('at a server', () => {
  for (const [name, file] of Object.entries({
    'the ES file': esm,
    'the classic file': classic,
    'two copies of the classic file': [classic, `copy:${classic}`],
  })) {
    it(`${name}: what was settled is shown, and what comes is followed`, async () => {
      const isLive = ({views}: Report) => views[0]?.text.includes('Live.') === true;
      const {violations, views} = await visit({file, body: 'server'}, undefined, isLive);
      assert.deepEqual(violations, []);
      assert.deepEqual([views[0]?.text.includes('Settled.'), views[0]?.problem], [true, null]);
      assert.ok(views[0]?.text.includes('Live.'), views[0]?.text);
    });
  }

  it('the classic file alone: what was settled is shown, and that the rest needs its folder is said', async () => {
    const isSaid = ({views}: Report) => Boolean(views[0]?.problem && views[0].text.includes('Settled.'));
    const {views} = await visit({file: `alone:${classic}`, body: 'server'}, undefined, isSaid);
    assert.ok(views[0]?.text.includes('Settled.'), views[0]?.text);
    assert.ok(views[0]?.problem?.includes('Serve its chunks folder beside it.'), String(views[0]?.problem));
  });
});

describe('under hostile styles', () => {
  for (const css of ['hostile.css', 'reset.css']) {
    it(`${css}: what is shown is the same, has room, and reads as it was written`, async () => {
      const report = await visit({file: esm, css});
      check(report);
      const [view] = report.views;
      assert.deepEqual(view!.shown, whole.views[0]!.shown);
      assert.ok(
        view!.size.every(([wide, high]) => wide && high),
        JSON.stringify(view!.size),
      );
    });
  }
});
