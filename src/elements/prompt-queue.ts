/** The queue of a composer: what the reader has written while the agent was at work. Plain values; the element draws them. */

/** A prompt as it will be sent. */
export interface QueuedPrompt {
  readonly id: number;
  readonly text: string;
  /** ACP content blocks beside the text. */
  readonly attachments: readonly object[];
}

/** Why the next one does not go by itself: the turn before it did not complete, it was refused, or meant for another session. */
export type QueuePause = 'unfinished' | 'refused' | 'elsewhere' | null;

export class PromptQueue {
  #prompts: readonly QueuedPrompt[] = [];
  #count = 0;
  #pause: QueuePause = null;
  /** The prompt that goes as soon as the run has stopped, however it ended. */
  #next: number | null = null;

  get prompts(): readonly QueuedPrompt[] {
    return this.#prompts;
  }

  get pause(): QueuePause {
    return this.#prompts.length === 0 ? null : this.#pause;
  }

  /** Puts a prompt at the end, or before all others. */
  add(text: string, attachments: readonly object[], first = false): QueuedPrompt {
    const prompt = {id: ++this.#count, text, attachments};
    this.#prompts = first ? [prompt, ...this.#prompts] : [...this.#prompts, prompt];
    return prompt;
  }

  /** Takes one out, to be edited or because it is not wanted. */
  take(id: number): QueuedPrompt | undefined {
    const prompt = this.#prompts.find((each) => each.id === id);
    this.#prompts = this.#prompts.filter((each) => each !== prompt);
    if (this.#next === id) this.#next = null;
    return prompt;
  }

  /** A refused prompt stands first again, and waits for the reader. */
  putBack(prompt: QueuedPrompt): void {
    this.#prompts = [prompt, ...this.#prompts];
    this.#pause = 'refused';
  }

  /** This one goes as soon as the run has stopped. */
  expedite(id: number): void {
    const prompt = this.take(id);
    if (!prompt) return;
    this.#prompts = [prompt, ...this.#prompts];
    this.#next = id;
    this.#pause = null;
  }

  /** Another session is shown: what was written for the one before is sent to it only if the reader wants that. */
  moved(): void {
    this.#next = null;
    this.#pause = 'elsewhere';
  }

  resume(): void {
    this.#pause = null;
  }

  /** A run has ended. What was written for the time after a success is not sent after a failure. */
  ended(completed: boolean): void {
    if (!completed && this.#next === null) this.#pause = 'unfinished';
  }

  /** The prompt to send now that nothing runs; undefined when there is none or the reader decides. */
  shift(): QueuedPrompt | undefined {
    const [first] = this.#prompts;
    return first && this.#pause === null ? this.take(first.id) : undefined;
  }
}
