import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, place, root, until} from './page.js';
import {mountStory, Story} from './story.js';
import type {TurnAnchor} from '../../../src/anchor/index.js';

async function told(turns: TurnAnchor[], narration?: string): Promise<string[]> {
  const story = new Story();
  const element = mountStory(story);
  if (narration) element.narration = narration;
  place(element);
  await drawn(1);
  // What was told is taken away after a while, so it is noted as it comes.
  const said: string[] = [];
  const note = (records: MutationRecord[]) => {
    for (const {addedNodes} of records)
      for (const node of addedNodes) if (node instanceof Element) said.push(node.textContent);
  };
  const watcher = new MutationObserver(note);
  watcher.observe(root(element).querySelector('.unseen[role=status]')!, {childList: true});
  for (const one of turns) {
    story.show(one);
    await drawn(1);
  }
  note(watcher.takeRecords());
  watcher.disconnect();
  return said;
}

const begun = () => turn('t').prompt('Go.');
const asked = () =>
  begun().prose('I look.').control('permission', 'rm -r build', {id: 'a', status: 'pending'});
const course = [
  begun().running().build(),
  begun().prose('I').running().build(),
  begun().prose('I look.').running().build(),
  asked().running().build(),
  // Something follows the question, which still stands.
  asked().tool('read_file').running().build(),
  asked()
    .tool('read_file')
    .control('clarify', 'Which one?', {id: 'b', status: 'pending'})
    .lifecycle('running')
    .running()
    .build(),
  begun().prose('I look.').tool('read_file').answer('It is the first.').build(),
];

it('phases, questions wherever they stand, and the finished answer are told once; tokens never', async () => {
  assert.deepEqual(await told(course), [
    'The agent has started.',
    'The agent needs a decision. Approval: rm -r build',
    'The agent needs a decision. Question: Which one?',
    'Compressing context',
    'The answer is complete. It is the first.',
  ]);
});

it('of a run of which only the address is known it is not told that it has started', async () => {
  const born: TurnAnchor = {...turn('t').running().build(), status: 'created'};
  assert.deepEqual(await told([born]), []);
  assert.deepEqual(await told([born, begun().running().build()]), ['The agent has started.']);
});

it('answers tells questions, ends and answers alone', async () => {
  assert.deepEqual(await told(course, 'answers'), [
    'The agent needs a decision. Approval: rm -r build',
    'The agent needs a decision. Question: Which one?',
    'The answer is complete. It is the first.',
  ]);
});

it('off tells nothing', async () => assert.deepEqual(await told(course, 'off'), []));

it('an end that is none well is told with its reason', async () => {
  const turns = [begun().running().build(), begun().ended('error', 'Too many requests.').build()];
  assert.deepEqual((await told(turns)).slice(1), ['The agent failed. Too many requests.']);
});

it('what is over when it is first seen is not news', async () => {
  assert.deepEqual(await told([begun().answer('Done.').build()]), []);
});

it('a long answer is cut after a word', async () => {
  const [, words] = await told([begun().running().build(), begun().answer('word '.repeat(900)).build()]);
  assert.ok(words!.length < 1100 && words!.endsWith('word …'));
});

it('what was told is taken away again, and the region is polite and apart from the rows', async () => {
  const story = new Story({turns: [begun().running().build()]});
  const element = place(mountStory(story));
  await drawn(1);
  const region = root(element).querySelector('.unseen[role=status]')!;
  assert.equal(region.children.length, 1);
  assert.equal(region.closest('.turns'), null);
  await until(() => region.children.length === 0);
});
