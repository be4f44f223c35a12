/** Long work as run events and as a snapshot: thoughts, words and tools in rounds, the same for the same seed. */
import {adapterFor} from '../../../src/adapters/index.js';
import {
  applyTurnEvents,
  createTranscript,
  toSnapshot,
  type TranscriptJson,
} from '../../../src/anchor/index.js';
import {corpusOf, deltasOf} from './corpus.js';
import {random, type Random} from './random.js';

/** Name and own fields, as the gateway sends them. */
export type RunEvent = readonly [name: string, fields: Readonly<Record<string, unknown>>];

/** What one round of work is made of. */
export interface Round {
  readonly thoughts: number;
  readonly words: number;
  readonly tools: number;
}

/** `count` events, in rounds. */
export function longRun(count: number, round: Round, seed = 1): RunEvent[] {
  const at = random(seed);
  const said = deltasOf(corpusOf('mixed', 50_000, seed), seed);
  const events: RunEvent[] = [];
  for (let number = 0, word = 0; events.length < count; number++) {
    const message = {message_id: `m${number}`};
    const next = () => said[word++ % said.length]!;
    for (let left = round.thoughts; left > 0; left--)
      events.push(['thought.delta', {delta: next(), ...message}]);
    for (let left = round.words; left > 0; left--)
      events.push(['message.delta', {delta: next(), ...message}]);
    for (let left = round.tools; left > 0; left--) events.push(...toolCall(at, `c${number}-${left}`));
  }
  return events.slice(0, count);
}

/** A call and its end. */
function toolCall(at: Random, id: string): [RunEvent, RunEvent] {
  const path = `src/${at.pick(['rows', 'scene', 'turn', 'cursor', 'journal'])}-${at.between(1, 97)}.ts`;
  const call = {tool: 'read_file', tool_call_id: id, title: `Read ${path}`, kind: 'read', input: {path}};
  const output = `// ${path}\nexport const size = ${at.between(1, 9999)};\n`;
  return [
    ['tool.started', {...call, status: 'in_progress'}],
    ['tool.completed', {...call, status: 'completed', output, duration: 0.2}],
  ];
}

/** A transcript of `turns` finished turns, each of about thirty rows: a thought, fourteen words and thirteen calls, an answer. */
export function longTranscript(turns: number): TranscriptJson {
  const {normalize} = adapterFor('hermes-runs');
  const events = Array.from({length: turns}, (_, index) => finishedTurn(index)).flat();
  const frames = events.map(({run, seq, name, fields}) =>
    normalize({
      id: `${run}:${seq}`,
      name,
      data: JSON.stringify({
        event: name,
        run_id: run,
        seq,
        session_id: 's1',
        timestamp: 1_750_000_000 + seq,
        ...fields,
      }),
    }),
  );
  return toSnapshot(applyTurnEvents(createTranscript({sessionId: 's1'}), frames));
}

function finishedTurn(index: number) {
  const run = `run${index}`;
  const at = random(index + 1);
  const rounds = Array.from({length: 13}, (_, number) => [
    ['message.delta', {delta: `Looking at part ${number} of the work.`, message_id: `m${number}`}] as const,
    ...toolCall(at, `c${number}`),
  ]).flat();
  const events: RunEvent[] = [
    ['run.started', {turn_id: `t${index}`, prompt: `Question ${index}: what of the rows?`}],
    ['thought.delta', {delta: 'First the rows, then what draws them.', message_id: 'm0'}],
    ...rounds,
    ['message.delta', {delta: corpusOf('mixed', 1000, index + 1), message_id: 'answer'}],
    ['run.completed', {stop_reason: 'end_turn'}],
  ];
  return events.map(([name, fields], place) => ({run, seq: place + 1, name, fields}));
}
