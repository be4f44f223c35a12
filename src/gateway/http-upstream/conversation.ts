/** What was said in a session before, as Hermes takes it with each run: it keeps no memory of runs that can be relied on. */
import type {RunEvent} from '../../protocol/index.js';
import {framesOfRun} from '../journal/frames-of-run.js';
import type {Journal} from '../journal/journal.js';

export interface SaidMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** How much of it goes along; the oldest is left out first. Older builds of Hermes take 1 MB in all. */
const CHARACTERS = 300_000;

/** The newest turns that fit, from a user's message on. */
export function recent(said: readonly SaidMessage[]): readonly SaidMessage[] {
  let room = CHARACTERS;
  let first = said.length;
  while (first > 0 && (room -= said[first - 1]!.content.length) >= 0) first--;
  while (first < said.length && said[first]!.role !== 'user') first++;
  return said.slice(first);
}

/** A prompt and what came of it. One that got no answer is left out: roles must alternate. */
export function turnSaid(prompt: string, answer: string): readonly SaidMessage[] {
  if (prompt.trim() === '' || answer.trim() === '') return [];
  return [
    {role: 'user', content: prompt},
    {role: 'assistant', content: answer},
  ];
}

/** The turns of a session as its readers saw them: what a page added to prompts is not among that. */
export async function journaledConversation(
  journal: Journal,
  session: string,
): Promise<readonly SaidMessage[]> {
  const said: SaidMessage[] = [];
  for (const run of await journal.runs(session)) {
    let prompt = '';
    let answer = '';
    let message: string | undefined;
    for await (const {data} of framesOfRun(journal, run.id)) {
      const event = JSON.parse(data) as RunEvent;
      if (event.event === 'run.started') prompt = event.prompt ?? '';
      if (event.event !== 'message.delta') continue;
      if (answer !== '' && event.message_id !== message) answer += '\n\n';
      message = event.message_id;
      answer += event.delta;
    }
    said.push(...turnSaid(prompt, answer));
  }
  return recent(said);
}
