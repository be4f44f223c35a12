import assert from 'node:assert/strict';
import {before, test} from 'node:test';
import {applySnapshot, createTranscript, toSnapshot} from '../../../../src/anchor/index.js';
import {titleOf, toArchive} from '../../../../src/elements/export/archive.js';
import {loadMarkdown} from '../../../../src/elements/load-markdown.js';
import {turnsToHtml} from '../../../../src/elements/export/turn-html.js';
import {english} from '../../../../src/elements/strings.js';
import {turn} from '../../scene/turn-builder.js';

before(loadMarkdown);

const story = () =>
  turn('r1').prompt('Compare\nthe notes.').thought('Two *files*.').prose('I look.')
    .tool('read_file', {path: 'a.md'}, {output: 'text of a'}).tool('terminal', {command: 'ls'}, {status: 'error', output: 'no'})
    .answer('They **differ**.').artifact('n.md').with({startedAt: 1_700_000_000_000}); // prettier-ignore

/** All that comes from outside, with this in each place. */
const filled = (text: string) =>
  turn(text).prompt(text).thought(text).prose(text)
    .tool(text, {[text]: text}, {output: text, diff: text, title: text, kind: text, callId: text})
    .control('permission', text, {choice: text}).lifecycle('error', text).notice(text).answer(text)
    .with({
      plan: [{content: text, status: text, priority: null}],
      artifacts: [{path: text, uri: text, change: 'modified', itemId: null, diff: text}],
      sideEffects: [{kind: text, action: text, name: text}],
      promptParts: [{type: 'attachment', text, uri: text}],
      degraded: true,
    })
    .ended('error', text).build(); // prettier-ignore

const archive = (...turns: ReturnType<typeof filled>[]) =>
  toArchive(turns, toSnapshot({...createTranscript(), turns}), {words: english, lang: 'en'});

test('a turn as HTML says what its Markdown says', () => {
  assert.equal(
    turnsToHtml([story().build()], 'transparent-stream'),
    [
      '<blockquote dir="auto"><p>Compare<br>',
      'the notes.</p></blockquote>',
      '<ul>',
      '<li><p dir="auto">Two <em>files</em>.</p>',
      '</li>',
      '<li><p dir="auto">I look.</p>',
      '</li>',
      '<li><code dir="ltr">read_file a.md</code></li>',
      '<li><code dir="ltr">terminal ls</code> (error)</li>',
      '</ul>',
      '<p dir="auto">They <strong>differ</strong>.</p>',
      '<ul>',
      '<li>modified <code dir="ltr">n.md</code></li>',
      '</ul>',
      '',
    ].join('\n'),
  );
});

test('an archive has the prompt, the worklog to open, the answer and the files', () => {
  const page = archive(story().build());
  const at = [
    '<title>Compare</title>',
    '<article id="turn-r1">',
    '<time datetime="2023-11-14T22:13:20.000Z">',
    'the notes.',
    '<details><summary>Read 1 file, ran 1 command',
    '<summary><code dir="ltr">read_file a.md</code></summary>',
    'text of a',
    '(error)',
    'They <strong>differ</strong>.',
    'modified <code dir="ltr">n.md</code>',
    '<script type="application/json">',
  ].map((part) => page.indexOf(part));
  assert.ok(!at.includes(-1), String(at));
  assert.deepEqual(
    at,
    at.toSorted((a, b) => a - b),
  );
});

const GIF = 'R0lGODlhAQABAAAAACw=';
const given = [
  {type: 'text', text: 'Two <b> of them.'},
  {type: 'image', data: GIF, mimeType: 'image/gif', name: 'A "dot"'},
  {type: 'image', url: 'https://e.org/pixel.gif', name: 'Far'},
  {type: 'image', data: 'PHN2Zz4=', mimeType: 'image/svg+xml', name: 'drawing.svg'},
  {type: 'resource_link', uri: 'javascript:alert(1)', name: 'Press'},
  {type: 'resource_link', uri: 'https://e.org/r', description: 'All of it.'},
];

for (const [name, tool] of Object.entries({
  'blocks that came as such': {content: given, output: 'Two <b> of them.'},
  'an output that is blocks': {output: JSON.stringify({content: given})},
}))
  test(`an archive shows ${name}: pictures that bring their bytes, and links, which load nothing`, () => {
    const page = archive(turn('r1').prompt('Go.').tool('chart', {}, tool).answer('Done.').build());
    const shown = page.slice(page.indexOf('class="of"'), page.indexOf('class="answer"'));
    assert.ok(shown.includes('Two &lt;b&gt; of them.</pre>'), shown);
    assert.deepEqual(shown.match(/<(?:img|a) [^>]*>/g), [
      `<img src="data:image/gif;base64,${GIF}" alt="A &quot;dot&quot;">`,
      '<a href="https://e.org/pixel.gif" rel="noopener noreferrer nofollow ugc">',
      '<a href="https://e.org/r" rel="noopener noreferrer nofollow ugc">',
    ]);
    for (const said of ['drawing.svg', 'javascript:alert(1)', 'All of it.'])
      assert.ok(shown.includes(said), said);
  });

test('an archive is read again as the transcript it was', () => {
  const before = toSnapshot({...createTranscript(), turns: [story().build()]});
  const page = toArchive([story().build()], before, {words: english});
  const [, json = ''] = /<script type="application\/json">([^]*?)<\/script>/.exec(page) ?? [];
  assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(before)));
  const again = applySnapshot(createTranscript(), JSON.parse(json), 'history');
  assert.equal(String(again.turns[0]?.answer), 'They **differ**.');
});

const hostile = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '</title></style></pre></details></main></hermes-transcript><img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' autofocus onfocus=alert(1) '",
  '[a](javascript:alert(1)) ![b](https://e.org/pixel.gif)',
  ']]>&lt;script&gt;&#60;script&#62;',
  '\u2028\u2029\0',
];

/** The tags of a page, its texts and its island left out. */
const tags = (page: string) =>
  [
    ...page.replace(/(<(?:style|script type="application\/json")>)[^]*?(?=<\/)/g, '$1').matchAll(/<[^>]*>/g),
  ].map(([tag]) => tag);

for (const text of hostile) {
  test(`text stays text in every place: ${JSON.stringify(text)}`, () => {
    const page = archive(filled(text));
    const found = tags(page);
    assert.equal(found.filter((tag) => /^<script/.test(tag)).length, 1, 'the island alone');
    for (const tag of found) {
      assert.doesNotMatch(tag, /^<(?:img|svg|iframe|link|object|base|form)/i);
      assert.doesNotMatch(tag.replace(/"[^"]*"/g, '""'), /\son\w+=|autofocus/i);
      assert.doesNotMatch(tag, /(?:href|src)="(?!https?:|mailto:|#)/i);
    }
    assert.equal(page.match(/<\/script>/g)?.length, 1);
    assert.doesNotMatch(page, /<!--/);
    for (const tag of tags(turnsToHtml([filled(text)], 'transparent-stream')))
      assert.doesNotMatch(tag, /^<(?:img|svg|script)|\son\w+=|class=/i);
  });
}

test('what opens is closed', () => {
  const open: string[] = [];
  for (const tag of tags(archive(filled('a *b*\n\n- c'), story().build()))) {
    const [, end, name = ''] = /^<(\/?)([\w-]+)/.exec(tag) ?? [];
    if (!name || /^(?:meta|br|hr|input)$/.test(name)) continue;
    if (end) assert.equal(open.pop(), name);
    else open.push(name);
  }
  assert.deepEqual(open, []);
});

test('two archives of one conversation are the same text', () => {
  assert.equal(archive(story().build()), archive(story().build()));
});

test('it is called by its title, else by its first prompt, cut at a whole character', () => {
  const snapshot = toSnapshot(createTranscript());
  const titled = {...snapshot, session: {...snapshot.session, title: ' Notes '}};
  assert.equal(titleOf([story().build()], titled), 'Notes');
  assert.equal(titleOf([turn().answer('a').build(), story().build()], snapshot), 'Compare');
  assert.equal(titleOf([], snapshot), null);
  assert.equal(titleOf([turn().prompt('😀'.repeat(100)).build()], null), `${'😀'.repeat(79)}…`);
});

test('a time that is none is left out', () => {
  assert.doesNotMatch(archive(turn().answer('a').with({startedAt: 1e20}).build()), /<time/);
});
