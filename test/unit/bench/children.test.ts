/** The processes of a benchmark that fails: whoever waits hears of it, and none of them is left. */
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {after, test} from 'node:test';
import {withChildren} from '../../bench/gateway/children.js';

const folder = mkdtempSync(join(tmpdir(), 'hermes-children-'));
after(() => rmSync(folder, {recursive: true, force: true}));

function script(name: string, text: string): string {
  writeFileSync(join(folder, `${name}.mjs`), text);
  return join(folder, `${name}.mjs`);
}

const echo = script('echo', "process.on('message', (said) => process.send(said)); process.send('here');");
const deaf = script('deaf', "process.on('message', () => {}); process.send('here');");
const weak = script('weak', "process.on('message', () => process.exit(3)); process.send('here');");

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const forEver = () => new Promise<never>(() => {});

const failures: readonly (readonly [string, string, RegExp, 'ask' | 'wait'])[] = [
  ['one that ends instead of an answer', weak, /weak\.mjs ended by itself with 3\./, 'ask'],
  ['one that ends while nobody asks', weak, /weak\.mjs ended by itself with 3\./, 'wait'],
  ['one that does not answer', deaf, /deaf\.mjs did not answer within \d+ ms\./, 'ask'],
];

for (const [what, faulty, pattern, how] of failures)
  test(`${what} fails the work and ends all`, async () => {
    const pids: number[] = [];
    const work = withChildren(async (children) => {
      const [good, bad] = [children.start(echo), children.start(faulty)];
      pids.push(good.pid!, bad.pid!);
      await Promise.all([children.ask(good), children.ask(bad)]);
      assert.equal(await children.ask(good, 'Well?'), 'Well?');
      if (how === 'ask') return children.ask(bad, 'Well?', faulty === deaf ? 1 : undefined);
      bad.send('Well?');
      return children.whole(forEver());
    });
    await assert.rejects(work, pattern);
    assert.deepEqual(pids.filter(isAlive), []);
  });

test('a process of the benchmark ends when its parent is gone', async () => {
  const children = resolve('test/bench/gateway/children.ts');
  const orphan = script(
    'orphan',
    `import {endWithParent} from ${JSON.stringify(children)};
     endWithParent();
     setInterval(() => {}, 1000);
     process.send(process.pid);`,
  );
  const parent = script(
    'parent',
    `import {fork} from 'node:child_process';
     const child = fork(${JSON.stringify(orphan)}, {execArgv: ['--import', 'tsx']});
     child.on('message', (pid) => process.stdout.write(pid + '\\n', () => process.kill(process.pid, 'SIGKILL')));`,
  );
  // The orphan holds the pipe: it ends with it.
  const {stdout} = spawn(process.execPath, [parent], {stdio: ['ignore', 'pipe', 'inherit']});
  await once(stdout.resume(), 'end');
});
