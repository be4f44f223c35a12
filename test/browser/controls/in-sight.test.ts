/** What is asked of a reader who follows the end is seen from its head: they are taken no further, and stay free to go. */
import '../../../src/define.js';
import {loadControlRow} from '../../../src/elements/lazy-control-row.js';
import {loadMarkdown} from '../../../src/elements/load-markdown.js';
import {loadModel, type HermesTranscript} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {done, token} from '../elements/feed.js';
import {createDesk, mount} from './stage.js';

before(() => Promise.all([loadModel(), loadControlRow(), loadMarkdown()]));

const long = Array.from({length: 40}, (_, line) => `echo line ${line} of the command`).join('\n');
const lines = (count: number) => token(Array.from({length: count}, (_, n) => `Line ${n}.\n\n`).join(''));
const approval = ['approval', {approval_id: 'a1', command: long, description: 'deletes files'}] as const;

const frames = async (count = 6) => {
  for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
};

const places = {
  'in a transcript that scrolls': ['height: 300px', ''],
  'in a box around it': ['overflow: visible', 'height: 300px; overflow: auto'],
} as const;

for (const [where, [own, around]] of Object.entries(places))
  describe(where, () => {
    async function reading() {
      const desk = createDesk();
      const element = mount<HermesTranscript>(
        `<div style="${around}"><hermes-transcript style="${own}"></hermes-transcript></div>`,
      ).querySelector('hermes-transcript')!;
      element.session = desk.session;
      const scroller = around ? element.parentElement! : element;
      await desk.feed.send(lines(3));
      await frames();
      await desk.feed.send(lines(30));
      await frames(12);
      const rest = () => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
      const head = () =>
        element.shadowRoot!.querySelector('.ask')!.getBoundingClientRect().top -
        scroller.getBoundingClientRect().top;
      return {desk, element, scroller, rest, head};
    }

    it('its head comes into view, and stays there while more comes', async () => {
      const {desk, rest, head} = await reading();
      assert.ok(rest() < 3, `${rest()} px below before it is asked`);
      await desk.feed.send(approval);
      await frames(20);
      assert.ok(head() >= -1 && head() < 40, `its head stands at ${head()}`);
      assert.ok(rest() > 50, 'it is higher than the view');
      await desk.waitFor('a1');
      await frames(20);
      assert.ok(head() >= -1 && head() < 40, `with its buttons, at ${head()}`);
    });

    it('a reader who goes on to its buttons stays there', async () => {
      const {desk, scroller, head} = await reading();
      await desk.feed.send(approval);
      await desk.waitFor('a1');
      await frames(20);
      scroller.scrollTop += 120;
      await frames(20);
      assert.ok(Math.abs(head() + 120) < 42, `at ${head()}`);
      const before = head();
      await desk.feed.send(['title', {title: 'Other'}]);
      await frames(20);
      assert.ok(Math.abs(head() - before) < 2, `moved from ${before} to ${head()}`);
    });

    it('one that the page hides keeps nobody from the end', async () => {
      const {desk, element, rest} = await reading();
      const sheet = document.createElement('style');
      sheet.textContent = 'hermes-transcript::part(approval) { display: none; }';
      element.before(sheet);
      await desk.feed.send(approval);
      await frames(20);
      await desk.feed.send(token('More.'), lines(20));
      await frames(20);
      assert.ok(rest() < 3, `${rest()} px below`);
    });

    it('once it is over the end is followed again', async () => {
      const {desk, rest} = await reading();
      await desk.feed.send(approval);
      await frames(20);
      await desk.feed.send(token('Well then.'), lines(20), done);
      await frames(30);
      assert.ok(rest() < 3, `${rest()} px below`);
    });
  });
