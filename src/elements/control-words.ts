import type {ControlStatus} from '../anchor/index.js';

/** The words of what is asked of the reader. They come with the chunk that draws it; a page gives its own among the others. */
export const controlWords = {
  expiresIn: (time: string) => `expires in ${time}`,
  answered: (choice: string) => `answered: ${choice}`,
  yourAnswer: 'Your answer',
  sent: 'Sent. Waiting for the agent.',
  asking: 'Asking the server whether this can still be answered …',
  inDoubt: (why: string) => `It is not known whether this can still be answered. ${why}`,
  unsent: (draft: string) => `Not sent: ${draft}`,
  controlStatus: {
    pending: 'waiting for a decision',
    answered: 'answered',
    stale: 'no longer open',
    expired: 'expired',
  } as Record<ControlStatus, string>,
};

export type ControlWords = typeof controlWords;
