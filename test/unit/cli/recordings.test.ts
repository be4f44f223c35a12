/** Every recording through the command, without a process each: what it prints is what expected.json says. */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {fold} from '../../../src/cli/fold.js';

interface Expected {
  readonly streams: readonly string[];
  readonly start: readonly string[];
  readonly settled: string | null;
  readonly full: {readonly turns: readonly Outline[]};
}

interface Outline {
  readonly prompt: string | null;
  readonly answer: string;
  readonly terminal: string | null;
  readonly status: string;
  readonly tools: readonly {readonly callId: string | null; readonly name: string; readonly status: string}[];
}

type Printed = Outline & {
  readonly items: readonly {readonly tool: Outline['tools'][number] | null}[];
};

const folder = 'test/fixtures/';
const {recordings} = JSON.parse(readFileSync(`${folder}expected.json`, 'utf8')) as {
  recordings: Record<string, Expected>;
};

async function printed(args: readonly string[]): Promise<readonly Printed[]> {
  let output = '';
  await fold(args, {
    readFile: (path) => readFile(path, 'utf8'),
    readInput: () => Promise.reject(new Error('nobody types here')),
    write: (text) => (output += text),
    warn: () => undefined,
  });
  return (JSON.parse(output) as {turns: readonly Printed[]}).turns;
}

const outline = ({prompt, answer, terminal, status, tools}: Outline) => ({
  prompt,
  answer,
  terminal,
  status,
  tools: tools.map(({callId, name, status}) => ({callId, name, status})),
});

for (const [name, {streams, start, settled, full}] of Object.entries(recordings)) {
  const isRefusal = (path: string) => /^\{\s*"error"/.test(readFileSync(folder + path, 'utf8'));
  if (streams.length > 0 && streams.every(isRefusal)) {
    test(`fold of ${name} is refused: a server's refusal is no stream`, async () => {
      await assert.rejects(printed(streams.map((path) => folder + path)), /no recording of a stream/);
    });
    continue;
  }
  test(`fold of ${name} is its line in expected.json`, async () => {
    const args = [
      ...streams.map((path) => folder + path),
      ...start.flatMap((path) => ['--start', folder + path]),
      ...(settled === null ? [] : ['--settled', folder + settled]),
    ];
    const turns = await printed(args);
    const shown = turns.map((turn) =>
      outline({...turn, tools: turn.items.flatMap(({tool}) => (tool ? [tool] : []))}),
    );
    assert.deepEqual(shown, full.turns.map(outline));
  });
}
