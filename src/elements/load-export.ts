/** Loads what copies, quotes and exports, once for all elements, and keeps its place under a turn until it is here. */
import {html, nothing} from 'lit';
import type {TurnAnchor} from '../anchor/index.js';
import type * as actions from './export/actions.js';
import type {FollowEnd} from './follow-end.js';
import type {HermesTranscript} from './hermes-transcript.js';
import type {HermesTurn} from './hermes-turn.js';
import {Lazy} from '../session/index.js';
import {loadMarkdown} from './load-markdown.js';
import type {RowView} from './rows.js';

const lazy = new Lazy<typeof actions>(
  async () => (await Promise.all([import('./export/actions.js'), loadMarkdown()]))[0],
);

/** What an element shows, in another form. */
export async function exported(
  host: HermesTranscript | HermesTurn,
  format: actions.ExportFormat,
): Promise<string> {
  return (await lazy.load()).exported(host, format);
}

/** Goes to a turn, or to an item of it. */
export async function revealed(host: HermesTranscript, turnId: string, itemId?: string): Promise<boolean> {
  return (await lazy.load()).reveal(host, {turnId, itemId});
}

/** Finds a text in a transcript, in the bar that opens for it. */
export async function found(host: HermesTranscript, text?: string): Promise<number> {
  return (await lazy.load()).find(host, text);
}

/** Goes a turn up or down. Without the part that does so, the reader stays. */
export function stepped(host: HermesTranscript, reader: FollowEnd, step: -1 | 1): void {
  lazy.use(({stepTurn}) => stepTurn(host, reader, step));
}

/** Turns that wait for it, or had to do without. */
const waiting = new WeakSet<HermesTurn>();

/** The lines under a turn: the room of its actions at once, what is in them as soon as that has come. No rows: nothing is told by them. */
export function endLines(host: HermesTurn, turn: TurnAnchor, view: RowView) {
  const [hasActions, hasUsage] = [host.actions !== 'none', view.mode !== 'answer-only'];
  // Nothing is loaded for nothing.
  if (!hasActions && !hasUsage) return nothing;
  if (!lazy.loaded && !waiting.has(host)) {
    waiting.add(host);
    lazy.use(() => host.requestUpdate());
  }
  const parts = lazy.loaded;
  return html`${
    hasActions
      ? html`<div class="row actions" part="actions">${parts?.turnActions(host, turn, view)}</div>`
      : nothing
  }${hasUsage ? parts?.usageLine(host, turn, view) : nothing}`;
}

/** From now on the transcript goes where the page's address says. */
export function followLinks(host: HermesTranscript): void {
  lazy.use(({LinkFollower}) => LinkFollower.follow(host));
}
