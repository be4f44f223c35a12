import assert from 'node:assert/strict';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {folderStore, memoryStore} from '../../../../src/gateway/demo-agent/session-store.js';
import {commands, skillFor} from '../../../../src/gateway/demo-agent/skills.js';
import {contextId} from '../../../../src/gateway/demo-agent/open-note.js';
import {temporaryFolder} from '../tools/temporary-folder.js';
import {talk, textOf} from './talk.js';

test('a session has modes, an option and commands', async (context) => {
  const {settings, updates, prompt} = await talk(context);
  assert.equal(settings.modes?.currentModeId, 'ask');
  assert.deepEqual(
    settings.modes?.availableModes.map(({id}) => id),
    ['ask', 'edit', 'plan'],
  );
  assert.equal(settings.configOptions?.[0]?.category, 'thought_level');
  await prompt('help');
  const told = updates.find(({sessionUpdate}) => sessionUpdate === 'available_commands_update');
  assert.deepEqual(told, {sessionUpdate: 'available_commands_update', availableCommands: commands});
});

test('a summary reads the notes and the open one at the same time, thinks, and answers in pieces of one message', async (context) => {
  const {updates, prompt, said, thought, calls} = await talk(context);
  assert.equal((await prompt('Please summarise this note')).stopReason, 'end_turn');
  assert.match(thought(), /^The reader wants to know/);
  assert.equal(said(), '**Welcome** has 4 words, about 1 min to read.\n\n- Teh first line.');
  assert.deepEqual(calls(), [
    'mnote_page_list: pending in_progress completed',
    'mnote_doc_fetch: pending in_progress completed',
  ]);
  const order = updates
    .map(({sessionUpdate}) => sessionUpdate)
    .filter((name) => name.startsWith('tool_call'));
  assert.deepEqual(order.slice(0, 2), ['tool_call', 'tool_call']);
  const chunks = updates.filter((update) => update.sessionUpdate === 'agent_message_chunk');
  assert.ok(chunks.length > 3);
  assert.equal(new Set(chunks.map(({messageId}) => messageId)).size, 1);
});

test('an edit is shown, asked for with four kinds of answers, and made', async (context) => {
  const {prompt, questions, said, text, calls, updates} = await talk(context);
  await prompt('fix the typos');
  const [{toolCall, options} = assert.fail()] = questions;
  assert.deepEqual(
    options.map(({kind}) => kind),
    ['allow_once', 'allow_always', 'reject_once', 'reject_always'],
  );
  const newText = '# Welcome\n\nThe first line.\n';
  const diff = {type: 'diff', path: 'welcome.md', oldText: '# Welcome\n\nTeh first line.\n', newText};
  assert.deepEqual(toolCall.content, [diff]);
  assert.equal(toolCall.kind, 'edit');
  assert.equal(await text(), newText);
  assert.equal(calls().at(-1), 'mnote_doc_markdown_edit: pending in_progress completed');
  assert.match(said(), /^I found 1 spelling \(“Teh”\) in \*\*Welcome\*\*\.The note is tidy now\.$/);
  const plans = updates.filter((update) => update.sessionUpdate === 'plan');
  assert.deepEqual(
    plans.at(-1)?.entries.map(({status}) => status),
    ['completed', 'completed', 'completed'],
  );
});

test('a refused edit changes nothing and the turn goes on', async (context) => {
  const {prompt, said, text, calls} = await talk(context, {answer: () => 'reject_once'});
  assert.equal((await prompt('tidy')).stopReason, 'end_turn');
  assert.match(await text(), /Teh/);
  assert.match(said(), /I leave the note as it is\.$/);
  assert.equal(calls().at(-1), 'mnote_doc_markdown_edit: pending failed');
});

for (const [kind, asked] of [
  ['allow_always', 1],
  ['allow_once', 2],
  ['reject_always', 1],
] as const) {
  test(`after ${kind} two edits asked ${asked} times`, async (context) => {
    const {prompt, questions, folder} = await talk(context, {answer: () => kind});
    await prompt('tidy');
    await writeFile(join(folder, 'welcome.md'), 'Teh second.\n');
    await prompt('tidy');
    assert.equal(questions.length, asked);
  });
}

test('edit mode asks nothing, plan mode changes nothing', async (context) => {
  const {agent, sessionId, prompt, questions, text, said, updates} = await talk(context);
  await agent.request('session/set_mode', {sessionId, modeId: 'plan'});
  assert.deepEqual(updates.at(-1), {sessionUpdate: 'current_mode_update', currentModeId: 'plan'});
  await prompt('tidy');
  assert.match(await text(), /Teh/);
  assert.match(said(), /plan mode/);
  await agent.request('session/set_mode', {sessionId, modeId: 'edit'});
  await prompt('tidy');
  assert.match(await text(), /The/);
  assert.equal(questions.length, 0);
  await assert.rejects(agent.request('session/set_mode', {sessionId, modeId: 'yolo'}), /no such mode/);
});

test('thinking can be turned off', async (context) => {
  const {agent, sessionId, prompt, thought} = await talk(context);
  const {configOptions} = await agent.request('session/set_config_option', {
    sessionId,
    configId: 'thoughts',
    value: 'off',
  });
  assert.equal((configOptions[0] as {currentValue: unknown}).currentValue, 'off');
  await prompt('summarise');
  assert.equal(thought(), '');
});

test('a note that changed while the reader was asked is read again and asked about again', async (context) => {
  const {prompt, questions, text, calls, folder} = await talk(context, {
    answer: async ({toolCall}) => {
      if (questions.length === 1) await writeFile(join(folder, 'welcome.md'), 'Teh new text.\n');
      void toolCall;
      return Promise.resolve({outcome: {outcome: 'selected' as const, optionId: 'yes'}});
    },
  });
  await prompt('tidy');
  assert.equal(await text(), 'The new text.\n');
  assert.equal(questions.length, 2);
  assert.deepEqual(calls().slice(-2), [
    'mnote_doc_markdown_edit: pending in_progress failed',
    'mnote_doc_markdown_edit: pending in_progress completed',
  ]);
});

const skillRows: readonly (readonly [string, string, RegExp, RegExp])[] = [
  ['add a todo list', '# A\n\nWe must call Anna.\n', /- \[ \] Call Anna\n$/, /The list is in the note/],
  [
    'add a table of contents',
    '# A\n\n## B\n\nx\n',
    /## Contents\n\n- \[B\]\(#b\)/,
    /contents are in the note/,
  ],
  ['translate headings to French', '# Goals\n', /^# Objectifs\n$/, /headings are translated/],
  ['/tidy', 'teh\n', /^the\n$/, /tidy now/],
];
for (const [prompt, before, after, said] of skillRows) {
  test(`“${prompt}” does what it says`, async (context) => {
    const talking = await talk(context, {files: {'welcome.md': before}});
    await talking.prompt(prompt);
    assert.match(await talking.text(), after);
    assert.match(talking.said(), said);
  });
}

test('notes are found and read side by side', async (context) => {
  const files = {'a.md': '# A\n\nThe red fox.\n', 'b.md': '# B\n\nA fox, too.\n', 'c.md': '# C\n'};
  const {prompt, said, calls} = await talk(context, {files});
  await prompt('find fox');
  assert.equal(said(), '2 notes have “fox”:\n\n- **A**: The red fox.\n- **B**: A fox, too.');
  assert.equal(calls().length, 3);
});

test('without note tools it says so and works on what the page told', async (context) => {
  const {prompt, said, calls} = await talk(context, {tools: false});
  await prompt('tidy this', '# Page\n\nTeh words.\n');
  assert.match(said(), /^I have no note tools here/);
  assert.match(said(), /```markdown\n# Page\n\nThe words\.\n```$/);
  await prompt('summarise', '');
  assert.match(said(), /there is nothing I can read/);
  assert.deepEqual(calls(), []);
});

test('told to fail, a tool fails and then the turn', async (context) => {
  const {prompt, calls} = await talk(context);
  await assert.rejects(prompt('fail'), /as it was told to/);
  assert.deepEqual(calls(), ['mnote_doc_fetch: pending in_progress failed']);
  assert.equal((await prompt('summarise')).stopReason, 'end_turn');
});

test('told to stall it says nothing until it is cancelled', async (context) => {
  const {agent, sessionId, prompt} = await talk(context, {
    onUpdate: ({sessionUpdate}) => {
      if (sessionUpdate === 'agent_thought_chunk')
        setImmediate(() => void agent.notify('session/cancel', {sessionId}));
    },
  });
  assert.equal((await prompt('stall')).stopReason, 'cancelled');
});

test('a long answer stops at once when it is cancelled, and the next prompt is answered', async (context) => {
  let chunks = 0;
  const {agent, sessionId, prompt, said} = await talk(context, {
    onUpdate: ({sessionUpdate}) => {
      if (sessionUpdate === 'agent_message_chunk' && ++chunks === 5) {
        void agent.notify('session/cancel', {sessionId});
      }
    },
  });
  assert.equal((await prompt('write a long answer')).stopReason, 'cancelled');
  assert.ok(said().length < 1_000);
  assert.equal((await prompt('summarise')).stopReason, 'end_turn');
});

test('a cancel while a permission is open ends the turn and closes the tool', async (context) => {
  const {agent, sessionId, prompt, text, calls} = await talk(context, {
    answer: async () => {
      await agent.notify('session/cancel', {sessionId});
      return new Promise(() => {});
    },
  });
  assert.equal((await prompt('tidy')).stopReason, 'cancelled');
  assert.equal(calls().at(-1), 'mnote_doc_markdown_edit: pending failed');
  assert.match(await text(), /Teh/);
});

test('a second prompt while one runs is refused', async (context) => {
  const {agent, sessionId, prompt} = await talk(context);
  const first = prompt('stall');
  await assert.rejects(prompt('summarise'), /running/);
  await agent.notify('session/cancel', {sessionId});
  assert.equal((await first).stopReason, 'cancelled');
});

test('usage counts what was said before as read from the cache', async (context) => {
  const {prompt, updates} = await talk(context);
  const usage = async (text: string) =>
    (
      (await prompt(text)) as unknown as {
        usage: {inputTokens: number; outputTokens: number; cachedReadTokens: number};
      }
    ).usage;
  const first = await usage('summarise');
  assert.equal(first.cachedReadTokens, 0);
  assert.ok(first.inputTokens > 0 && first.outputTokens > 0);
  const second = await usage('summarise');
  assert.equal(second.cachedReadTokens, first.inputTokens + first.outputTokens);
  const told = updates.filter((update) => update.sessionUpdate === 'usage_update').at(-1);
  assert.deepEqual(told, {
    sessionUpdate: 'usage_update',
    used: second.inputTokens + second.outputTokens,
    size: 32_000,
  });
});

test('a loaded session says again what was said, whole, and goes on; a resumed one says nothing', async (context) => {
  const folder = await temporaryFolder(context);
  for (const store of [memoryStore(), folderStore(folder)]) {
    const before = await talk(context, {store});
    await before.agent.request('session/set_mode', {sessionId: before.sessionId, modeId: 'edit'});
    await before.prompt('tidy');
    const {agent, updates, mcpServers} = await talk(context, {store});
    const {sessionId} = before;
    const settings = await agent.request('session/load', {sessionId, cwd: '/', mcpServers});
    assert.equal(settings.modes?.currentModeId, 'edit');
    assert.equal(textOf(updates, 'user_message_chunk'), 'tidy');
    assert.equal(textOf(updates, 'agent_message_chunk'), before.said());
    const edit = updates.findLast((update) => update.sessionUpdate === 'tool_call');
    assert.equal(edit?.status, 'completed');
    updates.length = 0;
    await agent.request('session/resume', {sessionId, cwd: '/', mcpServers});
    assert.equal(
      updates.filter(({sessionUpdate}) => sessionUpdate !== 'available_commands_update').length,
      0,
    );
    const answer = await agent.request('session/prompt', {
      sessionId,
      prompt: [{type: 'text', text: 'summarise'}],
    });
    assert.equal(answer.stopReason, 'end_turn');
  }
  const {agent} = await talk(context);
  for (const sessionId of ['nobody', '../../etc/passwd']) {
    await assert.rejects(agent.request('session/load', {sessionId, cwd: '/', mcpServers: []}), /not found/i);
  }
});

test('the page context names the open note in several ways', () => {
  for (const [context, id] of [
    ['{"docId": "a/b c", "title": "x"}', 'a/b c'],
    ['Open note: Welcome (docId: welcome)', 'welcome'],
    ['id: x-1\n# Text', 'x-1'],
    ['docId: a folder/my note\n\n# Text (id: y)', 'a folder/my note'],
    ['# Paid: nothing', null],
  ] as const) {
    assert.equal(contextId(context), id);
  }
});

test('each command is its own skill', () => {
  for (const {name} of commands) assert.equal(skillFor(`/${name} x`).command?.name, name);
});
