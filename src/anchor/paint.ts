/** Parts of a settled message or of a lossy picture, told to a fold as a run would have told them. */
import {RunFold} from './run-fold.js';
import type {SettledPart} from './settled.js';
import type {TurnEvent} from './turn-event.js';

/** A fold painted from a lossy picture (`runtime_journal_snapshot`): what to show until the real frames are here. */
export function paintRun(parts: readonly SettledPart[]): RunFold {
  const fold = new RunFold();
  foldParts(fold, parts, null, null);
  return fold.seal();
}

/** Folds parts in their order. A new `messageId` is a new message. */
export function foldParts(
  fold: RunFold,
  parts: readonly SettledPart[],
  at: number | null,
  messageId: string | null,
): void {
  for (const part of parts) {
    const event = eventOf(part, at, messageId);
    if (event) fold.apply(event, false);
  }
}

function eventOf(part: SettledPart, at: number | null, messageId: string | null): TurnEvent | null {
  const base = {run: null, seq: null, name: 'settled_message', at};
  switch (part.type) {
    case 'text':
    case 'thought': {
      const channel = part.type === 'text' ? 'prose' : 'thought';
      return {...base, type: 'text', channel, text: part.text, messageId};
    }
    case 'call': {
      const {callId, tool, status, facts} = part;
      return {...base, type: 'tool', phase: 'start', callId, tool, status: status ?? 'running', facts};
    }
    case 'result': {
      const {callId, output, diff, artifacts} = part;
      const status = part.error ? 'error' : 'completed';
      const facts = {output, diff, artifacts};
      return {...base, type: 'tool', phase: 'end', callId, tool: part.tool ?? 'tool', status, facts};
    }
    default:
      return null;
  }
}
