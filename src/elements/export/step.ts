/** From turn to turn by keys, which loads nothing before a key is pressed for it. */
import type {FollowEnd} from '../follow-end.js';
import type {HermesTranscript} from '../hermes-transcript.js';

/** Goes one turn up or down: from the one with the focus, else to the first in sight. */
export function stepTurn(host: HermesTranscript, reader: FollowEnd, step: -1 | 1): void {
  const turns = [...host.renderRoot.querySelectorAll<HTMLElement>('[part=turn]')];
  const at = turns.findIndex((turn) => turn.matches(':focus-within'));
  const {top} = host.getBoundingClientRect();
  const seen = turns.findIndex((turn) => turn.getBoundingClientRect().bottom > top);
  const turn = at < 0 ? turns[seen] : turns[at + step];
  if (!turn) return;
  reader.hold();
  turn.focus({preventScroll: true});
  turn.scrollIntoView({block: 'start'});
}
