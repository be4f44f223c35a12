/**
 * The page of a case: a box that scrolls, a subject that draws into it, deltas handed to it a few a frame. Its work is the
 * same for all subjects, and as little as can be, for it is measured with them.
 */
/* global document, performance, ResizeObserver */
import {counts, drawnText, frame, longTasks, nodes, sketch} from './watch.js';

const box = document.querySelector('#box');
const content = document.querySelector('#content');

let subject;
let deltas = [];
let follow = false;
/** Ours follows a growing end by itself, so that a reader who stays at the head has to go there, once that is far from the end. */
let atHead = false;
const FAR = 100;

globalThis.bench = {
  /** Everything but the drawing: loads the subject, hands it all deltas that will come. */
  async start(name, given, isFollowed) {
    const {default: make} = await import(`./subjects/${name}.js`);
    deltas = given;
    follow = isFollowed;
    subject = await make(content, given);
    // Who follows the end does it when sizes have changed, without asking for a layout.
    if (follow && !subject.follows) {
      const toEnd = new ResizeObserver(() => (box.scrollTop = box.scrollHeight));
      toEnd.observe(content);
    }
    for (let quiet = 0; quiet < 5; quiet++) await frame();
  },

  /** Hands over the deltas from one to another, so many a frame; done when the last has been painted. */
  async feed(from, to, perFrame, isMeasured) {
    const began = performance.now();
    for (let at = from; at < to;) {
      await frame();
      if (!follow && !atHead && box.scrollTop > FAR) {
        box.scrollTop = 0;
        atHead = true;
      }
      const end = Math.min(to, at + perFrame);
      for (; at < end; at++) subject.push(deltas[at], at);
      subject.drawn?.();
    }
    await frame();
    await frame();
    if (isMeasured) counts(began, performance.now());
  },

  /** No more comes. Waits until nothing changes any more. */
  async end() {
    subject.end?.();
    deltas = [];
    let before = '';
    for (let same = 0; same < 15;) {
      await frame();
      const now = sketch(content);
      same = now === before ? same + 1 : 0;
      before = now;
    }
  },

  longTasks,
  nodes: () => nodes(content),

  /** How far the end is below what is seen. */
  belowEnd: () => box.scrollHeight - box.clientHeight - box.scrollTop,
  scrolled: () => box.scrollTop,

  /** A sentence where a piece of the text is missing or something else stands among it; else an empty one. */
  async complaint(markdown, foreignPerBlock) {
    const {pieces, blocks} = await import('./subjects/expected.js').then(({expected}) => expected(markdown));
    const drawn = drawnText(content).replace(/\s+/g, '');
    let [at, known, first] = [0, 0, -1];
    for (const [index, piece] of pieces.entries()) {
      const found = drawn.indexOf(piece, at);
      if (found < 0) return `Piece ${index + 1} of ${pieces.length} was not drawn: "${piece.slice(0, 60)}".`;
      if (first < 0) first = found;
      known += piece.length;
      at = found + piece.length;
    }
    const foreign = at - first - known;
    return foreign > foreignPerBlock * blocks
      ? `${foreign} characters stand among the text that are not in it; ${foreignPerBlock * blocks} may.`
      : '';
  },
};

document.documentElement.dataset.ready = '';
