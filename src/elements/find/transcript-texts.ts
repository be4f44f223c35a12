/** The texts of turns, read once each: of a turn that goes on, only the rows that have changed are read again. */
import type {TurnAnchor} from '../../anchor/index.js';
import {project, type DisplayMode, type Row, type Scene} from '../../scene/index.js';
import {rowTexts, type RowText} from './row-texts.js';

export class TranscriptTexts {
  readonly #scenes = new Map<string, Scene>();
  readonly #turns = new WeakMap<TurnAnchor, readonly [mode: DisplayMode, texts: readonly RowText[]]>();
  readonly #math: boolean;
  /** An unchanged row keeps its reference. */
  readonly #rows = new WeakMap<Row, readonly RowText[]>();

  constructor(math = false) {
    this.#math = math;
  }

  of(turn: TurnAnchor, mode: DisplayMode): readonly RowText[] {
    const [before, texts] = this.#turns.get(turn) ?? [];
    if (before === mode && texts) return texts;
    const last = this.#scenes.get(turn.id);
    const scene = project(turn, mode, last?.mode === mode ? last : undefined);
    this.#scenes.set(turn.id, scene);
    const found = scene.rows.flatMap((row) => this.#ofRow(row));
    this.#turns.set(turn, [mode, found]);
    return found;
  }

  #ofRow(row: Row): readonly RowText[] {
    let texts = this.#rows.get(row);
    if (!texts) this.#rows.set(row, (texts = rowTexts(row, this.#math)));
    return texts;
  }
}
