/** A fold painted from a lossy picture (`runtime_journal_snapshot`): what to show until the real frames are here. */
import {RunFold} from './run-fold.js';
import type {SettledPart} from './settled.js';
import type {TurnEvent} from './turn-event.js';

export function paintRun(parts: readonly SettledPart[]): RunFold {
  const fold = new RunFold();
  for (const part of parts) {
    const event = eventOf(part);
    if (event) fold.apply(event, false);
  }
  return fold.seal();
}

function eventOf(part: SettledPart): TurnEvent | null {
  const base = {run: null, seq: null, name: 'runtime_journal_snapshot'};
  switch (part.type) {
    case 'text':
      return {...base, type: 'text', channel: 'prose', text: part.text};
    case 'thought':
      return {...base, type: 'text', channel: 'thought', text: part.text};
    case 'call':
      return {
        ...base,
        type: 'tool',
        phase: part.open ? 'start' : 'end',
        callId: part.callId,
        tool: part.tool,
        status: part.status,
        facts: part.facts,
      };
    default:
      return null;
  }
}
