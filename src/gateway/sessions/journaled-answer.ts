/** Journaled answers: how a permission ended, for those who answer it long after. */
import {framesOfRun} from '../journal/frames-of-run.js';
import type {Journal} from '../journal/journal.js';
import {objectOf, textAt} from './loose.js';
import type {PermissionAnswer} from './permission-desk.js';

/** The answer a permission of a run got; null when the journal knows none. Reads the run: for the rare late answer only. */
export async function journaledAnswer(
  journal: Journal,
  run: string,
  permission: string,
): Promise<PermissionAnswer | null> {
  const name = JSON.stringify(permission);
  for await (const {data} of framesOfRun(journal, run)) {
    if (!data.includes(name)) continue;
    const event = objectOf(JSON.parse(data));
    if (event['event'] !== 'permission.resolved' || event['permission_id'] !== permission) continue;
    return {
      outcome: event['outcome'] === 'selected' ? 'selected' : 'cancelled',
      optionId: textAt(event, 'option_id'),
    };
  }
  return null;
}
