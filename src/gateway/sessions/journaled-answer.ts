/** Journaled answers: how a permission ended, for those who answer it long after. */
import type {Journal} from '../journal/journal.js';
import {formatEventId} from '../../protocol/index.js';
import {objectOf, textAt} from './loose.js';
import type {PermissionAnswer} from './permission-desk.js';

const PAGE = 500;

/** The answer a permission of a run got; null when the journal knows none. Reads the run: for the rare late answer only. */
export async function journaledAnswer(
  journal: Journal,
  run: string,
  permission: string,
): Promise<PermissionAnswer | null> {
  const name = JSON.stringify(permission);
  for (let after: string | null = null; ;) {
    const frames = await journal.read({run}, after, PAGE);
    for (const {data} of frames) {
      if (!data.includes(name)) continue;
      const event = objectOf(JSON.parse(data));
      if (event['event'] !== 'permission.resolved' || event['permission_id'] !== permission) continue;
      return {
        outcome: event['outcome'] === 'selected' ? 'selected' : 'cancelled',
        optionId: textAt(event, 'option_id'),
      };
    }
    const last = frames.at(-1);
    if (!last || frames.length < PAGE) return null;
    after = formatEventId(last.run, last.seq);
  }
}
