import assert from 'node:assert/strict';
import {mock, test} from 'node:test';
import {Cadence} from '../../../src/elements/cadence.js';

/** When it draws within so many ms, where so many pieces are asked for every `every` ms. */
function drawings(ms: number, every: number, pieces: number, isUnseen = () => false): number[] {
  mock.timers.enable({apis: ['setTimeout']});
  const drawn: number[] = [];
  let now = 0;
  const cadence = new Cadence(
    () => drawn.push(now),
    () => isUnseen(),
  );
  for (; now < ms; now++) {
    if (now % every === 0) cadence.ask(pieces);
    mock.timers.tick(1);
  }
  mock.timers.reset();
  return drawn;
}

test('what is written is drawn at once, then twenty times a second', () => {
  const drawn = drawings(1000, 10, 1);
  assert.equal(drawn[0], 0);
  assert.ok(drawn.length >= 19 && drawn.length <= 21, `${drawn.length} times`);
});

test('what nobody can read as it comes is drawn ten times a second, and twenty times when it slows down', () => {
  const fast = drawings(1000, 10, 8).length;
  assert.ok(fast >= 10 && fast <= 12, `${fast} times`);
  assert.equal(drawings(100, 200, 500).length, 1, 'a lot at once is drawn at once');
});

test('what is out of sight is drawn four times a second', () => {
  assert.equal(drawings(990, 10, 1, () => true).length, 4);
});

test('nothing is drawn where nothing came, and what is forgotten is not drawn', () => {
  mock.timers.enable({apis: ['setTimeout']});
  let drawn = 0;
  const cadence = new Cadence(
    () => drawn++,
    () => false,
  );
  cadence.ask(1);
  mock.timers.tick(1000);
  assert.equal(drawn, 1);
  cadence.ask(1);
  cadence.ask(1);
  cadence.forget();
  mock.timers.tick(1000);
  assert.equal(drawn, 2);
  cadence.ask(1);
  assert.equal(drawn, 3);
  mock.timers.reset();
});

test('where the reader is, is asked before something is drawn', () => {
  mock.timers.enable({apis: ['setTimeout']});
  const order: string[] = [];
  const cadence = new Cadence(
    () => order.push('drawn'),
    () => order.push('asked') < 0,
  );
  cadence.ask(1);
  assert.deepEqual(order, ['asked', 'drawn']);
  mock.timers.reset();
});

test('a drawing that fails stops none after it', () => {
  mock.timers.enable({apis: ['setTimeout']});
  let drawn = 0;
  const cadence = new Cadence(
    () => {
      if (drawn++ === 0) throw new Error('once');
    },
    () => false,
  );
  assert.throws(() => cadence.ask(1), /once/);
  cadence.ask(1);
  mock.timers.tick(100);
  assert.equal(drawn, 2);
  mock.timers.reset();
});
