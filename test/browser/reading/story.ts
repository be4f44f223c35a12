/** A session under the test's hand: `story.show(turn, …)` and every view draws what it is told. No wire, no fold. */
import type {TurnAnchor} from '../../../src/anchor/index.js';
import type {HermesTranscript, Session} from '../../../src/index.js';

export interface StoryFacts {
  readonly turns: readonly TurnAnchor[];
  readonly problem?: string;
  /** Ids of controls that can be answered; makes the session one that can be controlled. */
  readonly pending?: readonly string[];
}

export class Story {
  connection = {phase: 'open', attempt: 1, error: null, retryAt: null};
  transcript: {turns: readonly TurnAnchor[]; session: object} = {turns: [], session: {id: 's1', notices: []}};
  problem: {code: string; message: string} | null = null;
  canControl = false;
  pendingControls: ReadonlySet<string> = new Set();
  readonly #listeners = new Set<() => void>();

  constructor(facts?: StoryFacts) {
    if (facts) this.tell(facts);
  }

  tell({turns, problem, pending}: StoryFacts): void {
    this.transcript = {...this.transcript, turns};
    this.problem = problem === undefined ? null : {code: 'history', message: problem};
    this.canControl = pending !== undefined;
    this.pendingControls = new Set(pending);
    for (const listener of this.#listeners) listener();
  }

  show(...turns: TurnAnchor[]): void {
    this.tell({turns});
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  connect(): void {}
  disconnect(): void {}
}

/** A transcript in the page that shows the story. */
export function mountStory(story: Story, mode = 'compact-worklog'): HermesTranscript {
  const element = document.createElement('hermes-transcript');
  element.session = story as unknown as Session;
  element.mode = mode;
  return element;
}
