import {test} from 'node:test';
import assert from 'node:assert/strict';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {parseMarkdown} from '../../../src/markdown/index.js';

test('a cell of a table holds little more than its text', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const table = `| a | b |\n| - | - |\n${'| one word | two words |\n'.repeat(20_000)}`;
  parseMarkdown(table.slice(0, 5000));
  const before = held();
  const nodes = parseMarkdown(table);
  const each = (held() - before) / 40_000;
  assert.equal(nodes.length, 1);
  assert.ok(each < 300, `${each} bytes`);
});
