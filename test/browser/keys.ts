/** Keys as a reader presses them, in all three engines. */
import {executeServerCommand} from '@web/test-runner-commands';

/** Presses these together, until the page has heard the first of them let go: Firefox answers before its page is told. */
export async function keys(...names: string[]): Promise<void> {
  const heard = new Promise<void>((resolve) => {
    const listen = ({key}: KeyboardEvent) => {
      if (key !== names[0]) return;
      removeEventListener('keyup', listen, true);
      // After what a key does by itself, as Space presses a button.
      setTimeout(resolve);
    };
    addEventListener('keyup', listen, true);
  });
  await executeServerCommand<boolean, string[]>('page:keys', names);
  await heard;
}

/** Types a text, key by key. */
export async function type(text: string): Promise<void> {
  for (const character of text) await keys(character);
}
