/** Borrowed ids: frames that carry the id of another frame, so their id says nothing about what has been read. */
import type {SourceEvent} from './source-event.js';

// Hermes WebUI sends these without a journal row of their own, under the id of the newest row (law 1).
const borrowers: ReadonlySet<string | null> = new Set(['cancel', 'bg_task_complete', 'process_complete']);

/** True for a frame whose id may belong to another frame: it moves no cursor. */
export function borrowsId({name, data}: SourceEvent): boolean {
  return borrowers.has(name) || (name === 'apperror' && saysRecoveryControl(data));
}

// The made-up end of a dead run stands at last + 1, which a worker that is alive after all will use again.
function saysRecoveryControl(data: string | object): boolean {
  return typeof data === 'string'
    ? /"recovery_control":\s*true/.test(data)
    : 'recovery_control' in data && data.recovery_control === true;
}
