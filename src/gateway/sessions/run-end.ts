/** How a run ends, and the fact the recorder hears of it. */
import type {AcpGatewayFact} from '../../protocol/index.js';

/** `killed`: it was to stop, and only the end of its process stopped it. */
export type RunEnd =
  | {readonly type: 'answered'}
  | {readonly type: 'killed'}
  | {readonly type: 'failed'; readonly code: string; readonly error: string; readonly hint?: string};

export function endFact(end: RunEnd): AcpGatewayFact {
  switch (end.type) {
    case 'answered':
      return {type: 'grace-over'};
    case 'killed':
      return {type: 'cancelled', reason: 'The agent did not stop by itself, so its process was ended.'};
    case 'failed':
      return {...end, terminalState: 'interrupted'};
  }
}
