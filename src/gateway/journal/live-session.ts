/** A session the journal has in hand: its numbers, its open runs, the tail, and who waits for more. */
import {isSessionRun, runTerminalNames, type RunEvent} from '../../protocol/index.js';
import {JournalError, type JournalEntry, type JournalFrame} from './journal.js';
import {Tail} from './tail.js';

/** A run as it stands with all that was accepted, written or not. */
export interface LiveRun {
  readonly id: string;
  /** Its number in the file: 0 for the session's own run, null until its first frame is written. */
  n: number | null;
  /** Position of its first frame. */
  first: number;
  seq: number;
  /** Accepted its terminal event; more is refused. */
  ending: boolean;
  /** Position of its terminal event, once readers may see it. */
  end: number | null;
}

/** An entry that was accepted: where its frames stand is settled, they only have to be written. */
export interface StagedEntry {
  readonly live: LiveSession;
  readonly frames: readonly StagedFrame[];
  /** Of the session's last frame, this entry's counted. */
  readonly position: number;
  readonly entry: JournalEntry;
}

export interface StagedFrame {
  readonly run: LiveRun;
  readonly frame: JournalFrame;
  readonly terminal: boolean;
}

export class LiveSession {
  readonly runs = new Map<string, LiveRun>();
  readonly tail = new Tail();
  /** One a follower, for its whole life; called after every commit. */
  readonly waiters = new Set<() => void>();
  /** Token of the fence that may write. */
  fence = 0;
  /** Of the last frame accepted. */
  position = 0;
  /** Of the last frame that readers may see. */
  committed = 0;
  /** Number of the last diagnostic. */
  diagnostic = 0;
  /** Entries accepted and not yet written. */
  queued = 0;
  /** What stands here was refused by the disk; it must be read anew before anything is accepted. */
  stale = false;

  constructor(
    readonly id: string,
    readonly n: number,
  ) {}

  /** Nobody reads or writes it: it can be forgotten and read from the file again. */
  get idle(): boolean {
    const open = [...this.runs.values()].some((run) => run.n !== 0 && !run.ending);
    return this.waiters.size === 0 && this.queued === 0 && !open;
  }

  /** Gives an entry's events their places. All of it or, by a `gap`, nothing. */
  stage(entry: JournalEntry, find: (run: string) => LiveRun | null): StagedEntry {
    const frames: StagedFrame[] = [];
    try {
      for (const event of entry.events) frames.push(this.#stageEvent(event, find));
    } catch (cause) {
      this.#unstage(frames);
      throw cause;
    }
    this.queued++;
    return {live: this, frames, position: this.position, entry};
  }

  #stageEvent(event: RunEvent, find: (run: string) => LiveRun | null): StagedFrame {
    const run = this.runs.get(event.run_id) ?? this.#adopt(event.run_id, find);
    if (run.ending) throw gap(`Run ${run.id} has ended; ${event.event} cannot follow its last event.`);
    if (event.seq !== run.seq + 1) {
      throw gap(
        `Event ${event.run_id}:${event.seq} does not follow ${run.id}:${run.seq}. Read the run again.`,
      );
    }
    const frame = {position: this.position + 1, run: run.id, seq: event.seq, data: JSON.stringify(event)};
    this.position = frame.position;
    if (run.seq === 0 && run.n === null) {
      run.first = frame.position;
      this.runs.set(run.id, run);
    }
    run.seq = event.seq;
    const terminal = run.n !== 0 && runTerminalNames.has(event.event);
    run.ending = terminal;
    return {run, frame, terminal};
  }

  #adopt(id: string, find: (run: string) => LiveRun | null): LiveRun {
    if (isSessionRun(id)) throw gap(`Run ${id} is of another session than ${this.id}.`);
    return find(id) ?? {id, n: null, first: 0, seq: 0, ending: false, end: null};
  }

  #unstage(frames: readonly StagedFrame[]): void {
    for (const {run, frame} of frames.toReversed()) {
      run.seq = frame.seq - 1;
      run.ending = false;
      if (run.seq === 0 && run.n === null) this.runs.delete(run.id);
    }
    this.position -= frames.length;
  }

  /** Shows readers what was written. */
  publish(batch: readonly JournalFrame[]): void {
    this.committed = batch.at(-1)!.position;
    this.tail.push(batch);
    this.wake();
  }

  wake(): void {
    for (const wake of this.waiters) wake();
  }
}

function gap(message: string): JournalError {
  return new JournalError('gap', message);
}
