import type {Clock} from '../clock.js';

/** Whether a promise settles within a time. The timer never outlives the waiting. */
export async function within(promise: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  let timer: unknown;
  const late = new Promise<boolean>((resolve) => {
    timer = clock.setTimeout(() => resolve(false), ms);
  });
  const settled = () => true;
  try {
    return await Promise.race([promise.then(settled, settled), late]);
  } finally {
    clock.clearTimeout(timer);
  }
}
