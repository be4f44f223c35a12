/** A reader, a page and a browser do what they like, in any order; nothing is drawn. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ReaderPlace, ROUNDED} from '../../../src/elements/reader-place.js';
import {random} from '../recordings/random.js';

const VIEW = 200;

/** What a browser does by itself while the end is followed. */
const browsers = {
  'a browser that keeps nothing': {keeps: false, keepsInGlide: false, startsAfter: 0},
  'a browser that keeps the end in view': {keeps: true, keepsInGlide: true, startsAfter: 1},
  'a browser that keeps the end unless it glides': {keeps: true, keepsInGlide: false, startsAfter: 3},
} as const;

/** A box that scrolls, a reader before it, and what looks after them, frame by frame. */
class World {
  readonly place = new ReaderPlace();
  readonly #browser: (typeof browsers)[keyof typeof browsers];
  above = 300;
  below = 300;
  top = 400;
  /** Where the reader's line stands in the view. */
  get line() {
    return this.above - this.top;
  }
  get max() {
    return Math.max(0, this.above + this.below - VIEW);
  }
  get rest() {
    return this.max - this.top;
  }
  #seen = {top: 400, height: 600, above: 300};
  #laidOut = 600;
  /** A glide to the head, and for how many frames it has not moved yet. */
  #glide: number | null = null;

  constructor(browser: (typeof browsers)[keyof typeof browsers]) {
    this.#browser = browser;
    this.place.following = true;
  }

  get glides() {
    return this.#glide !== null;
  }

  /** Before something is drawn. */
  heed() {
    if (this.top !== this.#seen.top) this.#look(false);
  }

  /** The browser lays out what has become higher or lower; keeps the end; cuts off. */
  #layOut() {
    const {keeps, keepsInGlide} = this.#browser;
    const height = this.above + this.below;
    const grown = height - this.#laidOut;
    if (grown === 0) return;
    const wasInView = this.#laidOut - VIEW - this.top < 4;
    if (keeps && this.place.following && wasInView && this.top > 0 && (keepsInGlide || this.#glide === null))
      this.top += grown;
    this.#laidOut = height;
    this.top = Math.max(0, Math.min(this.max, this.top));
  }

  scroll(by: number) {
    this.#layOut();
    const {top} = this;
    this.top = Math.max(0, Math.min(this.max, top + by));
    return this.top - top;
  }

  glide() {
    this.#glide = 0;
  }

  turnAway() {
    this.place.following = false;
    this.#note();
  }

  toEnd() {
    this.place.following = true;
    this.#look(true);
  }

  frame() {
    if (this.#glide !== null && this.#glide++ >= this.#browser.startsAfter) {
      // Slowly at first.
      this.scroll(-Math.min(60, 2 * 3 ** (this.#glide - this.#browser.startsAfter - 1)));
      if (this.top === 0) this.#glide = null;
    }
    if (this.top !== this.#seen.top) this.#look(false);
    const isOther = this.above + this.below !== this.#laidOut;
    this.#layOut();
    if (isOther || this.rest >= ROUNDED) this.#look(true);
  }

  #note() {
    this.#seen.above = this.above;
  }

  #look(isAsked: boolean) {
    this.#layOut();
    const height = this.above + this.below;
    const sight = {
      by: this.top - this.#seen.top,
      grown: height - this.#seen.height,
      rest: this.rest,
      below: this.rest,
      past: false,
      asked: Infinity,
    };
    const moved = this.place.following ? 0 : this.above - this.#seen.above;
    const far = this.place.see(sight, moved);
    if (Math.abs(far) >= 1 && (isAsked || !this.place.following)) {
      this.top = Math.max(0, Math.min(this.max, this.top + far));
      // As browsers do: whoever scrolls at once ends a glide.
      this.#glide = null;
    }
    this.#note();
    this.#seen = {...this.#seen, top: this.top, height};
  }
}

/** What may happen between two frames; gives back how far the reader has scrolled themselves. */
const acts: Record<string, (world: World, upTo: (most: number) => number) => number> = {
  'more below'(world, upTo) {
    world.heed();
    world.below += upTo(80);
    return 0;
  },
  'more below, unannounced'(world, upTo) {
    world.below += upTo(80);
    return 0;
  },
  'more above'(world, upTo) {
    world.above += upTo(80);
    return 0;
  },
  'less above'(world, upTo) {
    world.above = Math.max(VIEW, world.above - upTo(40));
    return 0;
  },
  'scrolled up'(world, upTo) {
    return world.scroll(-upTo(90) - ROUNDED);
  },
  'more below, and scrolled up'(world, upTo) {
    // Never by as much: that is told from nothing.
    world.below += 2 * upTo(40);
    return world.scroll(-ROUNDED - 2 * upTo(45));
  },
  'scrolled up, and more above'(world, upTo) {
    const by = world.scroll(-upTo(90) - ROUNDED);
    world.above += upTo(80);
    return by;
  },
  'a wheel'(world) {
    world.turnAway();
    return 0;
  },
  'to the end'(world) {
    world.toEnd();
    return 0;
  },
  'scrolled to the end'(world) {
    return world.scroll(world.rest);
  },
  'a glide to the head'(world, upTo) {
    // A browser is known to keep the end by having done so.
    world.below += upTo(80);
    world.frame();
    world.glide();
    return 0;
  },
};

for (const [name, browser] of Object.entries(browsers))
  test(`${name}: who left is never moved, who is at the end stays there, who glides away arrives`, () => {
    for (let seed = 1; seed <= 2_000; seed++) {
      const next = random(seed);
      const upTo = (most: number) => 1 + Math.floor(next() * most);
      const world = new World(browser);
      const done: string[] = [];
      const said = (what: string) => `seed ${seed}: ${what} after ${done.slice(-8).join('; ')}`;
      let hasLeft = false;
      for (let step = 0; step < 40; step++) {
        const [act, run] = Object.entries(acts)[Math.floor(next() * Object.keys(acts).length)]!;
        done.push(act);
        const {line} = world;
        const had = hasLeft;
        const by = run(world, upTo);
        if (world.glides) {
          while (world.glides) {
            if (next() < 0.7) world.below += upTo(80);
            world.frame();
          }
          assert.equal(world.top, 0, said('the glide ends'));
          assert.equal(world.place.following, false, said('is followed'));
          hasLeft = true;
          continue;
        }
        if (act === 'to the end' || (act === 'scrolled to the end' && by > 0)) hasLeft = false;
        else if (act === 'a wheel' || (by < 0 && world.rest >= ROUNDED)) hasLeft = true;
        world.frame();
        assert.equal(world.place.following, !hasLeft, said('is followed, or not'));
        if (hasLeft) {
          const moved = world.line - (line - by);
          // Until the reader left, what is read moved with the end.
          const cannot = world.top === 0 || world.rest === 0 || !had;
          assert.ok(cannot || Math.abs(moved) < 1, said(`moved by ${moved}`));
        } else {
          // For a browser that may yet take them along.
          for (let frame = 0; frame < 10; frame++) world.frame();
          assert.ok(world.rest < ROUNDED, said(`${world.rest} px below`));
        }
      }
    }
  });

/** A view of a page in which something is asked: what is seen, where nothing else is said. */
const sight = {by: 0, grown: 0, rest: 500, below: 0, past: false, asked: Infinity};

function follower() {
  const place = new ReaderPlace();
  place.following = true;
  return place;
}

test('who follows is taken no further than to the head of what is asked', () => {
  const place = follower();
  // The end is 400 below, and what is asked begins 150 below the upper edge.
  assert.equal(place.see({...sight, grown: 400, rest: 400, below: 400, asked: 150}, 0), 150);
  assert.equal(place.see({...sight, by: 150, below: 250, asked: 0}, 0), 0);
  assert.equal(place.following, true);
});

test('a browser that went along with the end is taken back to that head, also where it is told late', () => {
  const place = follower();
  assert.equal(place.see({...sight, by: 400, grown: 400, rest: 0, asked: -250}, 0), -250);
  assert.equal(place.see({...sight, rest: 0, asked: -250}, 0), -250, 'it was not scrolled yet');
  assert.equal(place.see({...sight, rest: 250, below: 250, asked: 0}, 0), 0);
  assert.equal(place.following, true);
});

test('who goes past the head themselves stays there, and finds the way to the end', () => {
  const place = follower();
  place.see({...sight, below: 500, asked: 0}, 0);
  assert.equal(place.see({...sight, by: 90, rest: 410, below: 410, asked: -90}, 0), 0);
  assert.equal(place.following, false);
  assert.equal(place.see({...sight, grown: 300, rest: 710, below: 710, asked: -90}, 0), 0);
  assert.equal(place.see({...sight, by: 700, rest: 10, below: 10, asked: -790}, 0), 10);
  assert.equal(place.following, true, 'they have come to the end');
  assert.equal(place.see({...sight, grown: 40, rest: 50, below: 50, asked: -790}, 0), 50);
});

test('once it is answered the end is followed again', () => {
  const place = follower();
  place.see({...sight, asked: 0}, 0);
  let far = 0;
  for (let look = 0; look < 9 && far === 0; look++) far = place.see({...sight, below: 500}, 0);
  assert.equal(far, 500);
});

test('who has left is not taken to what is asked', () => {
  const place = new ReaderPlace();
  place.following = false;
  assert.equal(place.see({...sight, grown: 400, below: 400, asked: 150}, 0), 0);
  assert.equal(place.see({...sight, grown: 400, below: 400, asked: -150}, 0), 0);
});
