/** What a screen reader is told: phases of the newest turn, never its text. */
import type {TerminalState, TurnAnchor} from '../anchor/index.js';
import type {Strings} from './strings.js';

export class Narrator {
  #turn: string | undefined;
  #phase: Phase | null = null;
  #said = '';

  /** The words to stand in the live region. What is already over when it is first seen is not news. */
  say(turn: TurnAnchor | undefined, strings: Strings): string {
    if (!turn) return this.#said;
    const phase = phaseOf(turn);
    const same = turn.id === this.#turn || (this.#turn !== undefined && turn.aliases.includes(this.#turn));
    const news = !same || phase !== this.#phase;
    const over = turn.terminal !== null && !(same && this.#phase);
    this.#turn = turn.id;
    this.#phase = phase;
    if (news && phase && !over) this.#said = isSimple(phase) ? strings[phase] : strings.terminal[phase];
    return this.#said;
  }
}

type Phase = 'started' | 'needed' | 'done' | TerminalState;

function phaseOf({status, terminal, items}: TurnAnchor): Phase | null {
  if (terminal) return terminal === 'completed' ? 'done' : terminal;
  if (items.at(-1)?.control?.status === 'pending') return 'needed';
  return status === 'restoring' ? null : 'started';
}

function isSimple(phase: Phase): phase is 'started' | 'needed' | 'done' {
  return phase === 'started' || phase === 'needed' || phase === 'done';
}
