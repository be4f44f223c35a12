/** The composer and the runtime picker, as a reader meets them. */
import 'axe-core/axe.min.js';
import {sendKeys} from '@web/test-runner-commands';
import '../../../src/define.js';
import {loadModel, type HermesComposer, type HermesRuntimePicker} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {done, settled, token} from '../elements/feed.js';
import {allByRole, byRole, createDesk, focused, mount, until, type Desk} from './stage.js';

declare const axe: {
  run(root: Element, options?: object): Promise<{violations: {id: string; nodes: {html: string}[]}[]}>;
};

before(() => loadModel());

async function checkAccess(element: Element) {
  const {violations} = await axe.run(element, {rules: {region: {enabled: false}}});
  assert.deepEqual(
    violations.map(({id, nodes}) => [id, nodes[0]?.html]),
    [],
  );
}

async function composer(desk: Desk, attributes = ''): Promise<HermesComposer> {
  const element = mount<HermesComposer>(`<hermes-composer ${attributes}></hermes-composer>`, {
    session: desk.session,
  });
  await settled();
  return element;
}

/** A conversation that has come to rest. */
async function rested(): Promise<Desk> {
  const desk = createDesk();
  await desk.feed.send(token('Hi.'), done);
  return desk;
}

async function type(element: HermesComposer, text: string) {
  const box = byRole<HTMLTextAreaElement>(element, 'textbox');
  box.value = text;
  box.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true}));
  await element.updateComplete;
  box.focus();
  return box;
}

const key = (box: HTMLElement, init: KeyboardEventInit) => {
  const event = new KeyboardEvent('keydown', {bubbles: true, composed: true, cancelable: true, ...init});
  box.dispatchEvent(event);
  return event;
};

const waiting = (element: HermesComposer) => element.queue.map(({text}) => text);

describe('writing', () => {
  it('Enter sends, the box is empty and keeps the focus; Shift and Enter is a line', async () => {
    const desk = await rested();
    const element = await composer(desk);
    const box = await type(element, 'Hello');
    await sendKeys({press: 'Enter'});
    await until(() => desk.asked.length > 0);
    assert.deepEqual(desk.asked, ['send Hello [object Object]']);
    assert.deepEqual([element.value, focused() === box], ['', true]);
    await type(element, 'A');
    assert.ok(!key(box, {key: 'Enter', shiftKey: true}).defaultPrevented);
    assert.equal(element.value, 'A');
    await checkAccess(element);
  });

  it('an Enter that ends a composition is no send', async () => {
    const desk = await rested();
    const element = await composer(desk);
    const box = await type(element, 'にほん');
    key(box, {key: 'Enter', isComposing: true});
    key(box, {key: 'Enter', keyCode: 229});
    await settled();
    assert.deepEqual([desk.asked, element.value], [[], 'にほん']);
  });

  it('with enter="newline" Ctrl and Enter sends', async () => {
    const desk = await rested();
    const element = await composer(desk, 'enter="newline"');
    const box = await type(element, 'Hello');
    assert.ok(!key(box, {key: 'Enter'}).defaultPrevented);
    key(box, {key: 'Enter', ctrlKey: true});
    await settled();
    assert.equal(desk.asked.length, 1);
  });

  it('what is refused stays in the box, with the reason', async () => {
    const desk = await rested();
    const element = await composer(desk);
    desk.refuse('The server could not be reached. Check the network, then retry.');
    await type(element, 'Hello');
    element.submit();
    await until(() => allByRole(element, 'alert').length > 0);
    assert.equal(element.value, 'Hello');
    assert.ok(/could not be reached/.test(byRole(element, 'alert').textContent));
  });

  it('its value is the form’s, resets with it, and a disabled fieldset shuts it', async () => {
    const form = mount<HTMLFormElement>(
      '<form><fieldset><hermes-composer name="question"></hermes-composer></fieldset></form>',
    );
    const element = form.querySelector('hermes-composer')!;
    await settled();
    await type(element, 'Hello');
    assert.equal(new FormData(form).get('question'), 'Hello');
    form.reset();
    await element.updateComplete;
    assert.equal(element.value, '');
    form.querySelector('fieldset')!.disabled = true;
    await settled();
    assert.ok(byRole<HTMLTextAreaElement>(element, 'textbox').disabled);
  });

  it('the page can take a prompt over, with what it adds', async () => {
    const desk = await rested();
    const element = await composer(desk);
    element.pageContext = () => 'The page.';
    element.attachments = [{type: 'image'}];
    element.addEventListener('hermes-send-request', (event) => {
      assert.deepEqual(
        [event.prompt, event.attachments, event.pageContext],
        ['Hi', [{type: 'image'}], 'The page.'],
      );
      event.preventDefault();
    });
    await type(element, 'Hi');
    element.submit();
    await until(() => !element.hasAttribute('x') && element.attachments.length === 0);
    await settled();
    assert.deepEqual(desk.asked, []);
  });
});

/** Time that passes when it is told to. */
function clockOf(element: HermesComposer) {
  let now = 0;
  let timers: {readonly at: number; readonly run: () => void}[] = [];
  element.clock = {
    now: () => now,
    setTimeout: (run, ms) => {
      const timer = {at: now + ms, run};
      timers.push(timer);
      return timer;
    },
    clearTimeout: (gone) => void (timers = timers.filter((timer) => timer !== gone)),
  };
  return {
    waiting: () => timers.length,
    async pass(ms: number) {
      now += ms;
      const due = timers.filter(({at}) => at <= now);
      timers = timers.filter((timer) => !due.includes(timer));
      for (const {run} of due) run();
      await settled();
    },
  };
}

interface Asked {
  readonly text: string;
  answer(): void;
  refuse(sentence: string): void;
}

/** From now on the server is asked and says nothing until the test lets it. */
function hang(desk: Desk, name: 'send' | 'cancel' | 'steer'): Asked[] {
  const asked: Asked[] = [];
  Object.defineProperty(desk.session, name, {
    value: (text = '') =>
      new Promise<void>((answer, refuse) =>
        asked.push({text: text, answer, refuse: (sentence) => refuse(new Error(sentence))}),
      ),
  });
  return asked;
}

const sending = (element: HermesComposer) =>
  [...element.shadowRoot!.querySelectorAll('[part=sending] .what')].map(({children}) =>
    [...children].map(({textContent}) => textContent.trim()).join(' | '),
  );

const said = (element: HermesComposer) =>
  allByRole(element, 'alert').map(({textContent}) => textContent.trim());

const status = (element: HermesComposer) =>
  element.shadowRoot!.querySelector('.waiting > [role=status]')?.textContent.replace(/\s+/g, ' ').trim() ??
  null;

async function submit(element: HermesComposer, ...texts: string[]) {
  for (const text of texts) {
    await type(element, text);
    element.submit();
    await settled();
  }
}

describe('what is on its way', () => {
  async function slow() {
    const desk = await rested();
    const element = await composer(desk);
    return {desk, element, clock: clockOf(element), asked: hang(desk, 'send')};
  }

  it('is shown when it takes long, and not before', async () => {
    const {element, clock, asked} = await slow();
    await submit(element, 'Hello');
    assert.deepEqual(sending(element), []);
    await clock.pass(400);
    assert.deepEqual(sending(element), ['Sending … | Hello']);
    await checkAccess(element);
    asked[0]!.answer();
    await settled();
    assert.deepEqual([sending(element), element.value, waiting(element)], [[], '', []]);
    element.remove();
    await settled();
    assert.equal(clock.waiting(), 0);
  });

  it('can be taken back into the box, with a word that the server may have it', async () => {
    const {element, clock, asked} = await slow();
    await submit(element, 'Hello');
    await clock.pass(400);
    byRole(element, 'button', /^Take back: Hello/).click();
    await settled();
    assert.deepEqual([element.value, sending(element), waiting(element)], ['Hello', [], []]);
    assert.ok(/may have got it/.test(said(element)[0]!));
    assert.equal(focused(), byRole(element, 'textbox'));
    asked[0]!.answer();
    await settled();
    assert.deepEqual([element.value, /had got it/.test(said(element)[0]!)], ['Hello', true]);
  });

  it('goes back to the head of the queue where others wait; if it had arrived it waits no longer', async () => {
    const {element, clock, asked} = await slow();
    await submit(element, 'one', 'two');
    await clock.pass(400);
    byRole(element, 'button', /^Take back: one/).click();
    await settled();
    assert.deepEqual([waiting(element), element.value, asked.length], [['one', 'two'], '', 1]);
    assert.ok(/taken back/.test(status(element)!) && /may have got it/.test(said(element)[0]!));
    asked[0]!.answer();
    await settled();
    assert.deepEqual(waiting(element), ['two']);
    byRole(element, 'button', /Send the next/).click();
    await settled();
    assert.deepEqual([asked.map(({text}) => text), waiting(element)], [['one', 'two'], []]);
  });

  it('what the page still adds to is taken back without a word, and is not sent', async () => {
    const {element, clock, asked} = await slow();
    let give = (_context: string) => {};
    element.pageContext = () => new Promise((resolve) => (give = resolve));
    await submit(element, 'Hello');
    await clock.pass(400);
    byRole(element, 'button', /^Take back/).click();
    give('The page.');
    await settled();
    assert.deepEqual([element.value, said(element), asked], ['Hello', [], []]);
  });

  it('in one conversation holds nothing up in another, and is shown there', async () => {
    const {desk, element, asked} = await slow();
    await submit(element, 'For the first');
    const other = await rested();
    element.session = other.session;
    await settled();
    assert.deepEqual(sending(element), ['Sending to another conversation … | For the first']);
    await submit(element, 'For the second');
    assert.deepEqual([other.asked.length, waiting(element)], [1, []]);
    await type(element, 'draft');
    asked[0]!.refuse('The server is full.');
    await settled();
    assert.deepEqual([element.value, sending(element), waiting(element)], ['draft', [], ['For the first']]);
    await until(() => /another conversation/.test(status(element) ?? ''));
    assert.deepEqual(said(element), ['The server is full.']);
    await checkAccess(element);
    element.session = desk.session;
    await settled();
    assert.ok(/was not sent/.test(status(element)!));
    byRole(element, 'button', /Send the next/).click();
    await settled();
    assert.deepEqual(
      [asked.map(({text}) => text), waiting(element)],
      [['For the first', 'For the first'], []],
    );
  });

  it('a refusal keeps the order: first in the queue where others wait, although the box is empty', async () => {
    const {element, asked} = await slow();
    await submit(element, 'one', 'two');
    asked[0]!.refuse('The server is full.');
    await settled();
    assert.deepEqual(
      [element.value, waiting(element), said(element)],
      ['', ['one', 'two'], ['The server is full.']],
    );
  });
});

describe('the queue goes on', () => {
  it('after a prompt that the page took over', async () => {
    const desk = createDesk();
    const element = await composer(desk);
    await desk.feed.send(token('Working on it'));
    await submit(element, 'one', 'two');
    const taken: string[] = [];
    element.addEventListener('hermes-send-request', (event) => {
      event.preventDefault();
      taken.push(event.prompt);
    });
    await desk.feed.send(done);
    await settled();
    assert.deepEqual([taken, waiting(element), desk.asked], [['one', 'two'], [], []]);
  });

  it('after a run that ended before its prompt was answered', async () => {
    const desk = await rested();
    const element = await composer(desk);
    const asked = hang(desk, 'send');
    await submit(element, 'one', 'two');
    desk.session.begin({runId: 'run_1', streamId: 'run_1', prompt: 'one'});
    await settled();
    await desk.feed.send(token('Yes.'), done);
    asked[0]!.answer();
    await settled();
    assert.deepEqual(
      asked.map(({text}) => text),
      ['one', 'two'],
    );
  });

  it('not while it is out of the page, where it would not hear a turn end', async () => {
    const desk = await rested();
    const element = await composer(desk);
    const asked = hang(desk, 'send');
    await submit(element, 'one', 'two');
    element.remove();
    asked[0]!.answer();
    await settled();
    assert.deepEqual(
      asked.map(({text}) => text),
      ['one'],
    );
    assert.deepEqual(
      element.queue.map(({text}) => text),
      ['two'],
    );
  });

  for (const whose of ['its own', 'the form’s'])
    it(`when it is no longer disabled by ${whose} attribute`, async () => {
      const desk = createDesk();
      const form = mount<HTMLFormElement>(
        '<form><fieldset><hermes-composer></hermes-composer></fieldset></form>',
      );
      const [element, fieldset] = [form.querySelector('hermes-composer')!, form.querySelector('fieldset')!];
      element.session = desk.session;
      await settled();
      await desk.feed.send(token('Working on it'));
      await submit(element, 'one');
      const disable = (isOff: boolean) =>
        whose === 'its own' ? (element.disabled = isOff) : (fieldset.disabled = isOff);
      disable(true);
      await desk.feed.send(done);
      assert.deepEqual([desk.asked, waiting(element)], [[], ['one']]);
      disable(false);
      await settled();
      assert.deepEqual([desk.asked.length, waiting(element)], [1, []]);
    });
});

describe('between conversations', () => {
  it('a prompt whose page context is still being made is not sent to the next one', async () => {
    const [desk, next] = [await rested(), await rested()];
    const element = await composer(desk);
    let give = (_context: string) => {};
    element.pageContext = () => new Promise((resolve) => (give = resolve));
    await type(element, 'For the first');
    element.submit();
    await settled();
    element.session = next.session;
    await settled();
    give('The page.');
    await until(() => waiting(element).length > 0);
    assert.deepEqual([desk.asked, next.asked, waiting(element)], [[], [], ['For the first']]);
  });

  it('one session that is opened for another conversation is another', async () => {
    const desk = createDesk();
    const element = await composer(desk);
    const fetch: typeof globalThis.fetch = (input, init) =>
      (input as string).startsWith('/events')
        ? desk.feed.fetch(input, init)
        : Promise.resolve(Response.json({format: 'hermes.transcript.v1', session: {id: null}, turns: []}));
    desk.session.open({base: '/gw', sessionId: 'a', src: '/events/run_1', fetch});
    await settled();
    await desk.feed.send(token('Working on it'));
    await submit(element, 'For a');
    assert.deepEqual(waiting(element), ['For a']);
    desk.session.open({base: '/gw', sessionId: 'b', fetch});
    await settled();
    assert.deepEqual([desk.asked, waiting(element)], [[], ['For a']]);
    assert.ok(/another conversation/.test(status(element)!));
  });
});

describe('while the agent is at work', () => {
  async function running() {
    const desk = createDesk();
    const element = await composer(desk);
    await desk.feed.send(token('Working on it'));
    await until(() => allByRole(element, 'button', /Stop/).length > 0);
    return {desk, element};
  }

  it('what is written waits, and goes when the turn has completed', async () => {
    const {desk, element} = await running();
    await type(element, 'And then?');
    await sendKeys({press: 'Enter'});
    await settled();
    assert.deepEqual([desk.asked, waiting(element)], [[], ['And then?']]);
    await checkAccess(element);
    await desk.feed.send(done);
    await until(() => desk.asked.length > 0);
    assert.deepEqual([desk.asked[0]!.startsWith('send And then?'), waiting(element)], [true, []]);
  });

  it('it can be changed and removed', async () => {
    const {desk, element} = await running();
    for (const text of ['one', 'two']) {
      await type(element, text);
      element.submit();
      await settled();
    }
    await type(element, 'draft');
    byRole(element, 'button', /^Edit: one/).click();
    await settled();
    assert.deepEqual([element.value, waiting(element)], ['one', ['draft', 'two']]);
    byRole(element, 'button', /^Remove: two/).click();
    await settled();
    assert.deepEqual([waiting(element), desk.asked], [['draft'], []]);
  });

  it('after a stop it is held back until the reader says so; stop and send goes at once', async () => {
    const {desk, element} = await running();
    await type(element, 'Later');
    element.submit();
    await settled();
    byRole(element, 'button', /^Stop$/).click();
    await settled();
    assert.deepEqual(desk.asked, ['cancel']);
    await desk.feed.send(['cancel', {message: 'Cancelled by user'}]);
    assert.deepEqual([desk.asked, waiting(element)], [['cancel'], ['Later']]);
    byRole(element, 'button', /Send the next/).click();
    await until(() => desk.asked.length > 1);
    assert.deepEqual(waiting(element), []);

    const again = await running();
    await type(again.element, 'Now');
    again.element.submit();
    await settled();
    byRole(again.element, 'button', /Stop and send/).click();
    await again.desk.feed.send(['cancel', {message: 'Cancelled by user'}]);
    await until(() => again.desk.asked.length > 1);
    assert.deepEqual(
      again.desk.asked.map((asked) => asked.split(' ')[0]),
      ['cancel', 'send'],
    );
  });

  it('what waits for one conversation is not sent to another that is shown', async () => {
    const {desk, element} = await running();
    await type(element, 'For the first');
    element.submit();
    await settled();
    const other = await rested();
    element.session = other.session;
    await settled();
    await desk.feed.send(done);
    await settled();
    assert.deepEqual([desk.asked, other.asked, waiting(element)], [[], [], ['For the first']]);
    assert.ok(/another conversation/.test(element.shadowRoot!.querySelector('[role=status]')!.textContent));
    byRole(element, 'button', /Send it here/).click();
    await until(() => other.asked.length > 0);
    assert.ok(other.asked[0]!.startsWith('send For the first'));
  });

  it('a long queue and a long word stay in the box, also from right to left', async () => {
    const {element} = await running();
    element.dir = 'rtl';
    element.style.width = '18rem';
    for (let n = 1; n <= 30; n++) {
      await type(element, `${n} ${'wort'.repeat(60)}`);
      element.submit();
    }
    await type(element, 'wort'.repeat(200));
    await settled();
    assert.equal(element.queue.length, 30);
    assert.ok(element.scrollWidth <= element.clientWidth, 'nothing stands out at the side');
    assert.ok(element.getBoundingClientRect().height < 600, 'the queue scrolls');
    await checkAccess(element);
  });

  it('a draft that is set aside for another does not go before that is sent', async () => {
    const {desk, element} = await running();
    await submit(element, 'one');
    await type(element, 'draft');
    byRole(element, 'button', /^Edit: one/).click();
    await settled();
    assert.ok(/while you edit/.test(status(element)!));
    await desk.feed.send(done);
    assert.deepEqual([desk.asked, element.value, waiting(element)], [[], 'one', ['draft']]);
    element.submit();
    await settled();
    assert.ok(desk.asked[0]!.startsWith('send draft'));
  });

  it('a running agent that listens can be told at once', async () => {
    const {desk, element} = await running();
    Object.defineProperty(desk.session, 'canSteer', {value: true});
    await type(element, 'Shorter');
    byRole(element, 'button', /Tell it now/).click();
    await until(() => element.value === '');
    assert.deepEqual(desk.asked, ['steer Shorter']);
  });

  it('it is told once by two clicks, words only, and what is attached stays', async () => {
    const {desk, element} = await running();
    Object.defineProperty(desk.session, 'canSteer', {value: true});
    const asked = hang(desk, 'steer');
    element.attachments = [{type: 'image'}];
    await settled();
    assert.deepEqual(allByRole(element, 'button', /Tell it now/), []);
    await type(element, 'Shorter');
    const button = byRole(element, 'button', /Tell it now/);
    button.click();
    button.click();
    await settled();
    assert.deepEqual(
      asked.map(({text}) => text),
      ['Shorter'],
    );
    assert.equal(byRole(element, 'button', /Telling it/).ariaDisabled, 'true');
    asked[0]!.answer();
    await settled();
    assert.deepEqual([element.value, element.attachments.length], ['', 1]);
  });

  it('a stop is asked for once, by clicks or a key held down, and says that it is on its way', async () => {
    const {desk, element} = await running();
    clockOf(element);
    const asked = hang(desk, 'cancel');
    const button = byRole(element, 'button', /^Stop$/);
    button.focus();
    button.click();
    button.click();
    await settled();
    assert.equal(focused(), button);
    const box = await type(element, '');
    assert.ok(key(box, {key: 'Escape'}).defaultPrevented);
    assert.ok(key(box, {key: 'Escape', repeat: true}).defaultPrevented);
    await settled();
    assert.equal(asked.length, 1);
    assert.equal(byRole(element, 'button', /Stopping/).ariaDisabled, 'true');
    await checkAccess(element);

    const held = await running();
    key(await type(held.element, ''), {key: 'Escape', repeat: true});
    await settled();
    assert.deepEqual(held.desk.asked, []);
  });

  it('it can be asked for again when it was refused, or the run goes on for some seconds', async () => {
    const {desk, element} = await running();
    const clock = clockOf(element);
    const asked = hang(desk, 'cancel');
    byRole(element, 'button', /^Stop$/).click();
    asked[0]!.refuse('Nothing to stop.');
    await settled();
    assert.deepEqual(said(element), ['Nothing to stop.']);
    byRole(element, 'button', /^Stop$/).click();
    asked[1]!.answer();
    await clock.pass(4999);
    assert.deepEqual(allByRole(element, 'button', /Stop again/), []);
    await clock.pass(1);
    byRole(element, 'button', /^Stop again$/).click();
    await settled();
    assert.equal(asked.length, 3);
    byRole(element, 'button', /Stopping/).focus();
    await desk.feed.send(['cancel', {message: 'Cancelled by user'}]);
    assert.deepEqual([allByRole(element, 'button', /Stop/), clock.waiting()], [[], 0]);
    assert.equal(focused(), byRole(element, 'textbox'));
  });

  it('a stop of one conversation is none of another, and its refusal is said where it was asked for', async () => {
    const [{desk, element}, other] = [await running(), createDesk()];
    await other.feed.send(token('Also at work'));
    clockOf(element);
    const asked = hang(desk, 'cancel');
    byRole(element, 'button', /^Stop$/).click();
    element.session = other.session;
    await settled();
    byRole(element, 'button', /^Stop$/);
    asked[0]!.refuse('Nothing to stop.');
    await settled();
    assert.deepEqual(said(element), []);
    element.session = desk.session;
    await settled();
    assert.deepEqual(said(element), ['Nothing to stop.']);
  });
});

const runtimes = [
  {name: 'demo', runtimeType: 'demo', active: true, available: true, reason: null},
  {name: 'hermes', runtimeType: 'hermes', active: false, available: false, reason: 'Install hermes.'},
  {name: 'reasonix', runtimeType: 'reasonix', active: false, available: true, reason: null},
];

describe('the runtime picker', () => {
  function gateway() {
    const asked: string[] = [];
    let list = runtimes;
    const fetch: typeof globalThis.fetch = (input, init) => {
      asked.push(`${init?.method} ${input as string} ${(init?.body as string | undefined) ?? ''}`.trim());
      if (init?.method === 'PUT') {
        const {profile} = JSON.parse(init.body as string) as {profile: string};
        list = list.map((one) => ({...one, active: one.name === profile}));
      }
      return Promise.resolve(Response.json({profiles: list}));
    };
    return {asked, fetch};
  }

  it('shows what there is, why something is missing, and asks for another', async () => {
    const {asked, fetch} = gateway();
    const element = mount<HermesRuntimePicker>('<hermes-runtime-picker base="/gw"></hermes-runtime-picker>', {
      fetch,
    });
    await until(() => element.active === 'demo');
    await element.updateComplete;
    const select = element.shadowRoot!.querySelector('select')!;
    assert.deepEqual(
      [...select.options].map(({value, disabled}) => [value, disabled]),
      [
        ['demo', false],
        ['hermes', true],
        ['reasonix', false],
      ],
    );
    const missing = element.shadowRoot!.querySelector('details')!;
    assert.equal(missing.querySelector('summary')!.textContent.trim(), 'hermes cannot be used yet. Why?');
    const reasonsOf = () => [...missing.querySelectorAll('li')].map((item) => item.textContent.trim());
    assert.deepEqual(reasonsOf(), ['Install hermes.'], 'a reason that names it is not headed by its name');
    await checkAccess(element);
    const told: (string | null)[] = [];
    element.addEventListener('hermes-runtime-changed', ({runtime}) => told.push(runtime));
    select.value = 'reasonix';
    select.dispatchEvent(new Event('change'));
    await until(() => element.active === 'reasonix');
    assert.deepEqual(asked, ['GET /gw/profiles', 'PUT /gw/profiles/active {"profile":"reasonix"}']);
    await settled();
    assert.deepEqual(told, ['reasonix']);
  });

  it('a list that is asked for again while the reader looks at it stays open to choose from', async () => {
    let answer = () => Promise.resolve(Response.json({profiles: runtimes}));
    const element = mount<HermesRuntimePicker>('<hermes-runtime-picker base="/gw"></hermes-runtime-picker>', {
      fetch: () => answer(),
    });
    await until(() => element.active === 'demo');
    await element.updateComplete;
    const select = element.shadowRoot!.querySelector('select')!;
    select.focus();
    let give = (_response: Response) => {};
    answer = () => new Promise((resolve) => (give = resolve));
    const asked = element.refresh();
    await settled();
    assert.deepEqual([select.disabled, focused() === select], [false, true]);
    give(Response.json({}, {status: 503}));
    await asked;
    await settled();
    assert.deepEqual([allByRole(element, 'alert').length, select.value], [1, 'demo']);
  });

  it('a choice that the page takes over, or that is refused, leaves what is so', async () => {
    let status = 200;
    const element = mount<HermesRuntimePicker>('<hermes-runtime-picker base="/gw"></hermes-runtime-picker>', {
      fetch: () => Promise.resolve(Response.json({profiles: runtimes}, {status})),
    });
    await until(() => element.active === 'demo');
    await element.updateComplete;
    const select = element.shadowRoot!.querySelector('select')!;
    const choose = async () => {
      select.value = 'reasonix';
      select.dispatchEvent(new Event('change'));
      await settled();
    };
    status = 503;
    await choose();
    await until(() => allByRole(element, 'alert').length > 0);
    await settled();
    assert.equal(select.value, 'demo');
    element.addEventListener('hermes-runtime-request', (event) => event.preventDefault());
    await choose();
    assert.equal(select.value, 'demo');
  });

  it('a setting that hangs or is refused in one conversation is none of another', async () => {
    const desks = [await rested(), await rested()] as const;
    let refuse = (_cause: Error) => {};
    for (const {session} of desks) {
      const available = ['ask', 'edit'].map((id) => ({id, name: id}));
      Object.defineProperty(session, 'agent', {value: {profile: 'demo', modes: {current: 'ask', available}}});
      Object.defineProperty(session, 'setMode', {value: () => new Promise((_, reject) => (refuse = reject))});
    }
    const element = mount<HermesRuntimePicker>('<hermes-runtime-picker></hermes-runtime-picker>', {
      session: desks[0].session,
    });
    await settled();
    const select = () => element.shadowRoot!.querySelector<HTMLSelectElement>('[part=setting]')!;
    select().value = 'edit';
    select().dispatchEvent(new Event('change'));
    await settled();
    assert.ok(select().disabled);
    element.session = desks[1].session;
    await settled();
    assert.ok(!select().disabled);
    refuse(new Error('Not now.'));
    await settled();
    assert.deepEqual(allByRole(element, 'alert'), []);
    element.session = desks[0].session;
    await settled();
    assert.deepEqual(
      [select().disabled, select().value, byRole(element, 'alert').textContent],
      [false, 'ask', 'Not now.'],
    );
  });

  it('sets the modes and options of the session shown, each once', async () => {
    const desk = await rested();
    const set: unknown[] = [];
    const own = (name: string, value: unknown) => Object.defineProperty(desk.session, name, {value});
    own('agent', {
      profile: 'demo',
      modes: {
        current: 'ask',
        available: [
          {id: 'ask', name: 'Ask'},
          {id: 'edit', name: 'Edit'},
        ],
      },
      options: [
        {id: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: 'ask', options: []},
        {
          ...{id: 'thoughts', name: 'Thinking', type: 'select', currentValue: 'brief'},
          options: [
            {value: 'brief', name: 'Brief'},
            {value: 'off', name: 'Off'},
          ],
        },
        {id: 'web', name: 'Web', type: 'boolean', currentValue: false},
      ],
    });
    own('setMode', (...words: unknown[]) => Promise.resolve(void set.push(words)));
    own('setOption', (...words: unknown[]) => Promise.resolve(void set.push(words)));
    const element = mount<HermesRuntimePicker>('<hermes-runtime-picker></hermes-runtime-picker>', {
      session: desk.session,
    });
    await settled();
    const settings = [...element.shadowRoot!.querySelectorAll<HTMLSelectElement>('[part=setting]')];
    assert.deepEqual(
      settings.map(({labels}) => labels[0]!.textContent.trim().split(/\s/)[0]),
      ['Mode', 'Thinking', 'Web'],
    );
    await checkAccess(element);
    settings[0]!.value = 'edit';
    settings[0]!.dispatchEvent(new Event('change'));
    await until(() => set.length === 1);
    await settled();
    settings[2]!.click();
    await until(() => set.length === 2);
    assert.deepEqual(set, [['edit'], ['web', true]]);
  });
});
