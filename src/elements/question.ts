/** What is asked of the reader, at this moment: how it stands, what it is about, and how it is answered. Comes with what draws it. */
import type {ControlDetails, ControlStatus, ToolDetails} from '../anchor/index.js';
import type {ControlRow} from '../scene/index.js';
import type {Session} from '../session/index.js';
import type {Controls} from './controls.js';
import {HermesClarifyRequestEvent, HermesPermissionRequestEvent} from './events.js';

/** The session's clock; that of the page where a session is older than it, or there is none. */
export function nowOf({session}: Controls): number {
  return session?.now?.() ?? Date.now();
}

/** Its status; expired once its time is over, though nobody has said so yet. */
export function statusOf(controls: Controls, {status, expiresAt}: ControlDetails): ControlStatus {
  return status === 'pending' && expiresAt !== null && expiresAt <= nowOf(controls) ? 'expired' : status;
}

/** Whether the server waits for an answer to this, and takes it from here. */
export function isOpen(controls: Controls, {control}: ControlRow): boolean {
  return (
    statusOf(controls, control) === 'pending' && (controls.taker?.pendingControls.has(control.id) ?? false)
  );
}

/** Why it is not known whether this can be answered; null where it is. */
export function lookAt(controls: Controls, row: ControlRow): Session['pendingLook'] {
  const known = statusOf(controls, row.control) !== 'pending' || isOpen(controls, row);
  // A session of an older copy does not say.
  return known ? null : (controls.taker?.pendingLook ?? null);
}

/** The call it asks about. */
export function toolOf({turn}: Controls, {control}: ControlRow): ToolDetails | null {
  const {items} = turn ?? {};
  for (let index = (items?.length ?? 0) - 1; control.callId !== null && index >= 0; index--) {
    const {tool} = items!.get(index)!;
    if (tool?.callId === control.callId) return tool;
  }
  return null;
}

/** Answers it: by an option's id or, where it is a question, in the reader's own words. */
export function answer(controls: Controls, {id, control}: ControlRow, choice: string): void {
  const {armed, sent} = controls.stateOf(id);
  const {turn} = controls;
  if (!armed || sent !== null || !turn || statusOf(controls, control) === 'expired') return;
  const event =
    control.type === 'permission'
      ? new HermesPermissionRequestEvent(turn, control, choice)
      : new HermesClarifyRequestEvent(turn, control, choice);
  void controls.wish(id, event, choice, (session) => session.answer(control.id, choice));
}
