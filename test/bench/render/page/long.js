/** Long transcripts and long turns in our element: a snapshot that is set, a stream that is read. */
/* global document, customElements, fetch, MutationObserver, innerHeight, performance, setTimeout */
import {openRun} from './run.js';
import {counts, frame, longTasks, nodes} from './watch.js';

const content = document.querySelector('#content');
/** Who has not changed for so long is done, in ms. */
const QUIET = 1000;
/** Bytes of a network chunk, and how many of them come at once where a long run is replayed. */
const CHUNK = 16_384;
const CHUNKS = 8;

let run;
let events = [];
let sent = 0;

globalThis.long = {
  longTasks,
  nodes: () => nodes(content),

  /** Sets the snapshot. How long until a turn was seen, and until nothing changed any more, in ms. */
  async mount() {
    const payload = await json('/snapshot.json');
    const transcript = document.createElement('hermes-transcript');
    transcript.cache = 'none';
    await customElements.whenDefined('hermes-turn');
    const began = performance.now();
    transcript.snapshot = payload;
    content.append(transcript);
    const {quiet, changed} = watch();
    // What the engine has not yet drawn in the frame that finds it, it has in the next.
    while (!isSeen(transcript)) await frame();
    await frame();
    const first = performance.now() - began;
    await quiet();
    counts(began, performance.now());
    return {first, all: Math.max(first, changed() - began), turns: payload.turns.length};
  },

  /** Loads a gateway's session, the last page first, then page by page all that was before. The same times. */
  async pages(pageSize) {
    const transcript = document.createElement('hermes-transcript');
    Object.assign(transcript, {cache: 'none', base: '/api', sessionId: 's1', pageSize});
    await customElements.whenDefined('hermes-turn');
    const began = performance.now();
    content.append(transcript);
    while (!isSeen(transcript)) await frame();
    await frame();
    const first = performance.now() - began;
    const {quiet, changed} = watch();
    const session = transcript.shown;
    while (session.hasEarlier) await session.loadEarlier();
    await quiet();
    counts(began, performance.now());
    return {first, all: Math.max(first, changed() - began), turns: session.transcript.turns.length};
  },

  /** Opens the run and takes the events in. */
  async open() {
    events = await json('/events.json');
    run = await openRun(content);
  },

  /** Hands over the events up to there as a replay does; done when nothing changes any more. */
  async rush(to, isCounted) {
    const {quiet, changed} = watch();
    const began = performance.now();
    let chunk = [];
    let size = 0;
    let chunks = 0;
    for (; sent < to; sent++) {
      const bytes = run.encode(...events[sent]);
      chunk.push(bytes);
      size += bytes.length;
      if (size >= CHUNK || sent === to - 1) {
        run.send(joined(chunk, size));
        [chunk, size] = [[], 0];
        // More bytes come from another task.
        if (++chunks % CHUNKS === 0) await new Promise((resolve) => setTimeout(resolve, 0));
      }
    }
    await quiet();
    if (isCounted) counts(began, performance.now());
    return changed() - began;
  },

  /** Hands over the events up to there, so many a frame. */
  async feed(to, perFrame) {
    const began = performance.now();
    while (sent < to) {
      await frame();
      for (const end = Math.min(to, sent + perFrame); sent < end; sent++)
        run.send(run.encode(...events[sent]));
    }
    await frame();
    await frame();
    counts(began, performance.now());
  },

  /** Frames in which nothing comes. */
  async idle(count) {
    for (let at = 0; at < count; at++) await frame();
  },
};

const json = async (address) => (await fetch(address)).json();

function isSeen(transcript) {
  for (const turn of transcript.shadowRoot?.querySelectorAll('hermes-turn') ?? []) {
    const {top, bottom} = turn.getBoundingClientRect();
    if (bottom > 0 && top < innerHeight && turn.textContent.trim() !== '') return true;
  }
  return false;
}

/** Hears of each change from now on: when the last was, and when none has come for a while. */
function watch() {
  let last = performance.now();
  const observer = new MutationObserver(() => (last = performance.now()));
  const {shadowRoot} = content.querySelector('hermes-transcript');
  observer.observe(shadowRoot, {childList: true, characterData: true, subtree: true});
  return {
    changed: () => last,
    async quiet() {
      do await frame();
      while (performance.now() - last < QUIET);
      observer.disconnect();
    },
  };
}

function joined(pieces, size) {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
