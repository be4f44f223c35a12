/** What an element shows, in the forms a reader or a page takes along. */
import type {TranscriptJson, TurnAnchor} from '../../anchor/index.js';
import {parseDisplayMode} from '../../scene/index.js';
import {toMarkdown, toText} from '../../scene/export.js';
import type {HermesTranscript} from '../hermes-transcript.js';
import type {HermesTurn} from '../hermes-turn.js';
import {languageOf} from '../language.js';
import {spoken} from '../spoken.js';
import {english} from '../strings.js';
import {toArchive} from './archive.js';
import {plainText} from './plain-text.js';
import {turnsToHtml} from './turn-html.js';

export type ExportFormat = 'markdown' | 'text' | 'html' | 'json' | 'archive';

export function exported(host: HermesTranscript | HermesTurn, format: ExportFormat): string {
  const turns = turnsOf(host);
  const mode = parseDisplayMode(host.mode);
  const math = readsMath(host);
  switch (format) {
    case 'markdown':
      return toMarkdown(turns, mode);
    case 'text':
      return toText(turns, mode, (text) => plainText(text, math));
    case 'html':
      return turnsToHtml(turns, mode, math);
    case 'json':
      return JSON.stringify(snapshotOf(host, turns), null, 2);
    case 'archive':
      return toArchive(turns, snapshotOf(host, turns), {
        words: spoken(english, host.strings),
        math,
        lang: languageOf(host),
      });
  }
}

/** Whether formulas are read in what it shows. */
export const readsMath = ({math}: HermesTranscript | HermesTurn) => Boolean(math);

/** The transcript a turn stands in. */
export function transcriptOf(turn: HermesTurn): HermesTranscript | null {
  return turn.within ? ((turn.getRootNode() as ShadowRoot).host as HermesTranscript) : null;
}

export function turnsOf(host: HermesTranscript | HermesTurn): readonly TurnAnchor[] {
  const turns = host.shown?.transcript.turns ?? [];
  if (!isTurn(host)) return turns;
  const turn = host.anchor ?? turns.find(({id}) => id === host.dataset['turnId']);
  return turn ? [turn] : [];
}

/** The transcript's JSON, with these turns of it; null where there is no session to tell it. */
export function snapshotOf(
  host: HermesTranscript | HermesTurn,
  turns: readonly TurnAnchor[],
): TranscriptJson | null {
  const session = ((isTurn(host) && transcriptOf(host)) || host).shown;
  const snapshot = session?.snapshot;
  if (!snapshot) return null;
  const ids = new Set(turns.map(({id}) => id));
  return {...snapshot, turns: snapshot.turns.filter(({id}) => ids.has(id))};
}

const isTurn = (host: HermesTranscript | HermesTurn): host is HermesTurn => host.localName === 'hermes-turn';
