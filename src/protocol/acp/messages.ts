/**
 * Messages: to which one a chunk belongs, and whether it says anything new. Judged by identity and place, never by
 * likeness: text counts only where a chunk repeats the whole of what was streamed (families E2 and E4 in docs/bug-families.md).
 */
import type {Draft, DraftRun} from './draft.js';
import {textIn, wordIn, type Fields} from './fields.js';
import type {OpenText} from './state.js';

/** More of an answer. */
export function sayMessage(draft: Draft, run: DraftRun, update: Fields, block: Fields): void {
  const text = textIn(block, 'text');
  // Some agents send an empty chunk before each message.
  if (text === '') return;
  const agentId = wordIn(update, 'messageId');
  if (text === undefined || textIn(block, 'type') === 'resource') {
    releaseHeld(draft, run);
    openMessage(draft, run, agentId);
    return draft.tell(run, 'message.delta', {delta: '', message_id: run.message!.id, content: block});
  }
  if (isHeldBack(run, agentId, text)) return void (run.held = text);
  releaseHeld(draft, run);
  if (run.message && saysAgain(run.message, agentId, text)) {
    run.message = {...run.message, agentId};
    return;
  }
  openMessage(draft, run, agentId);
  addText(draft, run, text);
}

/** More of the thinking. It is part of the message around it and ends none; ids of its own only tell resends. */
export function sayThought(draft: Draft, run: DraftRun, update: Fields, text: string): void {
  if (text === '') return;
  const agentId = wordIn(update, 'messageId');
  const {thought, message} = run;
  if (thought && saysAgain(thought, agentId, text)) return void (run.thought = {...thought, agentId});
  releaseHeld(draft, run);
  const goes = thought !== null && (agentId === undefined || agentId === thought.agentId);
  run.thought = goes
    ? {...thought, text: thought.text + text, chunks: thought.chunks + 1}
    : {agentId, id: '', text, chunks: 1};
  run.active = true;
  // Agents that number thoughts apart from messages would part an answer at each thought.
  const joins = message !== null && (agentId === undefined || agentId === message.agentId);
  draft.tell(run, 'thought.delta', joins ? {delta: text, message_id: message.id} : {delta: text});
}

/** What comes next is another message: a tool starts, or somebody else speaks. */
export function endMessage(run: DraftRun): void {
  run.message = run.thought = null;
}

/** A plan parts messages of agents that do not number them; numbered ones part themselves. */
export function endUnnumbered(run: DraftRun): void {
  if (run.message?.agentId === undefined) endMessage(run);
}

/** Says what was held back: it was not the last thing before the prompt's answer, so it was meant. */
export function releaseHeld(draft: Draft, run: DraftRun): void {
  const {held} = run;
  if (held === null) return;
  run.held = null;
  addText(draft, run, held);
}

function addText(draft: Draft, run: DraftRun, text: string): void {
  const message = run.message!;
  run.message = {...message, text: message.text + text, chunks: message.chunks + 1};
  run.output = run.message.text;
  run.thought = null;
  run.active = true;
  draft.tell(run, 'message.delta', {delta: text, message_id: message.id});
}

function openMessage(draft: Draft, run: DraftRun, agentId: string | undefined): void {
  const {message} = run;
  if (message && (agentId === undefined || agentId === message.agentId)) return;
  if (agentId === undefined) run.named++;
  run.message = {agentId, id: agentId ?? `${run.id}.m${run.named}`, text: '', chunks: 0};
  run.active = true;
}

/**
 * True for a chunk with a first or another id that is the whole of what was streamed before it: a resend, not a reply.
 * A message that came as one chunk was not streamed, so two short replies that are alike stay two.
 */
function saysAgain(open: OpenText, agentId: string | undefined, text: string): boolean {
  if (agentId === undefined || agentId === open.agentId || text.length !== open.text.length) return false;
  return (open.agentId === undefined || open.chunks > 1) && text === open.text;
}

/** Shorter ones are said twice in earnest. */
const RESEND_LENGTH = 10;

/** True for a chunk of the same message that says all of it again: dropped if nothing follows but the prompt's answer. */
function isHeldBack({message, held}: DraftRun, agentId: string | undefined, text: string): boolean {
  if (message === null || held !== null || message.chunks < 2) return false;
  if (agentId !== undefined && agentId !== message.agentId) return false;
  return text.length > RESEND_LENGTH && text.length === message.text.length && text === message.text;
}
