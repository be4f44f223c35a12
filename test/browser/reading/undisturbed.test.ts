/** Whatever happens to a turn that runs, the reader of an earlier one keeps what was selected, opened and in sight. */
import {loadModel, type HermesTranscript} from '../../../src/index.js';
import {expectedRows, project, reconcile, type DisplayMode} from '../../../src/scene/index.js';
import * as assert from '../../support/assert.js';
import {createFeed, reasoning, settled, token, tool, toolEnd} from '../elements/feed.js';
import {back, drawn, isNear, place, press, root, row, selected, top, turnsOf, until} from './page.js';
import type {HermesTurn} from '../../../src/index.js';

const call = (id: string, name: string, args: object) => ({
  id,
  type: 'function',
  function: {name, arguments: JSON.stringify(args)},
});
const lines = (count: number) =>
  Array.from({length: count}, (_, n) => `Line ${n} of the answer.`).join('\n\n');

const earlier = [1, 2].flatMap((n) => [
  {role: 'user', content: `Question ${n}?`, timestamp: n * 100},
  {
    role: 'assistant',
    content: 'I look.',
    tool_calls: [call(`h${n}`, 'read_file', {path: 'a.md'})],
    timestamp: n * 100 + 1,
  },
  {role: 'tool', tool_call_id: `h${n}`, name: 'read_file', content: 'text of a.md', timestamp: n * 100 + 2},
  {role: 'assistant', content: lines(12), timestamp: n * 100 + 3},
]);
const session = (messages: object[], updated_at: number) => ({
  session_id: 's1',
  message_count: messages.length,
  updated_at,
  messages,
});

before(() => loadModel());

it('5,000 deltas, a mode switch, a cut and the settlement change nothing of what the reader is at', async () => {
  const feed = createFeed();
  const element: HermesTranscript = document.createElement('hermes-transcript');
  element.fetch = (url, init) =>
    (url as string).includes('history')
      ? Promise.resolve(Response.json({session: session(earlier, 10)}))
      : feed.fetch(url, init);
  element.style.blockSize = '300px';
  element.setAttribute('history', '/history');
  element.setAttribute('src', '/events/run_1');
  place(element);
  await until(() => turnsOf(element).length === 3);
  await feed.send(reasoning('Hm.'), token('I look too.'), tool('c1', 'terminal', {command: 'make'}));
  await feed.send(toolEnd('c1', 'terminal', 'ok'));

  press(element, 'worklog');
  await until(() => !row(element, 'group:tool:h1').hidden);
  press(element, 'group:tool:h1');
  await until(() => row(element, 'tool:h1').querySelector('.tool-body pre'));
  const answer = row(element, answerId(element));
  const words = answer.querySelectorAll('p')[1]!.firstChild as Text;
  element.scrollTop += top(answer) - top(element) - 60;
  await drawn();
  row(element, 'tool:h1').querySelector('button')!.focus({preventScroll: true});
  // WebKit lets go of a selection when something gets the focus.
  getSelection()!.setBaseAndExtent(words, 5, words, 11);
  await drawn();

  const pre = row(element, 'tool:h1').querySelector('pre');
  const at = {words: top(words.parentElement!), tool: row(element, 'tool:h1')};
  const check = (when: string) => {
    const range = selected(element)!;
    assert.ok(range.startContainer === words && range.endContainer === words, `${when}: the selection`);
    assert.deepEqual([range.startOffset, range.endOffset], [5, 11], `${when}: the selection`);
    assert.equal(row(element, 'tool:h1'), at.tool, `${when}: the tool`);
    assert.equal(at.tool.hidden, false, `${when}: the tool is in sight`);
    assert.ok(at.tool.contains(root(element).activeElement), `${when}: the focus`);
    assert.ok(at.tool.querySelector('pre')!.isConnected, `${when}: the tool is open`);
    assert.ok(isNear(top(words.parentElement!), at.words), `${when}: the place`);
  };
  check('before');

  let text = '';
  for (let chunk = 0; chunk < 50; chunk++) {
    const pieces = Array.from({length: 100}, (_, n) => `w${chunk * 100 + n}${n % 20 === 19 ? '\n\n' : ' '}`);
    text += pieces.join('');
    await feed.send(...pieces.map(token));
    if (chunk === 20) await switchTo('transparent-stream');
    if (chunk === 30) await switchTo('compact-worklog');
    if (chunk === 40) {
      await feed.end();
      await until(() => feed.asked.length > 1);
      check('cut');
    }
  }
  async function switchTo(mode: DisplayMode) {
    element.mode = mode;
    await drawn();
    check(mode);
  }
  await drawn();
  check('5,000 deltas');
  assert.equal(at.tool.querySelector('pre'), pre);

  const live = turnsOf(element)[2]!;
  const streamed = [...live.querySelectorAll('[data-type=answer] p')];
  const messages = [
    ...earlier,
    {role: 'user', content: 'Question 3?', timestamp: 300},
    {
      role: 'assistant',
      content: 'I look too.',
      tool_calls: [call('c1', 'terminal', {command: 'make'})],
      timestamp: 301,
    },
    {role: 'tool', tool_call_id: 'c1', name: 'terminal', content: 'ok', timestamp: 302},
    {role: 'assistant', content: text.trim(), timestamp: 303},
  ];
  await feed.send(['done', {session: session(messages, 400)}], ['stream_end', {}]);
  await settled();
  await drawn();
  check('settlement');
  assert.equal(turnsOf(element)[2], live);
  const blocks = [...live.querySelectorAll('[data-type=answer] p')];
  assert.equal(blocks.length, 250);
  assert.ok(
    streamed.every((block, index) => blocks[index] === block),
    'the answer kept its nodes',
  );
  assert.equal(back(element).hidden, false);
  for (const turn of turnsOf(element) as HermesTurn[]) {
    const expected = expectedRows(project(turn.anchor!, 'compact-worklog'), {open: turn.openRows});
    const rows = turn.renderedRows();
    assert.deepEqual(reconcile(expected, rows).mismatches, []);
    // Every row that has a text proves it.
    assert.ok(
      rows.every(({text, hidden}, index) => hidden || (text === null) === (expected[index]!.text === null)),
    );
  }
});

function answerId(element: HermesTranscript): string {
  return turnsOf(element)[0]!.querySelector<HTMLElement>('[data-type=answer]')!.dataset['itemId']!;
}
