/** What a seed decides, for tests that do anything in any order. */
import {random} from '../unit/recordings/random.js';

export class Random {
  /** The next number from 0 to 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = random(seed);
  }

  /** A whole number from 0 on. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
