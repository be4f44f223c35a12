import assert from 'node:assert/strict';
import {test} from 'node:test';
import {messageKind, parseObject} from '../../../../src/gateway/agent/json-rpc.js';

const rows: readonly (readonly [string, string | null])[] = [
  ['{"jsonrpc":"2.0","id":0,"method":"m"}', 'request'],
  ['{"jsonrpc":"2.0","id":"","method":"m"}', 'request'],
  ['{"jsonrpc":"2.0","id":null,"method":"m"}', 'request'],
  ['{"jsonrpc":"2.0","id":"7f3a-…","method":"m","params":{}}', 'request'],
  ['{"jsonrpc":"2.0","method":"m"}', 'notification'],
  ['{"jsonrpc":"2.0","id":0,"result":null}', 'response'],
  ['{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":""}}', 'response'],
  ['{"id":3,"result":{}}', 'response'],
  ['  {"id":3,"method":"m"}  ', 'request'],
  ['{"jsonrpc":"2.0","id":3}', 'response'],
  ['{"id":3,"level":"info"}', null],
  ['{"jsonrpc":"1.0","id":3,"result":{}}', null],
  ['{"level":"info","msg":"listening"}', null],
  ['{"jsonrpc":"2.0","id":3,"method":7,"result":{}}', null],
  ['{}', null],
  ['[{"jsonrpc":"2.0","method":"m"}]', null],
  ['"text"', null],
  ['42', null],
  ['null', null],
  ['{"cut', null],
  ['✓ ready', null],
];

for (const [line, kind] of rows) {
  test(`${line} is ${kind ?? 'noise'}`, () => {
    const message = parseObject(line);
    assert.equal(message && messageKind(message), kind);
  });
}

test('a member called __proto__ is a member', () => {
  const message = parseObject('{"__proto__":{"method":"m"}}');
  assert.ok(message);
  assert.equal(messageKind(message), null);
});
