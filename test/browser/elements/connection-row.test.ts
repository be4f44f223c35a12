/** What is said, and can be done, where a conversation does not come. */
import '../../../src/define.js';
import {loadModel, type HermesTranscript} from '../../../src/index.js';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, keys, place, root, until} from '../reading/page.js';
import {mountStory, Story} from '../reading/story.js';

before(() => loadModel());

const conversation = {
  session: {
    session_id: 's1',
    messages: [
      {role: 'user', content: 'Go.'},
      {role: 'assistant', content: 'Done.'},
    ],
  },
};

/** A view whose history is answered by the test, in the order in which it is asked for. */
function view<K extends 'hermes-transcript' | 'hermes-turn'>(tag: K, ...answers: (Response | null)[]) {
  const element = document.createElement(tag);
  let asked = 0;
  element.history = '/api/session';
  element.fetch = () => {
    const answer = answers[asked++];
    return answer ? Promise.resolve(answer) : new Promise(() => undefined);
  };
  place(element);
  return {element, asked: () => asked};
}

const status = (element: Element) => root(element).querySelector<HTMLElement>('[part=status]');
const again = (element: Element) => root(element).querySelector<HTMLButtonElement>('[part=retry-button]');
const refused = () => Response.json({}, {status: 403});

for (const tag of ['hermes-transcript', 'hermes-turn'] as const) {
  it(`${tag}: what takes more than a moment is said to be on its way`, async () => {
    const {element} = view(tag);
    await drawn(1);
    const row = status(element)!;
    assert.equal(row.textContent, 'Loading …');
    assert.equal(getComputedStyle(row).visibility, 'hidden');
    row.getAnimations()[0]!.finish();
    assert.equal(getComputedStyle(row).visibility, 'visible');
    element.strings = {loading: 'Lädt …'};
    await element.updateComplete;
    assert.equal(status(element)!.textContent, 'Lädt …');
  });

  it(`${tag}: what failed is asked for again when the reader says so`, async () => {
    const {element, asked} = view(tag, refused(), refused(), Response.json(conversation));
    await until(() => again(element));
    assert.ok(/does not allow this/.test(status(element)!.textContent));
    assert.equal(again(element)!.textContent.trim(), 'Try again');
    again(element)!.focus();
    await keys('Enter');
    await until(() => asked() === 2 && /does not allow/.test(status(element)!.textContent));
    // It did not go away under the finger.
    assert.equal(root(element).activeElement, again(element));
    await keys('Enter');
    await until(() => root(element).querySelector('[data-type=answer]'));
    assert.equal(status(element), null);
    assert.equal(asked(), 3);
  });
}

it('another try is said while it is made', async () => {
  const {element} = view('hermes-transcript', refused());
  await until(() => again(element));
  again(element)!.click();
  await drawn(1);
  assert.ok(/Loading/.test(status(element)!.textContent));
});

it('what cannot be read offers no other try', async () => {
  const {element} = view('hermes-transcript', Response.json({format: 'hermes.transcript.v9'}));
  await until(() => status(element)?.matches('.notice'));
  assert.equal(again(element), null);
});

it('Alt and the arrows stay with a field that has the focus', async () => {
  const story = new Story();
  const element: HermesTranscript = place(mountStory(story));
  const asks = turn('b').prompt('Go.').control('clarify', 'Which one?', {id: 'q', status: 'pending'});
  story.tell({
    turns: [turn('a').prompt('One?').answer('One.').build(), asks.running().build()],
    pending: ['q'],
  });
  await drawn();
  await until(() => root(element).querySelector('.choices:not([inert])'));
  const field = root(element).querySelector<HTMLTextAreaElement>('[part=answer-field]')!;
  field.focus();
  let prevented: boolean | undefined;
  element.addEventListener('keydown', (event) => (prevented = event.defaultPrevented));
  await keys('Alt', 'ArrowUp');
  assert.equal(prevented, false);
  assert.equal(root(element).activeElement, field);
});
