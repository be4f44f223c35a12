/** The runs of one turn as one stream of items. */
import {mergeUsage, type RunFold} from './run-fold.js';
import {GrowingText} from './text.js';
import type {ActivityItem, Artifact, TurnAnchor, Usage} from './turn-anchor.js';
import {Vector} from './vector.js';

/** What folds say of a turn, before messages are joined. */
export interface Stream {
  readonly items: Vector<ActivityItem>;
  readonly answerMessage: number | null;
  readonly answer: GrowingText;
  readonly artifacts: readonly Artifact[];
  readonly usage: Usage | null;
  readonly plan: TurnAnchor['plan'];
  readonly open: readonly number[];
}

const noStream: Stream = {
  items: Vector.empty(),
  answerMessage: null,
  answer: GrowingText.empty,
  artifacts: [],
  usage: null,
  plan: null,
  open: [],
};

/** One fold as it is. */
export function streamOf(fold: RunFold): Stream {
  const {items, answerMessage, answer, artifacts, usage, plan, openCalls, openControls, openPhases} = fold;
  const few = openCalls.length + openControls.length + openPhases.length;
  const open = few === 0 ? [] : [...openCalls, ...openPhases].map(({index}) => index).concat(openControls);
  return {items, answerMessage, answer, artifacts, usage, plan, open};
}

/** Folds one after the other, their ordinals moved up; one by itself is as it is. */
export function joinFolds(folds: readonly RunFold[]): Stream {
  if (folds.length === 1) return streamOf(folds[0]!);
  const taken = new Set<string>();
  let stream = noStream;
  let messages = 0;
  for (const [n, fold] of folds.entries()) {
    const base = stream.items.length;
    let {items} = stream;
    const renamed = new Map<string, string>();
    for (const item of fold.items) {
      const moved = moveItem(item, messages, n, taken);
      taken.add(moved.id);
      renamed.set(item.id, moved.id);
      items = items.push(moved);
    }
    const answered = fold.answerMessage === null ? null : fold.answerMessage + messages;
    const worked = fold.items.length > 0;
    const artifacts = fold.artifacts.map((artifact) => ({
      ...artifact,
      itemId: renamed.get(artifact.itemId ?? '') ?? artifact.itemId,
    }));
    stream = {
      items,
      answerMessage: answered ?? (worked ? null : stream.answerMessage),
      answer: worked ? fold.answer : stream.answer,
      artifacts: [...stream.artifacts, ...artifacts],
      usage: fold.usage ? mergeUsage(stream.usage, fold.usage) : stream.usage,
      plan: fold.plan ?? stream.plan,
      open: [...stream.open, ...streamOf(fold).open.map((index) => base + index)],
    };
    messages += fold.message + 1;
  }
  return stream;
}

/** Prose and thoughts get the next ordinals; what would share an id with an earlier run says which run it is of. */
function moveItem(
  item: ActivityItem,
  messages: number,
  run: number,
  taken: ReadonlySet<string>,
): ActivityItem {
  if (item.message === null) return taken.has(item.id) ? {...item, id: `${item.id}@${run}`} : item;
  const [kind, ordinal, part] = item.id.split(':');
  return {...item, id: `${kind}:${Number(ordinal) + messages}:${part}`, message: item.message + messages};
}
