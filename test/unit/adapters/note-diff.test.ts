import assert from 'node:assert/strict';
import {test} from 'node:test';
import {adapterFor} from '../../../src/adapters/index.js';
import {leadingDiff} from '../../../src/adapters/unified-diff.js';

const diff = '--- a/welcome.md\n+++ b/welcome.md\n@@ -1,3 +1,3 @@\n # Welcome\n \n-One line.\n+Two lines.\n';

// As OpenCode, codex-acp and Reasonix (through its proxy tool, named by the recorder) tell of the same call.
const calls: readonly (readonly [string, object])[] = [
  ['opencode', {tool: 'notes_mnote_doc_markdown_edit', title: 'notes_mnote_doc_markdown_edit'}],
  [
    'codex-acp',
    {tool: 'tool', title: 'Tool: notes/mnote_doc_markdown_edit', input: {tool: 'mnote_doc_markdown_edit'}},
  ],
  ['reasonix', {tool: 'mnote_doc_markdown_edit', title: 'mnote_doc_markdown_edit'}],
];
for (const [agent, names] of calls) {
  test(`a note that ${agent} changes over MCP is an artifact with its diff`, () => {
    assert.deepEqual(read(names), [diff, [{path: 'welcome.md', change: 'modified'}]]);
  });
}

test('a diff that another tool prints is only text', () => {
  assert.deepEqual(read({tool: 'bash', title: 'git diff'}), [null, []]);
});

test('a diff ends where its lines end', () => {
  assert.equal(leadingDiff(`${diff}{\n "changed": true\n}`), diff);
  assert.equal(leadingDiff(`See:\n${diff}`), null);
  assert.equal(leadingDiff('--- a\n+++ b\nno hunk'), null);
});

function read(names: object): unknown {
  const content = [{type: 'content', content: {type: 'text', text: `${diff}{\n "changed": true\n}`}}];
  const data = JSON.stringify({
    event: 'tool.completed',
    run_id: 'r1',
    seq: 1,
    session_id: 's1',
    timestamp: 1,
    tool_call_id: 'c1',
    status: 'completed',
    ...names,
    content,
  });
  const event = adapterFor('hermes-runs').normalize({id: 'r1:1', name: 'message', data});
  assert.ok(event.type === 'tool');
  return [event.facts.diff, event.facts.artifacts];
}
