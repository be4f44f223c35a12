/** The frames of a run from its first to its last, in pages, for whoever reads one whole. */
import {formatEventId} from '../../protocol/index.js';
import type {Journal, JournalFrame} from './journal.js';

const PAGE = 1000;

export async function* framesOfRun(journal: Journal, run: string): AsyncGenerator<JournalFrame> {
  for (let after: string | null = null; ;) {
    const frames = await journal.read({run}, after, PAGE);
    yield* frames;
    const last = frames.at(-1);
    if (!last || frames.length < PAGE) return;
    after = formatEventId(last.run, last.seq);
  }
}
