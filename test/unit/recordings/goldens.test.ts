/**
 * Every recording in every mode as lines a person can read: test/goldens. `UPDATE_GOLDENS=1 npm run test:unit` writes
 * them anew; read the difference before you commit it.
 */
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {test} from 'node:test';
import {displayModes, project} from '../../../src/scene/index.js';
import {expected, foldRecording, type Expected} from './observations.js';
import {sketch} from '../scene/sketch.js';

const folder = fileURLToPath(new URL('../../goldens/', import.meta.url));
const update = process.env['UPDATE_GOLDENS'] === '1';

function golden(line: Expected): string {
  return (['full', 'bare'] as const)
    .flatMap((form) => {
      const {turns} = foldRecording(line, form);
      return displayModes.map((mode) => {
        const scenes = turns.map((turn) => `turn ${turn.status}\n${sketch(project(turn, mode))}`);
        return `== ${form}, ${mode}\n${scenes.join('\n\n') || '(no turn)'}\n`;
      });
    })
    .join('\n');
}

function fileOf(name: string): string {
  return join(folder, `${name.replaceAll('/', '.')}.txt`);
}

if (update) rmSync(folder, {recursive: true, force: true});

for (const [name, line] of Object.entries(expected)) {
  test(`${name} is drawn as its golden says, in all modes`, () => {
    const file = fileOf(name);
    if (update) {
      mkdirSync(dirname(file), {recursive: true});
      writeFileSync(file, golden(line));
    }
    assert.ok(existsSync(file), `${file} is missing: run with UPDATE_GOLDENS=1 and read it`);
    assert.equal(golden(line), readFileSync(file, 'utf8'));
  });
}

test('no golden is left of a recording that is gone', () => {
  const names = Object.keys(expected).map((name) => `${name.replaceAll('/', '.')}.txt`);
  assert.deepEqual(readdirSync(folder).sort(), names.sort());
});
