/** What belongs to a turn beside its items: prompt, times, names, side effects, statistics. Times come from evidence only. */
import type {TurnInputs} from './build-turn.js';
import type {MessageTurn} from './message-base.js';
import type {RunState} from './run-state.js';
import type {SettledAnswer} from './settled-turn.js';
import type {TerminalFacts} from './terminal-facts.js';
import type {PromptPart, SideEffect, Stats} from './turn-anchor.js';

export function promptOf({plan, runs, meta, archived}: TurnInputs): string | null {
  const message = plan.turn?.prompt;
  if (message) {
    return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }
  const begun = runs
    .map((run) => run.facts.start?.prompt ?? run.facts.prompt)
    .find((prompt) => prompt != null);
  const pending = plan.pending ? meta?.pending?.prompt : null;
  return begun ?? pending ?? archived?.prompt ?? null;
}

export function promptParts(turn: MessageTurn | null): readonly PromptPart[] {
  const parts = turn?.prompt?.parts ?? [];
  if (parts.every((part) => part.type === 'text')) return noParts;
  return parts.flatMap((part): PromptPart[] => {
    if (part.type === 'text') return [{type: 'text', text: part.text, uri: null}];
    if (part.type === 'image' || part.type === 'attachment') {
      return [{type: part.type, text: part.label, uri: part.uri}];
    }
    return [];
  });
}

const noParts: readonly PromptPart[] = [];

export function startedAt({plan, runs, meta, archived}: TurnInputs): number | null {
  for (const run of runs) {
    const {start} = run.facts;
    const known =
      start?.startedAt ??
      (start?.startedAtSeconds != null ? start.startedAtSeconds * 1000 : run.facts.startedAt);
    if (known != null) return known;
  }
  const stamp = plan.turn?.prompt?.timestamp ?? (plan.pending ? meta?.pending?.startedAt : null);
  return stamp != null ? stamp * 1000 : (archived?.startedAt ?? null);
}

export function completedAt(
  {plan, runs, archived}: TurnInputs,
  terminal: TerminalFacts | null,
  answer: SettledAnswer | null,
): number | null {
  const observed = runs.at(-1)?.facts.terminal?.at ?? terminal?.at;
  if (observed != null) return observed;
  const last = plan.turn?.messages.findLast(({message}) => message.role !== 'prompt')?.message.timestamp;
  return answer?.at ?? (last != null ? last * 1000 : (archived?.completedAt ?? null));
}

export function aliasesOf(id: string, runs: readonly RunState[], index: number | null): readonly string[] {
  const all = new Set<string>();
  for (const run of runs) {
    all.add(run.id);
    const turnId = run.facts.start?.turnId ?? run.facts.turnId;
    if (turnId != null) all.add(turnId);
    if (run.facts.start?.streamId != null) all.add(run.facts.start.streamId);
  }
  if (index !== null) all.add(`m${index}`);
  all.delete(id);
  return [...all];
}

export function sideEffectsOf(runs: readonly RunState[]): readonly SideEffect[] {
  if (runs.every((run) => run.facts.sideEffects.length === 0)) return noEffects;
  return runs.flatMap((run) => run.facts.sideEffects.map(({kind, action, name}) => ({kind, action, name})));
}

const noEffects: readonly SideEffect[] = [];

export function cursorOf(runs: readonly RunState[]): string | null {
  const last = runs.at(-1);
  return last && last.watermark > 0 ? `${last.id}:${last.watermark}` : null;
}

export function statsOf(runs: readonly RunState[]): Stats {
  if (runs.length === 1) return runs[0]!.counters;
  const sum = {applied: 0, duplicate: 0, mismatched: 0, borrowed: 0};
  const excluded: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const {counters} of runs) {
    sum.applied += counters.applied;
    sum.duplicate += counters.duplicate;
    sum.mismatched += counters.mismatched;
    sum.borrowed += counters.borrowed;
    for (const [name, n] of Object.entries(counters.excluded)) excluded[name] = (excluded[name] ?? 0) + n;
  }
  return {...sum, excluded};
}
