/** Long transcripts and long turns: what is drawn when, what a reader never notices of it, and what is still all there. */
import {html, render} from 'lit';
import type {TurnAnchor} from '../../../src/anchor/index.js';
import {keyed} from '../../../src/elements/keyed.js';
import {AT_ONCE, Pace} from '../../../src/elements/pace.js';
import type {HermesTranscript, HermesTurn} from '../../../src/index.js';
import {expectedRows, project, reconcile} from '../../../src/scene/index.js';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {mountStory, Story} from './story.js';
import {atEnd, drawn, isNear, keys, place, read, root, row, selected, top, turnsOf, until} from './page.js';

const lines = (count: number) => Array.from({length: count}, (_, n) => `Line ${n}.`).join('\n\n');
const worked = (id: string) =>
  turn(id)
    .prompt(`Question ${id}?`)
    .thought('First the rows.')
    .prose('I look.')
    .tool('read_file', {path: `${id}.md`}, {output: 'text'})
    .answer(`Answer ${id}.\n\n${lines(4)}`)
    .build();
const history = (count: number, from = 0) =>
  Array.from({length: count}, (_, n): TurnAnchor => worked(`t${from + n}`));

const undrawn = (element: Element) => root(element).querySelectorAll('[data-undrawn]').length;
const groupsOf = (element: Element) => [...element.querySelectorAll(':scope > .group')];

/** Stands in the page, and nothing but the first update has come. */
async function mounted(turns: TurnAnchor[], height = '300px') {
  const story = new Story({turns});
  const element = mountStory(story);
  element.style.blockSize = height;
  place(element);
  await element.updateComplete;
  await Promise.resolve();
  return {story, element};
}

describe('a transcript of a thousand turns', () => {
  it('draws the newest at once and has room for the others', async () => {
    const {element} = await mounted(history(1000));
    const turns = turnsOf(element);
    assert.equal(turns.length, 1000);
    assert.equal(undrawn(element), 1000 - AT_ONCE);
    for (const one of turns.slice(-AT_ONCE)) assert.ok(one.querySelector('[data-type=answer]'));
    assert.ok(turns[0]!.offsetHeight > 100, `${turns[0]!.offsetHeight} px`);
    await until(() => atEnd(element));
  });

  it('draws all in the end, in short steps', async () => {
    const {element} = await mounted(history(60));
    await until(() => undrawn(element) === 0);
    await until(() => atEnd(element));
    await until(() => turnsOf(element).every((one) => one.querySelector('[data-type=answer] p')));
  });

  it('what is read stays where it is while the older are drawn above', async () => {
    const {element} = await mounted(history(60));
    await until(() => atEnd(element));
    element.scrollTop -= 400;
    await drawn(1);
    const target = turnsOf(element).find((one) => one.getBoundingClientRect().bottom > top(element) + 2)!;
    const before = top(target);
    while (undrawn(element) > 0) {
      await drawn(1);
      assert.ok(isNear(top(target), before), `${top(target)}, not ${before}`);
    }
  });

  it('draws what the reader comes to', async () => {
    const {element} = await mounted(history(200));
    await drawn(1);
    element.scrollTop = 0;
    await until(() => !turnsOf(element)[0]!.hasAttribute('data-undrawn'));
    assert.ok(row(element, 'prompt').textContent.includes('Question t0?'));
  });

  it('tells all of it before all is drawn', async () => {
    const {element} = await mounted(history(40));
    assert.ok(undrawn(element) > 0);
    assert.ok(element.toMarkdown().includes('Answer t0.'));
    const expected = history(40).flatMap((one) => expectedRows(project(one, 'compact-worklog')));
    assert.equal(element.renderedRows().length, expected.length);
    assert.equal(undrawn(element), 0);
    for (const one of turnsOf(element) as HermesTurn[])
      assert.deepEqual(reconcile(project(one.anchor!, 'compact-worklog'), one.renderedRows()).mismatches, []);
  });

  it('is all there on paper', async () => {
    const {element} = await mounted(history(40));
    assert.ok(undrawn(element) > 0);
    dispatchEvent(new Event('beforeprint'));
    assert.equal(undrawn(element), 0);
    assert.ok(row(element, 'tool:c1', 0).textContent.includes('t0.md'));
    dispatchEvent(new Event('afterprint'));
  });

  it('Alt and arrows, and a link, reach what is not drawn', async () => {
    const {element} = await mounted(history(40));
    await drawn(1);
    turnsOf(element)[40 - AT_ONCE]!.focus();
    await keys('Alt', 'ArrowUp');
    const above = turnsOf(element)[40 - AT_ONCE - 1]!;
    assert.equal(root(element).activeElement, above);
    const {element: other} = await mounted(history(300));
    assert.ok(await other.reveal('t3', 'tool:c1'));
    assert.ok(row(other, 'tool:c1', 3).contains(root(other).activeElement));
  });

  it('who selects all and copies gets all', async () => {
    const {element} = await mounted(history(40));
    assert.ok(undrawn(element) > 0);
    const turns = root(element).querySelector('.turns')!;
    getSelection()!.setBaseAndExtent(turns, 0, turns, turns.childNodes.length);
    document.dispatchEvent(new Event('copy'));
    assert.equal(undrawn(element), 0);
    await drawn();
    assert.ok(turnsOf(element)[0]!.textContent.includes('Answer t0.'));
  });

  it('a copy of something else on the page draws nothing', async () => {
    const {element} = await mounted(history(300));
    const before = undrawn(element);
    document.dispatchEvent(new Event('copy'));
    assert.equal(undrawn(element), before);
  });

  it('what has left the page is not drawn any more, and is let go', async () => {
    const {element} = await mounted(history(300));
    const left = undrawn(element);
    element.remove();
    await drawn(10);
    assert.equal(undrawn(element), left);
    place(element);
    await until(() => undrawn(element) < left);
  });

  it('a page of history that comes above moves nothing that is read', async () => {
    const {story, element} = await read(history(12, 50), {height: '300px'});
    await until(() => undrawn(element) === 0);
    element.scrollTop = 0;
    await drawn();
    const first = turnsOf(element)[0]!;
    const before = top(first);
    story.show(...history(50), ...story.transcript.turns);
    await until(() => undrawn(element) > 0);
    while (undrawn(element) > 0) {
      await drawn(1);
      assert.ok(isNear(top(first), before), `${top(first)}, not ${before}`);
    }
    assert.equal(turnsOf(element)[50], first);
  });
});

describe('the pace', () => {
  it('draws one at least each time there is time, from the end upwards', () => {
    const host = place(document.createElement('div')) as unknown as HermesTranscript;
    Object.assign(host, {addController: () => {}});
    const runs: ((left: () => number) => void)[] = [];
    const pace = new Pace(host, {heed: () => {}, keep: () => {}}, (run) => {
      runs.push(run);
      return () => {};
    });
    const order: number[] = [];
    for (let n = 0; n < 3; n++) {
      const one = Object.assign(document.createElement('div'), {
        hasUpdated: false,
        likelyHeight: 10,
        draw: () => void order.push(n),
      });
      host.append(one);
      pace.wait(one);
    }
    assert.equal(runs.length, 1);
    runs.shift()!(() => 0);
    assert.deepEqual(order, [2]);
    runs.shift()!(() => 5);
    assert.deepEqual(order, [2, 1, 0]);
    assert.equal(runs.length, 0);
  });
});

describe('a folded row', () => {
  const isFound = 'onbeforematch' in document;

  it('is only its words, and opens when the search of the page finds them', async function () {
    const {element} = await read([worked('a')], {height: '400px'});
    const folded = row(element, 'tool:c1');
    assert.ok(folded.hidden);
    assert.equal(folded.querySelector('*'), null);
    if (!isFound) return this.skip();
    assert.equal(folded.getAttribute('hidden'), 'until-found');
    assert.ok(folded.textContent.includes('a.md'));
    assert.equal(folded.offsetHeight, 0);
    folded.dispatchEvent(new Event('beforematch', {bubbles: true}));
    assert.equal(row(element, 'tool:c1'), folded);
    assert.equal(folded.hidden, false);
    assert.ok(folded.querySelector('[aria-expanded]'));
    assert.equal(row(element, 'worklog').querySelector('button')!.getAttribute('aria-expanded'), 'true');
  });

  it('of a turn that runs says nothing that still grows', async () => {
    const {element, story} = await read([
      turn('t').prompt('Go.').thought('Hm.').prose('I look').running().build(),
    ]);
    row(element, 'worklog').querySelector('button')!.click();
    await drawn();
    const at = row(element, 'reasoning:0:0');
    assert.ok(at.hidden);
    assert.equal(at.textContent.trim(), '');
    story.show(turn('t').prompt('Go.').thought('Hm.').answer('I look').build());
    await drawn();
    if (isFound) assert.equal(row(element, 'reasoning:0:0').textContent.trim(), 'Hm.');
  });
});

describe('a long turn', () => {
  const long = (count: number) => {
    const builder = turn('t').prompt('Go.');
    for (let n = 0; n < count; n++) builder.thought(`Thought ${n}.`).prose(`Word ${n}.`).tool('bash');
    return builder.running().build();
  };

  it('stands in groups: no row changes its parent, and what ends a turn is in none', async () => {
    const {story, element} = await read([long(20)]);
    const [shown] = turnsOf(element) as HermesTurn[];
    const parents = new Map([...shown!.querySelectorAll('.row')].map((one) => [one, one.parentElement]));
    for (let n = 21; n < 60; n += 3) {
      story.show(long(n));
      await drawn(1);
    }
    await drawn();
    const loose = ['status'].map((id) => row(element, id));
    for (const [one, parent] of parents)
      if (one.isConnected && !loose.includes(one as HTMLElement)) assert.equal(one.parentElement, parent);
    for (const one of loose) assert.equal(one.parentElement, shown!);
    const groups = groupsOf(shown!);
    assert.ok(groups.length > 2);
    for (const one of groups) assert.ok(one.children.length <= 64, `${one.children.length} rows`);
    assert.ok(!groups.at(-1)!.classList.contains('rests'));
    if ('onbeforematch' in document && navigator.vendor.startsWith('Google'))
      assert.ok(groups[0]!.classList.contains('rests'));
    assert.deepEqual(
      reconcile(
        expectedRows(project(shown!.anchor!, 'compact-worklog'), {open: shown!.openRows}),
        shown!.renderedRows(),
      ).mismatches,
      [],
    );
  });

  it('of more than eight groups, those that come stand in groups of groups, which rest as one once they are far', async () => {
    const {story, element} = await read([long(300)]);
    const [shown] = turnsOf(element) as HermesTurn[];
    const parents = new Map([...shown!.querySelectorAll('.row')].map((one) => [one, one.parentElement]));
    for (let n = 310; n < 460; n += 30) {
      story.show(long(n));
      await drawn(1);
    }
    await drawn();
    const status = row(element, 'status');
    for (const [one, parent] of parents)
      if (one.isConnected && one !== status) assert.equal(one.parentElement, parent);
    assert.equal(status.parentElement, shown!);
    const outer = groupsOf(shown!).filter((one) => groupsOf(one).length > 0);
    assert.equal(groupsOf(shown!).length - outer.length, 8);
    assert.ok(outer.length > 2);
    for (const one of outer.slice(0, -1)) assert.equal(groupsOf(one).length, 8);
    if ('onbeforematch' in document && navigator.vendor.startsWith('Google')) {
      assert.ok(outer[0]!.classList.contains('rests'));
      assert.ok(groupsOf(outer[0]!).every((one) => !one.classList.contains('rests')));
      assert.ok(!outer.at(-1)!.classList.contains('rests'));
    }
    assert.deepEqual(
      reconcile(
        expectedRows(project(shown!.anchor!, 'compact-worklog'), {open: shown!.openRows}),
        shown!.renderedRows(),
      ).mismatches,
      [],
    );
  });

  it('code that was scrolled stands as it did when its groups begin to rest', async () => {
    const wide = (count: number) => {
      const builder = turn('t').prompt('Go.');
      for (let n = 0; n < count; n++)
        builder
          .thought(`Thought ${n}.`)
          .prose(n === 180 ? `\`\`\`\n${'wide '.repeat(200)}\n\`\`\`` : `Word ${n}.`)
          .tool('bash');
      return builder.running().build();
    };
    const {story, element} = await read([wide(260)]);
    const [shown] = turnsOf(element);
    const code = shown!.querySelector('pre')!;
    const {height} = code.getBoundingClientRect();
    code.scrollLeft = 70;
    await drawn();
    story.show(wide(400));
    await drawn();
    await drawn();
    if ('onbeforematch' in document && navigator.vendor.startsWith('Google'))
      assert.ok(code.closest('.rests > .group'));
    code.scrollIntoView();
    await drawn();
    assert.equal(code.scrollLeft, 70);
    assert.equal(code.getBoundingClientRect().height, height);
  });

  it('has no pictures in rows that are over: a browser goes through all of a page in each frame', async () => {
    const {element} = await read([worked('t')]);
    const [shown] = turnsOf(element);
    assert.ok(shown!.querySelector('.chevron'));
    assert.equal(shown!.querySelectorAll(':is(.reasoning, .tool-group, .tool) svg').length, 0);
  });

  it('a selection crosses its groups', async () => {
    const {element} = await read([long(60)]);
    const [shown] = turnsOf(element);
    const rows = [...shown!.querySelectorAll('.prose')];
    const [from, to] = [rows[0]!, rows.at(-1)!];
    getSelection()!.setBaseAndExtent(from, 0, to, to.childNodes.length);
    await drawn();
    const {startContainer, endContainer, startOffset, endOffset} = selected(element)!;
    const range = new Range();
    range.setStart(startContainer, startOffset);
    range.setEnd(endContainer, endOffset);
    assert.ok(range.toString().includes('Word 0.') && range.toString().includes('Word 59.'));
  });
});

describe('a keyed list', () => {
  it('draws only what has changed, wherever it stands', () => {
    const at = place(document.createElement('div'));
    const drew: string[] = [];
    const show = (items: readonly {id: number}[], version = '') =>
      render(
        html`${keyed(
          items,
          ({id}) => id,
          version,
          ({id}) => {
            drew.push(String(id));
            return html`<i>${id}</i>`;
          },
        )}`,
        at,
      );
    const items = Array.from({length: 300}, (_, id) => ({id}));
    show(items);
    assert.equal(drew.splice(0).length, 300);
    // The second, and the first, which may read it; the last is new, and the one before it may read that.
    const next = [items[0]!, {id: 1}, ...items.slice(2), {id: 300}];
    show(next);
    assert.deepEqual(drew.splice(0), ['0', '1', '299', '300']);
    show(next, 'another');
    assert.equal(drew.splice(0).length, 301);
    assert.equal(at.textContent, next.map(({id}) => id).join(''));
    show(next.slice(5, 290), 'another');
    assert.equal(
      at.textContent,
      next
        .slice(5, 290)
        .map(({id}) => id)
        .join(''),
    );
    assert.ok([...at.children].every((group) => group.children.length > 0));
  });
});
