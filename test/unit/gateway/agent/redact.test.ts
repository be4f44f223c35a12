import assert from 'node:assert/strict';
import {test} from 'node:test';
import {LineRing} from '../../../../src/gateway/agent/line-ring.js';
import {redactor} from '../../../../src/gateway/agent/redact.js';

const redact = redactor({
  HOME: '/home/reader',
  DEEPSEEK_API_KEY: 'plain-looking-value',
  DB_PASSWORD: 'plain-looking-value-2',
  AUTH: 'true',
  GREETING: 'hello there',
});

const rows: readonly (readonly [string, string])[] = [
  ['key plain-looking-value!', 'key [secret]!'],
  ['plain-looking-value-2', '[secret]'],
  ['it is true: hello there', 'it is true: hello there'],
  ['open /home/reader/notes/a.md', 'open ~/notes/a.md'],
  ['Authorization: Bearer abc.def-123456', 'Authorization: Bearer [secret]'],
  ['using sk-proj-0123456789abcdef', 'using [secret]'],
  ['ghp_0123456789abcdef0123', '[secret]'],
  ['xoxb-1234-abcdefgh', '[secret]'],
  ['AIzaSyA0123456789abcdefghijk', '[secret]'],
  ['AKIAIOSFODNN7EXAMPLE', '[secret]'],
  ['eyJhbGciOiJI.eyJzdWIi.c2ln', '[secret]'],
  ['GET https://user:pass@host/path', 'GET https://[secret]@host/path'],
  ['api_key=12345678&x=1', 'api_key=[secret]&x=1'],
  ['{"access_token": "12345678"}', '{"access_token": "[secret]"}'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE', '[secret]'],
  ['3 tokens used, task-force, desk-1', '3 tokens used, task-force, desk-1'],
];

for (const [text, shown] of rows)
  test(`${text} is shown as ${shown}`, () => assert.equal(redact(text), shown));

test('a ring keeps its last lines and counts all', () => {
  const ring = new LineRing(3, redact);
  for (let n = 1; n <= 1000; n++) ring.add(`line ${n}`);
  assert.ok(ring.lines.length < 6);
  assert.equal(ring.lines.at(-1), 'line 1000');
  assert.equal(ring.count, 1000);
});

test('a ring finds the ends of lines in whatever pieces they come, and shows the open one', () => {
  const ring = new LineRing(10, redact);
  for (const piece of ['o', 'ne\n\ntw', 'o\r\nthree sk-01', '23456789']) ring.write(piece);
  assert.deepEqual(ring.lines, ['one', 'two', 'three [secret]']);
});

test('a line without end is shown in part, and no secret of it by half', () => {
  const ring = new LineRing(10, redact);
  for (let n = 0; n < 1000; n++) ring.write('x'.repeat(1999));
  assert.deepEqual([ring.lines.length, ring.lines[0]?.length], [1, 2001]);
  const cut = new LineRing(10, redact);
  cut.write(`${'x'.repeat(1990)}plain-looking-value${'y'.repeat(9000)}\n`);
  assert.doesNotMatch(cut.lines[0] ?? '', /plain/);
});
