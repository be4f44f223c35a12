/** A folder of notes for a test, gone when the test is over. */
import {mkdtemp, mkdir, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {TestContext} from 'node:test';

export async function temporaryFolder(
  test: TestContext,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'hermes-notes-')));
  test.after(() => rm(folder, {recursive: true, force: true}));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), {recursive: true});
    await writeFile(join(folder, name), text);
  }
  return folder;
}
