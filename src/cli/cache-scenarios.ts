/** The cache scenarios: what an agent is asked, to see how much of each prompt its model had read before. */

export interface CacheScenario {
  readonly name: string;
  /** The share of the cache in all but the first round, from which on it is good. */
  readonly threshold: number;
  /** Notes at the start, by id. */
  readonly notes: Readonly<Record<string, string>>;
  readonly rounds: readonly CacheAsk[];
}

/** One round: a prompt about a note. All rounds of a scenario are one conversation. */
export interface CacheAsk {
  readonly note: string;
  readonly prompt: string;
}

const numbers = [1, 2, 3, 4, 5];

const text = (title: string) =>
  `# ${title}\n\nWe need to measure the room. We should ask for two quotes.\n\n## What is left\n\n${'A line that is there to be read again, word for word, by whoever works on this note.\n'.repeat(20)}`;

/** The three scenarios, in the order in which they run. */
export const cacheScenarios: readonly CacheScenario[] = [
  {
    name: 'One document, edited five times',
    threshold: 0.8,
    notes: {plan: text('Plan')},
    rounds: numbers.map((n) => ({
      note: 'plan',
      prompt: `Add the task "measure wall ${n}" to the to-do list of the note plan. Use the note tools.`,
    })),
  },
  {
    name: 'Five documents in turn',
    threshold: 0.5,
    notes: Object.fromEntries(numbers.map((n) => [`room-${n}`, text(`Room ${n}`)])),
    rounds: numbers.map((n) => ({
      note: `room-${n}`,
      prompt: `Summarise the note room-${n} in one sentence. Use the note tools to read it.`,
    })),
  },
  {
    name: 'Ten rounds of one conversation',
    threshold: 0.6,
    notes: {talk: text('Talk')},
    rounds: [...numbers, ...numbers.map((n) => n + 5)].map((n) => ({
      note: 'talk',
      prompt: `Round ${n}: in one sentence, what is this note about?`,
    })),
  },
];
