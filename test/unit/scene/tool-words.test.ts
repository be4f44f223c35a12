import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  englishToolWords,
  toolKeyArgument,
  toolLabel,
  toolSummary,
  toolVerb,
  toolVerbs,
  type ToolVerb,
} from '../../../src/scene/tool-words.js';
import {toolDetails} from './turn-builder.js';

const verbs: readonly (readonly [name: string, kind: string | null, verb: ToolVerb])[] = [
  ['read_file', null, 'read'],
  ['search_files', null, 'search'],
  ['list_files', null, 'list'],
  ['patch', null, 'edit'],
  ['write_file', null, 'edit'],
  ['delete_file', null, 'delete'],
  ['terminal', null, 'run'],
  ['execute_code', null, 'run'],
  ['bash', 'execute', 'run'],
  ['web_search', null, 'web'],
  ['web_extract', null, 'fetch'],
  ['Get the page', 'fetch', 'fetch'],
  ['browser_click', null, 'browse'],
  ['todo', null, 'plan'],
  ['memory', null, 'remember'],
  ['delegate_task', null, 'delegate'],
  ['clarify', null, 'ask'],
  ['Read', null, 'read'],
  ['mcp__notes__update_note', null, 'edit'],
  ['notes.read_note', null, 'read'],
  ['Look at src/a.ts', 'read', 'read'],
  ['Move it', 'move', 'edit'],
  ['Ponder', 'think', 'think'],
  ['frobnicate', 'other', 'use'],
  ['frobnicate', 'constructor', 'use'],
  ['__proto__', null, 'use'],
  ['', null, 'use'],
];

for (const [name, kind, verb] of verbs) {
  test(`${name || 'no name'}${kind === null ? '' : ` of kind ${kind}`} is told as ${verb}`, () => {
    assert.equal(toolVerb({name, kind}), verb);
  });
}

const phrases: Readonly<Record<ToolVerb, readonly [one: string, two: string]>> = {
  read: ['Read 1 file', 'Read 2 files'],
  list: ['Listed 1 folder', 'Listed 2 folders'],
  search: ['Searched files', 'Searched files 2 times'],
  edit: ['Edited 1 file', 'Edited 2 files'],
  delete: ['Deleted 1 file', 'Deleted 2 files'],
  run: ['Ran 1 command', 'Ran 2 commands'],
  web: ['Searched the web', 'Searched the web 2 times'],
  fetch: ['Fetched 1 page', 'Fetched 2 pages'],
  browse: ['Used the browser', 'Used the browser 2 times'],
  plan: ['Updated the plan', 'Updated the plan 2 times'],
  remember: ['Updated memory', 'Updated memory 2 times'],
  delegate: ['Delegated 1 task', 'Delegated 2 tasks'],
  ask: ['Asked 1 question', 'Asked 2 questions'],
  think: ['Thought', 'Thought 2 times'],
  use: ['Used 1 tool', 'Used 2 tools'],
  deny: ['1 refused', '2 refused'],
};

function countsOf(counts: Partial<Record<ToolVerb, number>>): Record<ToolVerb, number> {
  return Object.fromEntries(toolVerbs.map((verb) => [verb, counts[verb] ?? 0])) as Record<ToolVerb, number>;
}

for (const verb of toolVerbs) {
  test(`${verb} has words for one and for many`, () => {
    const said = [1, 2].map((count) => toolSummary(countsOf({[verb]: count}), englishToolWords));
    assert.deepEqual(said, phrases[verb]);
  });
}

test('a summary is one sentence in the order of the table, empty without tools', () => {
  assert.equal(
    toolSummary(countsOf({run: 1, read: 3, use: 2}), englishToolWords),
    'Read 3 files, ran 1 command, used 2 tools',
  );
  assert.equal(toolSummary(countsOf({}), englishToolWords), '');
});

test('the key argument is the most telling one, in full', () => {
  const long = 'x'.repeat(5000);
  assert.equal(toolKeyArgument(toolDetails('read_file', {args: {limit: 3, path: 'notes.md'}})), 'notes.md');
  assert.equal(toolKeyArgument(toolDetails('terminal', {args: {workdir: '/tmp', command: long}})), long);
  assert.equal(toolKeyArgument(toolDetails('run', {args: {command: ['npm', 'test']}})), 'npm test');
  assert.equal(toolKeyArgument(toolDetails('strange', {args: {n: 1, colour: 'red'}})), 'red');
  assert.equal(toolKeyArgument(toolDetails('read', {locations: [{path: 'a.ts', line: 3}]})), 'a.ts');
  assert.equal(toolKeyArgument(toolDetails('todo', {args: {todos: [], merge: true, path: ' '}})), null);
});

test('a label is the name and the key argument, unless the name says it already', () => {
  assert.equal(toolLabel(toolDetails('read_file', {args: {path: 'notes.md'}})), 'read_file notes.md');
  assert.equal(toolLabel(toolDetails('Read src/a.ts', {args: {path: 'src/a.ts'}})), 'Read src/a.ts');
  assert.equal(toolLabel(toolDetails('bash', {args: {command: 'a'}})), 'bash a');
  assert.equal(toolLabel(toolDetails('todo', {title: 'Plan the work'})), 'Plan the work');
  assert.equal(toolLabel(toolDetails('')), 'tool');
});
