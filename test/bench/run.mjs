/**
 * `npm run bench -- NAME`: runs test/bench/NAME.bench.ts (tsx compiles it), or says which there are.
 * A benchmark prints one JSON line a case.
 */
import {readdirSync} from 'node:fs';
import {register} from 'tsx/esm/api';

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length));
const [name] = process.argv.slice(2);

if (name !== undefined && names.includes(name)) {
  register();
  await import(`./${name}.bench.ts`);
} else {
  console.error(`npm run bench -- NAME, with NAME one of: ${names.join(', ') || '(none yet)'}`);
  process.exitCode = 2;
}
