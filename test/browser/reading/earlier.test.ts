/** Messages from before those that were loaded: when they are asked for, and what a reader notices of it. */
import '../../../src/define.js';
import {loadModel} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {atEnd, drawn, isNear, keys, place, root, top, turnsOf, until} from './page.js';

before(() => loadModel());

const COUNT = 60;
const lines = (from: number) => Array.from({length: 8}, (_, n) => `Line ${from + n}.`).join('\n\n');
const all = Array.from({length: COUNT}, (_, n) => [
  {role: 'user', content: `Question ${n}?`, id: `q${n}`, timestamp: 1000 + 10 * n},
  {role: 'assistant', content: `Answer ${n}.\n\n${lines(n)}`, id: `a${n}`, timestamp: 1005 + 10 * n},
]).flat();

/** A transcript of the last messages of a long session; `asked` are the windows it wanted. */
function long(pageSize: number, height = '300px', refuse = 0) {
  const asked: (string | null)[] = [];
  let refusals = refuse;
  const element = document.createElement('hermes-transcript');
  element.history = `/api/session?session_id=s1&msg_limit=${pageSize}`;
  element.style.blockSize = height;
  element.fetch = (url) => {
    const query = new URL(url as string, location.href).searchParams;
    const before = query.get('msg_before');
    asked.push(before);
    if (before !== null && refusals-- > 0) return Promise.resolve(Response.json({}, {status: 403}));
    const end = Number(before ?? all.length);
    const offset = Math.max(0, end - Number(query.get('msg_limit')));
    const session = {
      session_id: 's1',
      messages: all.slice(offset, end),
      message_count: all.length,
      _messages_offset: offset,
      _messages_truncated: offset > 0,
    };
    return Promise.resolve(Response.json({session}));
  };
  place(element);
  return {element, asked};
}

const button = (element: Element) => root(element).querySelector<HTMLButtonElement>('[part=earlier-button]');
const shown = (element: Element) => turnsOf(element).length;

it('they are loaded when the reader comes near the head, and what is read stays where it is', async () => {
  const {element, asked} = long(20);
  await until(() => shown(element) === 10 && button(element) && atEnd(element));
  await drawn(6);
  assert.deepEqual(asked, [null]);
  const first = turnsOf(element)[0]!;
  element.scrollTop = 5;
  const before = top(first);
  await until(() => shown(element) === 20);
  await drawn(6);
  assert.deepEqual(asked, [null, '100']);
  assert.equal(turnsOf(element)[10], first);
  assert.ok(isNear(top(first), before), `${top(first)}, not ${before}`);
  // Not before the reader comes there again.
  await drawn(6);
  assert.equal(shown(element), 20);
  element.scrollTop = 0;
  await until(() => shown(element) === 30);
});

it('a button loads them too, until there are none, and the focus is not lost with it', async () => {
  const {element, asked} = long(40);
  await until(() => button(element) && atEnd(element));
  const first = turnsOf(element)[0]!;
  assert.equal(button(element)!.textContent.trim(), 'Earlier messages');
  button(element)!.focus({preventScroll: true});
  await keys('Enter');
  await until(() => shown(element) === 40);
  await drawn();
  assert.equal(root(element).activeElement, button(element));
  assert.equal(turnsOf(element)[20], first);
  const second = turnsOf(element)[0]!;
  await keys('Enter');
  await until(() => !button(element));
  await drawn();
  assert.equal(shown(element), COUNT);
  assert.equal(root(element).activeElement, second);
  assert.deepEqual(asked, [null, '80', '40']);
});

it('a page is not filled with all of it because its reader is at its head', async () => {
  const {element, asked} = long(4, 'auto');
  await until(() => button(element));
  await drawn(10);
  assert.deepEqual(asked, [null]);
  button(element)!.click();
  await until(() => shown(element) === 4);
  await drawn(10);
  assert.deepEqual(asked, [null, '116']);
});

it('what failed is said there, and may be tried again', async () => {
  const {element, asked} = long(4, 'auto', 1);
  await until(() => button(element));
  button(element)!.click();
  await until(() => root(element).querySelector('.earlier [role=status]'));
  assert.ok(/does not allow/.test(root(element).querySelector('.earlier')!.textContent));
  button(element)!.click();
  await until(() => shown(element) === 4);
  assert.equal(root(element).querySelector('.earlier [role=status]'), null);
  assert.equal(asked.length, 3);
});

it('where all is loaded there is no such button', async () => {
  const {element} = long(2 * COUNT);
  await until(() => shown(element) === COUNT);
  await drawn(6);
  assert.equal(button(element), null);
});

it('in a page the button at its head keeps the place', async () => {
  const {element} = long(20, 'auto');
  await until(() => button(element) && shown(element) === 10);
  await drawn(6);
  const first = turnsOf(element)[0]!;
  const before = top(first);
  button(element)!.click();
  await until(() => shown(element) === 20);
  await drawn(10);
  assert.ok(isNear(top(first), before), `${top(first)}, not ${before}`);
});

it('in a page who scrolls to its head keeps the place', async () => {
  const {element} = long(20, 'auto');
  await until(() => button(element) && shown(element) === 10);
  scrollTo(0, 3000);
  await drawn(10);
  const first = turnsOf(element)[0]!;
  scrollTo(0, 0);
  const before = top(first);
  await until(() => shown(element) === 20);
  await drawn(10);
  assert.ok(isNear(top(first), before), `${top(first)}, not ${before}`);
});

it('two transcripts of one session ask once', async () => {
  const {element, asked} = long(20);
  await until(() => button(element));
  const two = document.createElement('hermes-transcript');
  two.session = element.shown!;
  two.style.blockSize = '300px';
  place(two);
  await until(() => button(two));
  button(element)!.click();
  button(two)!.click();
  await until(() => shown(element) >= 20 && shown(two) >= 20);
  await drawn(20);
  assert.deepEqual(asked, [null, '100']);
});

it('another session does not say what failed in the one before it', async () => {
  const {element} = long(20, '300px', 1);
  await until(() => button(element));
  button(element)!.click();
  await until(() => root(element).querySelector('.earlier [role=status]'));
  element.history = '/api/session?session_id=s2&msg_limit=20';
  await until(() => !root(element).querySelector('.earlier [role=status]') && button(element));
});

it('what is linked is loaded page by page until it is there', async () => {
  const {element, asked} = long(20);
  await until(() => shown(element) === 10);
  assert.ok(await element.reveal('m50'));
  assert.deepEqual(asked, [null, '100', '80', '60']);
  const turn = turnsOf(element).find(({dataset}) => dataset['turnId'] === 'm50')!;
  assert.equal(root(element).activeElement, turn);
  assert.equal(await element.reveal('nowhere'), false);
  assert.equal(button(element), null, 'all of it was looked through');
});

it('so is what the address of the page names, and once only where that fails', async () => {
  location.hash = '#turn-m50';
  const {element, asked} = long(20);
  element.links = true;
  await until(() => root(element).activeElement?.matches('[data-turn-id=m50]'));
  assert.equal(asked.length, 4);
  element.remove();
  const refused = long(20, '300px', 100);
  refused.element.links = true;
  await until(() => refused.asked.length === 2);
  for (let change = 0; change < 5; change++) {
    refused.element.requestUpdate();
    await drawn(2);
  }
  assert.equal(refused.asked.length, 2);
  history.replaceState(null, '', location.pathname + location.search);
});

it('a reader who begins to read is not taken away by what is loaded for a link', async () => {
  location.hash = '#turn-m10';
  const {element, asked} = long(20);
  const {fetch} = element;
  const earlier = () => asked.filter((before) => before !== null);
  element.fetch = (...request) => {
    const answer = fetch!(...request);
    // Who asked for the first may have been somebody else.
    if (earlier().length > 0) element.dispatchEvent(new WheelEvent('wheel', {deltaY: 1}));
    return answer;
  };
  element.links = true;
  await until(() => shown(element) > 10);
  await drawn(10);
  assert.ok(earlier().length <= 2, `${earlier().length} of five`);
  assert.equal(root(element).activeElement, null);
  history.replaceState(null, '', location.pathname + location.search);
});
