/** The queue of a composer: what goes when, and what waits for the reader. */
import {PromptQueue} from '../../../src/elements/prompt-queue.js';
import * as assert from '../../support/assert.js';

const texts = (queue: PromptQueue) => queue.prompts.map(({text}) => text).join(' ');

function queueOf(...words: string[]) {
  const queue = new PromptQueue();
  return {queue, ids: words.map((word) => queue.add(word, []).id)};
}

it('prompts go in the order they were written', () => {
  const {queue} = queueOf('a', 'b');
  assert.deepEqual([queue.shift()?.text, queue.shift()?.text, queue.shift()], ['a', 'b', undefined]);
});

it('after a turn that did not complete nothing goes by itself until the reader says so', () => {
  const {queue} = queueOf('a');
  queue.ended(false);
  assert.deepEqual([queue.pause, queue.shift()], ['unfinished', undefined]);
  queue.resume();
  assert.equal(queue.shift()?.text, 'a');
});

it('what was refused stands first again and waits', () => {
  const {queue} = queueOf('a', 'b');
  queue.putBack(queue.shift()!);
  assert.deepEqual([texts(queue), queue.pause, queue.shift()], ['a b', 'refused', undefined]);
});

it('stop and send: it goes first, although the run was stopped', () => {
  const {queue, ids} = queueOf('a', 'b', 'c');
  queue.expedite(ids[1]!);
  queue.ended(false);
  assert.equal(texts(queue), 'b a c');
  assert.deepEqual([queue.pause, queue.shift()?.text], [null, 'b']);
  // The next ones were not asked for.
  queue.ended(false);
  assert.equal(queue.pause, 'unfinished');
});

it('one that is taken out does not go, and an empty queue is not held back', () => {
  const {queue, ids} = queueOf('a');
  queue.ended(false);
  assert.equal(queue.take(ids[0]!)?.text, 'a');
  assert.deepEqual([queue.take(ids[0]!), queue.pause, queue.shift()], [undefined, null, undefined]);
});
