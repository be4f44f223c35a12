/** Chosen profiles: kept over restarts, written whole. */
import assert from 'node:assert/strict';
import {mkdir, readdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test, type TestContext} from 'node:test';
import {ChosenProfiles} from '../../../../src/gateway/profiles/chosen-profiles.js';
import {temporaryFolder} from '../tools/temporary-folder.js';

async function place(context: TestContext) {
  const folder = await temporaryFolder(context, {});
  const faults: Error[] = [];
  const file = join(folder, 'chosen.json');
  return {
    folder,
    file,
    faults,
    open: () => ChosenProfiles.open(file, (fault) => faults.push(fault as Error)),
  };
}

test('the last choice of each subject is there again', async (context) => {
  const {folder, open, faults} = await place(context);
  const chosen = await open();
  assert.equal(chosen.of('ann'), null);
  const made = [chosen.choose('ann', 'demo'), chosen.choose('7', 'hermes'), chosen.choose('ann', 'reasonix')];
  await Promise.all(made);
  assert.deepEqual(await readdir(folder), ['chosen.json']);
  const again = await open();
  assert.deepEqual([again.of('ann'), again.of('7'), again.of('ben')], ['reasonix', 'hermes', null]);
  assert.deepEqual(faults, []);
});

test('a choice that cannot be kept is refused and does not count; the next one is', async (context) => {
  const {file, open} = await place(context);
  const chosen = await open();
  await chosen.choose('ann', 'demo');
  await mkdir(`${file}.new`);
  await assert.rejects(chosen.choose('ann', 'hermes'), {code: 'EISDIR'});
  assert.equal(chosen.of('ann'), 'demo');
  await rm(`${file}.new`, {recursive: true});
  await chosen.choose('ann', 'reasonix');
  assert.equal((await open()).of('ann'), 'reasonix');
});

test('a file that is damaged is told of and costs the choices only', async (context) => {
  const {file, open, faults} = await place(context);
  for (const text of ['{', '{}', 'null']) {
    await writeFile(file, text);
    const chosen = await open();
    assert.equal(chosen.of('ann'), null);
    await chosen.choose('ann', 'demo');
    assert.equal((await open()).of('ann'), 'demo');
  }
  assert.equal(faults.length, 3);
  assert.match(faults[0]!.message, /cannot be read, so nobody has chosen a profile/);
});
