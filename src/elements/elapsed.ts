/** Time that runs, in words that are said anew each second. One timer serves all, while there is someone to see them. */
import {AsyncDirective, directive} from 'lit/async-directive.js';
import {countdown, duration} from './duration.js';

const running = new Set<Ticking>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Runs while there is something to count and someone to see it. */
function attend() {
  const needed = running.size > 0 && !document.hidden;
  if (needed === (timer !== undefined)) return;
  if (needed) timer = setInterval(tick, 1000);
  else {
    clearInterval(timer);
    timer = undefined;
  }
}

function tick() {
  for (const each of running) each.tick();
}

function seen() {
  attend();
  if (!document.hidden) tick();
}

class Ticking extends AsyncDirective {
  #words = () => '';

  override render(words: () => string) {
    this.#words = words;
    if (this.isConnected) this.#join();
    return words();
  }

  tick() {
    this.setValue(this.#words());
  }

  protected override disconnected() {
    running.delete(this);
    attend();
    if (running.size === 0) document.removeEventListener('visibilitychange', seen);
  }

  protected override reconnected() {
    this.#join();
  }

  #join() {
    if (running.size === 0) document.addEventListener('visibilitychange', seen);
    running.add(this);
    attend();
  }
}

const ticking = directive(Ticking);

/** How long ago that was. Nothing where the clocks of server and reader disagree about what was first. */
export function elapsed(since: number, language?: string) {
  return ticking(() => {
    const ms = Date.now() - since;
    return ms < 1000 ? '' : duration(Math.floor(ms / 1000) * 1000, language);
  });
}

/** How much time is left, in these words; `over` is called when there is none. */
export function remaining(left: () => number, words: (time: string) => string, over: () => void) {
  return ticking(() => {
    const ms = left();
    // Not while something is drawn.
    if (ms <= 0) queueMicrotask(over);
    return words(countdown(Math.max(0, ms)));
  });
}
