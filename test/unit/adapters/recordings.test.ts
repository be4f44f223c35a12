import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {adapterFor, detectSettled, detectWire, readSettled} from '../../../src/adapters/index.js';
import {readRecording, recordingFormat} from '../../../src/protocol/index.js';

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url));
const files = readdirSync(fixtures, {recursive: true, encoding: 'utf8'}).sort();
const read = (file: string) => readFileSync(join(fixtures, file), 'utf8');

for (const file of files.filter((name) => /\.(?:sse|jsonl)$/.test(name))) {
  const {events} = readRecording(read(file), recordingFormat(file));
  if (events.length === 0) continue;

  test(`${file}: every frame is known`, () => {
    const {normalize} = adapterFor('hermes-webui');
    const excluded = events.map((event) => normalize(event)).filter(({type}) => type === 'excluded');
    assert.deepEqual(excluded, []);
  });

  test(`${file}: the first frame tells the wire`, () => {
    assert.equal(detectWire(events[0]!), 'hermes-webui');
  });
}

for (const file of files.filter((name) => /(?:settled(?:-parts)?|session[\w-]*)\.json$/.test(name))) {
  const payload = JSON.parse(read(file)) as {session?: {messages?: unknown[]; session_id?: string}};
  if (!payload.session) continue;
  test(`${file}: every message is read`, () => {
    assert.equal(detectSettled(payload), 'hermes-webui');
    const settled = readSettled(payload);
    assert.equal(settled?.sessionId, payload.session?.session_id);
    assert.equal(settled?.messages.length, payload.session?.messages?.length);
    for (const message of settled?.messages ?? []) {
      assert.ok(
        message.role === 'prompt' || message.parts.length > 0 || message.notice,
        JSON.stringify(message),
      );
    }
  });
}
