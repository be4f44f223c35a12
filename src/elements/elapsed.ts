/** Time that runs: `elapsed(since)` says how long ago that was, anew each second. One timer serves all, while seen. */
import {AsyncDirective, directive} from 'lit/async-directive.js';
import {duration} from './duration.js';

const running = new Set<Elapsed>();
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

class Elapsed extends AsyncDirective {
  #since = 0;

  override render(since: number) {
    this.#since = since;
    if (this.isConnected) this.#join();
    return this.#words();
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

  /** Nothing where the clocks of server and reader disagree about what was first. */
  #words() {
    const ms = Date.now() - this.#since;
    return ms < 1000 ? '' : duration(Math.floor(ms / 1000) * 1000);
  }
}

export const elapsed = directive(Elapsed);
