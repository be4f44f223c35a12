/**
 * The Node tests: every `*.test.ts` under test/unit, or the files named. Options of `node --test` may follow, such as
 * `--test-name-pattern=…`. With HERMES_COUNTS set, the counts go to that file too.
 */
import {spawnSync} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {root} from './bootstrap.mjs';

const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith('-'));
const named = given.filter((argument) => !argument.startsWith('-'));

const all = () =>
  readdirSync(join(root, 'test/unit'), {recursive: true})
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test/unit', name))
    .sort();

const reporter = (name, destination) => [
  `--test-reporter=${name}`,
  `--test-reporter-destination=${destination}`,
];
const counts = process.env.HERMES_COUNTS;

const {status} = spawnSync(
  process.execPath,
  [
    ...['--import', 'tsx', '--test', '--test-timeout=600000'],
    ...reporter('spec', 'stdout'),
    ...(counts ? reporter('./test/counts.mjs', counts) : []),
    ...options,
    ...(named.length > 0 ? named : all()),
  ],
  {cwd: root, stdio: 'inherit'},
);
process.exitCode = status ?? 1;
