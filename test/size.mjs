/** What the script-tag files weigh on the wire (gzip), against the budgets of the project. */
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const cdn = fileURLToPath(new URL('../dist/cdn', import.meta.url));
const budgets = {esm: 26_000, iife: 75_000};

const gzip = (file) => gzipSync(readFileSync(file), {level: 9}).length;

/** The file and everything that it loads before it runs. Dynamic imports are not part of it. */
function firstLoad(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*["'](\.[^"']+)["']/g)) {
    firstLoad(join(dirname(file), path), seen);
  }
  return seen;
}

function report(name, bytes, budget) {
  const verdict = budget === undefined ? '' : ` of ${budget}${bytes > budget ? '  OVER BUDGET' : ''}`;
  console.log(`${String(bytes).padStart(7)}${verdict}  ${name}`);
  return budget === undefined || bytes <= budget;
}

const entry = join(cdn, 'hermes-elements.js');
const eager = firstLoad(entry);
const fits = [
  report(
    'script-tag ES file, first load',
    [...eager].reduce((sum, file) => sum + gzip(file), 0),
    budgets.esm,
  ),
  report('script-tag classic file', gzip(join(cdn, 'hermes-elements.iife.js')), budgets.iife),
];
for (const file of readdirSync(cdn, {recursive: true}).map((name) => join(cdn, name)))
  if (file.endsWith('.js') && dirname(file) !== cdn && !eager.has(file))
    report(`lazy ${relative(cdn, file)}`, gzip(file));
// What the entry asks for early, and what that needs; the rest waits for a wish, or for a text that needs it.
const live = new Set(eager);
for (const [, path] of readFileSync(entry, 'utf8').matchAll(/\bimport\("(\.[^"]+)"\)/g))
  firstLoad(join(cdn, path), live);
report(
  'what a live turn takes in all',
  [...live].reduce((sum, file) => sum + gzip(file), 0),
);
if (fits.includes(false)) process.exitCode = 1;
