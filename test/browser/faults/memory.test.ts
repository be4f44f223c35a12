/** Memory: what a thousand mounts and unmounts leave behind, which is nothing. */
import '../../../src/define.js';
import {executeServerCommand} from '@web/test-runner-commands';
import {loadModel} from '../../../src/index.js';
import {acquireSession} from '../../../src/session/index.js';
import * as assert from '../../support/assert.js';
import {reasoning, settled, token, tool} from '../elements/feed.js';
import {Flow} from './flow.js';
import {until} from './stage.js';

const MOUNTS = 1000;
/** How many stand in the page at once. */
const AT_ONCE = 20;

before(() => loadModel());

/** Listeners on the document and the window, and timers, that are there since the watch began. */
class Watch {
  readonly listeners = new Map<string, number>();
  readonly timers = new Map<number, string>();
  readonly #undo: (() => void)[] = [];

  constructor() {
    for (const target of [document, window]) this.#watchListeners(target);
    this.#watchTimers('setTimeout', 'clearTimeout');
    this.#watchTimers('setInterval', 'clearInterval');
  }

  /** What is left, in words. */
  get left(): string[] {
    const listeners = [...this.listeners].filter(([, count]) => count > 0);
    return [...listeners.map(([name, count]) => `${count} × ${name}`), ...this.timers.values()];
  }

  end(): void {
    for (const undo of this.#undo) undo();
  }

  #watchListeners(target: Document | Window) {
    const {addEventListener: add, removeEventListener: remove} = target;
    // Weak, or the watch itself would keep what it watches.
    const known = new WeakMap<EventListener, string[]>();
    const count = (name: string, by: number) =>
      this.listeners.set(name, (this.listeners.get(name) ?? 0) + by);
    const forget = (name: string, listener: EventListener) => {
      const names = known.get(listener) ?? [];
      const at = names.indexOf(name);
      if (at < 0) return;
      names.splice(at, 1);
      count(name, -1);
    };
    target.addEventListener = (name: string, listener: EventListener, options?: AddEventListenerOptions) => {
      const names = known.get(listener) ?? [];
      if (!names.includes(name)) count(name, 1);
      known.set(listener, [...new Set([...names, name])]);
      options?.signal?.addEventListener('abort', () => forget(name, listener));
      add.call(target, name, listener, options);
    };
    target.removeEventListener = (name: string, listener: EventListener, options?: EventListenerOptions) => {
      forget(name, listener);
      remove.call(target, name, listener, options);
    };
    this.#undo.push(() => Object.assign(target, {addEventListener: add, removeEventListener: remove}));
  }

  #watchTimers(start: 'setTimeout' | 'setInterval', stop: 'clearTimeout' | 'clearInterval') {
    const [begin, end] = [window[start], window[stop]];
    const isOnce = start === 'setTimeout';
    const started = (run: () => void, ms = 0) => {
      const id = begin(() => {
        if (isOnce) this.timers.delete(id);
        run();
      }, ms);
      this.timers.set(id, `${start} of ${Math.round(ms)} ms`);
      return id;
    };
    const stopped = (id: number) => {
      this.timers.delete(id);
      end(id);
    };
    Object.assign(window, {[start]: started, [stop]: stopped});
    this.#undo.push(() => Object.assign(window, {[start]: begin, [stop]: end}));
  }
}

/** Mounts, streams into and unmounts so many transcripts; weak references to all that was there. */
async function mountAndUnmount(flow: Flow, count: number): Promise<WeakRef<object>[]> {
  const refs: WeakRef<object>[] = [];
  for (let at = 0; at < count; at += AT_ONCE) {
    const elements = Array.from({length: AT_ONCE}, (_, n) => {
      const element = document.createElement('hermes-transcript');
      element.fetch = flow.fetch;
      element.src = `/events/run_${at + n}`;
      document.body.append(element);
      return element;
    });
    await until(
      () => flow.open === AT_ONCE,
      () => `${AT_ONCE} connections, but ${flow.open}`,
    );
    for (let n = 0; n < AT_ONCE; n++) {
      flow.tell(`run_${at + n}`, reasoning('Hm.'));
      flow.tell(`run_${at + n}`, token('An answer.'));
      flow.tell(`run_${at + n}`, tool('c1', 'terminal', {command: 'make'}));
    }
    await until(
      () => elements.every(({snapshot}) => snapshot?.turns[0]?.items.length === 3),
      () => 'three items each',
    );
    for (const element of elements) {
      await element.updateComplete;
      refs.push(new WeakRef(element), new WeakRef(element.shown!));
      element.remove();
    }
    await settled();
    assert.equal(flow.open, 0, 'connections');
  }
  return refs;
}

it(`${MOUNTS} mounts and unmounts leave no connection, listener, timer or session`, async () => {
  const flow = new Flow();
  // What is there once for all is there after the first; what is drawn with a part that comes late, once that is there.
  await document.createElement('hermes-transcript').toText();
  await mountAndUnmount(flow, AT_ONCE);
  const watch = new Watch();
  try {
    const refs = await mountAndUnmount(flow, MOUNTS);
    assert.equal(flow.asked, MOUNTS + AT_ONCE);
    await until(
      () => watch.left.length === 0,
      () => `nothing left, but ${watch.left.slice(0, 10).join(', ')}`,
    );
    // A source that was given back is no longer pooled.
    const {session, release} = acquireSession({src: '/events/run_1', fetch: flow.fetch});
    assert.ok(!refs.some((ref) => ref.deref() === session));
    release();
    if (!(await executeServerCommand<boolean, null>('page:gc', null))) return;
    await executeServerCommand('page:gc', null);
    const kept = refs.filter((ref) => ref.deref() !== undefined).length;
    assert.ok(kept < AT_ONCE, `${kept} of ${refs.length} elements and sessions are still there`);
  } finally {
    watch.end();
  }
}).timeout(240_000);
