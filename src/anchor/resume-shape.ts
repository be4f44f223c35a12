/**
 * The shape of what a snapshot says to go on from. It is all right or of no use: a fold that goes on from a part of it
 * would show what nobody said. Then the turn is painted and read again.
 */
import type {FoldMemo} from './run-fold.js';
import type {RunMemo} from './run-state.js';
import {TERMINAL_STATES} from './terminal-state.js';
import type {ActivityItem} from './turn-anchor.js';
import type {Vector} from './vector.js';

type Test = (value: unknown) => boolean;
type Shape<T> = {readonly [K in keyof T]-?: Test};

const text: Test = (value) => typeof value === 'string';
const number: Test = (value) => typeof value === 'number';
const whole: Test = (value) => Number.isSafeInteger(value);
const flag: Test = (value) => typeof value === 'boolean';
const object: Test = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const shaped =
  <T extends object>(shape: Shape<T>): Test =>
  (value) =>
    object(value) &&
    (Object.keys(shape) as (keyof T & string)[]).every(
      (key) => Object.hasOwn(value as T, key) && shape[key]((value as T)[key]),
    );

const isRunMemo = shaped<RunMemo>({
  id: text,
  lastName: orNull(text),
  facts: shaped<RunMemo['facts']>({
    start: orNull(object),
    terminal: orNull((value) => object(value) && TERMINAL_STATES.includes((value as {state: never}).state)),
    sideEffects: listOf(
      shaped({seq: number, kind: text, action: text, name: orNull(text), ownId: orNull(text)}),
    ),
    home: orNull(shaped({seq: number, id: text})),
    links: listOf(listOf(text)),
    proof: orNull(shaped({updatedAt: orNull(number), index: number, timestamp: orNull(number)})),
    ended: flag,
    startedAt: orNull(number),
    turnId: orNull(text),
    prompt: orNull(text),
    provenEnd: number,
    borrowers: listOf(text),
  }),
});

function foldMemo(items: Vector<ActivityItem>): Test {
  const placed =
    (...kinds: readonly ActivityItem['kind'][]): Test =>
    (index) =>
      whole(index) && kinds.includes(items.get(index as number)?.kind as never);
  return shaped<FoldMemo>({
    message: whole,
    messageOpen: flag,
    messageHasText: flag,
    messageHole: flag,
    thoughtStreamed: flag,
    messageId: orNull(text),
    answerMessage: orNull(whole),
    parts: shaped<FoldMemo['parts']>({prose: whole, reasoning: whole, lifecycle: whole, notice: whole}),
    openCalls: listOf(shaped({index: placed('tool'), name: text, callId: orNull(text)})),
    openControls: listOf(placed('control')),
    openPhases: listOf(shaped({index: placed('lifecycle'), topic: text})),
    anonymousTools: whole,
    anonymousControls: whole,
    title: orNull(text),
    context: orNull(object),
    sessions: listOf(text),
    finished: flag,
    openItem: (index) => index === -1 || placed('prose', 'reasoning')(index),
    channel: (value) => value === 'prose' || value === 'reasoning',
  });
}

/** Whether a run can go on from these. */
export function isWholeMemo(run: unknown, fold: unknown, items: Vector<ActivityItem>): boolean {
  return isRunMemo(run) && foldMemo(items)(fold);
}
