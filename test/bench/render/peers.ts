/** What we are compared with: installed on the first run, in test/bench/node_modules, as its package-lock.json says. */
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const folder = join(import.meta.dirname, '..');
const lock = join(folder, 'package-lock.json');
const mark = join(folder, 'node_modules', '.installed');

/** Throws a sentence where they cannot be had. */
export function installPeers(): void {
  const wanted = readFileSync(lock, 'utf8');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  console.error('Installing what we are compared with (npm ci in test/bench) …');
  try {
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch (cause) {
    throw new Error('The peers of the benchmark could not be installed: `npm ci` in test/bench shows why.', {
      cause,
    });
  }
  writeFileSync(mark, wanted);
}
