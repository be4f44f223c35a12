/**
 * The queue of a composer: what waits to be sent, what is on its way, and what holds it back, for each session apart.
 * Plain values, without time: the element tells it what happened, sends what it is given, and draws the rest.
 */
import type {TurnAnchor} from '../anchor/index.js';
import {isSameHome, type SessionHome} from './session-home.js';

/** A prompt as it will be sent. */
export interface QueuedPrompt {
  readonly id: number;
  readonly text: string;
  /** ACP content blocks beside the text. */
  readonly attachments: readonly object[];
  /** The session it was written in. It goes to no other without the reader's word. */
  readonly home: SessionHome | null;
  /** Why it came back, in words to show; null where nothing is to be said. */
  readonly reason: string | null;
}

/** One attempt to send a prompt, until it is answered, refused or taken back. */
export interface Sending {
  /** One prompt may be tried again. */
  readonly attempt: number;
  readonly prompt: QueuedPrompt;
  /** True once the page or the server was asked; before, what the page adds is still being made. */
  readonly isAsked: boolean;
}

/**
 * Why the next one does not go by itself: the turn before it did not complete (`unfinished`), a prompt was refused or
 * taken back, one was set aside for another to be edited (`aside`), the session was left and is shown again (`away`),
 * or all that waits was written in another one (`elsewhere`).
 */
export type QueuePause = 'unfinished' | 'refused' | 'taken' | 'aside' | 'away' | 'elsewhere' | null;

/** What the queue must know of the newest turn. */
export type NewestTurn = Pick<TurnAnchor, 'id' | 'aliases' | 'terminal' | 'status'>;

/** What is known of a session for which something waits. */
interface Lane {
  readonly home: SessionHome | null;
  readonly pause: Exclude<QueuePause, 'elsewhere'>;
  /** The prompt that goes as soon as the run has stopped, however it ended. */
  readonly next: number | null;
}

/** The later ones stay when an earlier one comes. */
const strength: readonly QueuePause[] = [null, 'away', 'aside', 'unfinished', 'refused', 'taken'];

export interface PromptQueueOptions {
  /** Sends the prompt; called once for each attempt. */
  readonly send: (sending: Sending) => void;
  /** True while nothing can be sent. */
  readonly isOff: () => boolean;
}

export class PromptQueue {
  readonly #options: PromptQueueOptions;
  /** In no order between sessions. */
  #prompts: readonly QueuedPrompt[] = [];
  #sending: readonly Sending[] = [];
  #lanes: readonly Lane[] = [];
  #count = 0;
  #shown: SessionHome | null = null;
  /** The session that was shown last, also while there is none. */
  #latest: SessionHome | null = null;
  #turn: NewestTurn | undefined;

  constructor(options: PromptQueueOptions) {
    this.#options = options;
  }

  /** What waits, the next one first; what was written elsewhere comes last. */
  get prompts(): readonly QueuedPrompt[] {
    return [...this.#prompts.filter(this.isHere), ...this.#prompts.filter((each) => !this.isHere(each))];
  }

  /** What is on its way, to whatever session. */
  get sending(): readonly Sending[] {
    return this.#sending;
  }

  get pause(): QueuePause {
    if (this.#prompts.some(this.isHere)) return this.#laneOf(this.#shown).pause;
    return this.#prompts.length > 0 ? 'elsewhere' : null;
  }

  /** True while the agent of the session shown is at work. */
  get isRunning(): boolean {
    return isRunning(this.#turn);
  }

  readonly isHere = ({home}: QueuedPrompt): boolean => isSameHome(home, this.#shown);

  /** Puts a prompt at the end. */
  add(text: string, attachments: readonly object[]): void {
    if (this.#laneOf(this.#shown).pause === 'aside') this.#setLane(this.#shown, {pause: null});
    this.#prompts = [...this.#prompts, this.#write(text, attachments)];
    this.advance();
  }

  /** Takes one out that is not wanted. */
  remove(id: number): QueuedPrompt | undefined {
    const prompt = this.#prompts.find((each) => each.id === id);
    this.#keep(this.#prompts.filter((each) => each !== prompt));
    return prompt;
  }

  /** Takes one out to be edited. What stood in the box is set aside first in the queue: it was never meant to go by itself. */
  edit(id: number, box: Pick<QueuedPrompt, 'text' | 'attachments'>): QueuedPrompt | undefined {
    const prompt = this.remove(id);
    if (!prompt || (box.text === '' && box.attachments.length === 0)) return prompt;
    this.#prompts = [this.#write(box.text, box.attachments), ...this.#prompts];
    this.#hold(this.#shown, 'aside');
    return prompt;
  }

  /** This one goes here, as soon as the run has stopped. */
  expedite(id: number): void {
    const prompt = this.remove(id);
    if (!prompt) return;
    this.#prompts = [{...prompt, home: this.#shown}, ...this.#prompts];
    this.#setLane(this.#shown, {pause: null, next: id});
    this.advance();
  }

  /** The reader's word that the next one may go; if it was written elsewhere, that it may go here. */
  resume(): void {
    const [first] = this.prompts;
    if (!first) return;
    if (!this.isHere(first)) this.#keep([{...first, home: this.#shown}, ...this.#without(first)]);
    this.#setLane(this.#shown, {pause: null});
    this.advance();
  }

  /** What is shown now, and the newest turn of it. */
  hear(home: SessionHome | null, turn: NewestTurn | undefined): void {
    const before = this.#turn;
    this.#turn = turn;
    if (home?.session !== this.#shown?.session || !isSameHome(home, this.#shown)) this.#show(home);
    else {
      this.#rename(this.#shown, home);
      // A turn may have come and ended in one notice, while its prompt was on its way.
      const isNew = this.#isSendingHere && turn && !isSameTurn(turn, before);
      if (turn && !this.isRunning && (isRunning(before) || isNew)) this.#ended(turn);
    }
    this.advance();
  }

  /** Whether the page and the server may be asked now: not if it was taken back, nor if another session is shown. */
  mayAsk({attempt}: Sending): boolean {
    const sending = this.#find(attempt);
    if (!sending) return false;
    const {prompt} = sending;
    if (this.isHere(prompt)) {
      this.#sending = this.#sending.map((each) => (each === sending ? {...each, isAsked: true} : each));
      return true;
    }
    this.#drop(sending);
    this.#prompts = [prompt, ...this.#prompts];
    return false;
  }

  /** It has arrived, perhaps after it was taken back; then it waits for nothing any more. */
  answered({attempt, prompt}: Sending): void {
    this.#drop(this.#find(attempt));
    this.remove(prompt.id);
    this.advance();
  }

  /**
   * It was refused: it goes back into the box if that is free, nothing waits and its session is shown (then it is
   * returned, with the reason), else to the head of its queue, with the reason.
   */
  refused({attempt}: Sending, reason: string, isBoxFree: boolean): QueuedPrompt | null {
    return this.#comeBack(attempt, 'refused', reason, isBoxFree);
  }

  /** The reader does not wait for the answer any longer; as `refused`, with this reason if somebody was asked. */
  takeBack({attempt}: Sending, reason: string, isBoxFree: boolean): QueuedPrompt | null {
    const isAsked = this.#find(attempt)?.isAsked === true;
    return this.#comeBack(attempt, 'taken', isAsked ? reason : null, isBoxFree);
  }

  /** Sends the next one, if it may go. */
  advance(): void {
    const first = this.#prompts.find(this.isHere);
    if (!first || this.pause !== null || this.isRunning || this.#isSendingHere || this.#options.isOff())
      return;
    const sending = {attempt: ++this.#count, prompt: {...first, reason: null}, isAsked: false};
    this.#keep(this.#without(first));
    this.#sending = [...this.#sending, sending];
    this.#options.send(sending);
  }

  get #isSendingHere(): boolean {
    return this.#sending.some(({prompt}) => this.isHere(prompt));
  }

  #write(text: string, attachments: readonly object[]): QueuedPrompt {
    return {id: ++this.#count, text, attachments, home: this.#shown, reason: null};
  }

  #without(prompt: QueuedPrompt) {
    return this.#prompts.filter((each) => each !== prompt);
  }

  /** Every way out of the queue: what was known of a session is over with the last that waits for it. */
  #keep(prompts: readonly QueuedPrompt[]) {
    this.#prompts = prompts;
    this.#lanes = this.#lanes
      .filter(({home}) => prompts.some((each) => isSameHome(each.home, home)))
      .map((lane) => (prompts.some(({id}) => id === lane.next) ? lane : {...lane, next: null}));
  }

  #find(attempt: number) {
    return this.#sending.find((each) => each.attempt === attempt);
  }

  #drop(sending: Sending | undefined) {
    this.#sending = this.#sending.filter((each) => each !== sending);
  }

  #comeBack(attempt: number, why: 'refused' | 'taken', reason: string | null, isBoxFree: boolean) {
    const sending = this.#find(attempt);
    // The reader has had it back before.
    if (!sending) return null;
    const {prompt} = sending;
    this.#drop(sending);
    if (isBoxFree && this.isHere(prompt) && !this.#prompts.some(this.isHere)) return {...prompt, reason};
    this.#prompts = [{...prompt, reason}, ...this.#prompts];
    this.#setLane(prompt.home, {pause: why, next: null});
    return null;
  }

  #show(home: SessionHome | null) {
    this.#shown = home;
    const [before, turn] = [this.#latest, this.#turn];
    if (home) {
      // What was written before there was a session is for the first one.
      if (before === null) this.#rename(null, home);
      // Shown anew, it may not know yet what runs.
      else if (before.session !== home.session || !isSameHome(before, home)) this.#hold(home, 'away');
      this.#latest = home;
    }
    if (turn && !this.isRunning) this.#hold(home, turn.terminal === 'completed' ? null : 'unfinished');
  }

  /** A session without a name has got one. */
  #rename(from: SessionHome | null, to: SessionHome | null) {
    if (from?.id === to?.id && from?.session === to?.session) return;
    const renamed = <T extends {readonly home: SessionHome | null}>(each: T) =>
      isSameHome(each.home, from) ? {...each, home: to} : each;
    this.#prompts = this.#prompts.map(renamed);
    this.#lanes = this.#lanes.map(renamed);
    this.#sending = this.#sending.map((each) => ({...each, prompt: renamed(each.prompt)}));
    this.#shown = this.#latest = to;
  }

  /** What was written for the time after a success is not sent after a failure. */
  #ended({terminal}: NewestTurn) {
    const {pause, next} = this.#laneOf(this.#shown);
    if (terminal !== 'completed') {
      if (next === null) this.#hold(this.#shown, 'unfinished');
    } else if (pause === 'away') this.#setLane(this.#shown, {pause: null});
  }

  /** Holds back what waits for a session, for the stronger of two reasons. */
  #hold(home: SessionHome | null, pause: Lane['pause']) {
    const {pause: before} = this.#laneOf(home);
    const isStronger = strength.indexOf(pause) > strength.indexOf(before);
    this.#setLane(home, {pause: isStronger ? pause : before, next: null});
  }

  #laneOf(home: SessionHome | null): Lane {
    return this.#lanes.find((lane) => isSameHome(lane.home, home)) ?? {home, pause: null, next: null};
  }

  #setLane(home: SessionHome | null, change: Partial<Lane>) {
    const lane = this.#laneOf(home);
    this.#lanes = [...this.#lanes.filter((each) => each !== lane), {...lane, ...change}];
    this.#keep(this.#prompts);
  }
}

function isRunning(turn: NewestTurn | undefined): boolean {
  return turn !== undefined && turn.terminal === null && turn.status !== 'settled';
}

function isSameTurn(turn: NewestTurn, other: NewestTurn | undefined): boolean {
  return (
    other !== undefined &&
    [turn.id, ...turn.aliases].some((id) => id === other.id || other.aliases.includes(id))
  );
}
