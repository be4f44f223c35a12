import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {TurnAnchor} from '../../../src/anchor/turn-anchor.js';
import {displayModes} from '../../../src/scene/display-mode.js';
import {project} from '../../../src/scene/project.js';
import {sketch} from './sketch.js';
import {emptyTurn, turn} from './turn-builder.js';

function shows(anchor: TurnAnchor, mode: (typeof displayModes)[number], ...lines: string[]): void {
  assert.equal(sketch(project(anchor, mode)), lines.join('\n'));
}

const worked = () =>
  turn()
    .prompt('Compare the notes.')
    .prose('Looking.')
    .thought('Two files.')
    .tool('read_file', {path: 'a.md'})
    .tool('read_file', {path: 'b.md'})
    .tool('terminal', {command: 'diff a.md b.md'})
    .answer('They differ.');

test('tools of one run are grouped in the worklog and listed in the stream', () => {
  const anchor = worked().build();
  shows(
    anchor,
    'compact-worklog',
    'prompt Compare the notes.',
    'worklog Read 2 files, ran 1 command (1 thought, folded)',
    '  prose Looking.',
    '  thought Two files.',
    '  tools Read 2 files, ran 1 command',
    '    tool read_file a.md',
    '    tool read_file b.md',
    '    tool terminal diff a.md b.md',
    'answer They differ.',
  );
  shows(
    anchor,
    'transparent-stream',
    'prompt Compare the notes.',
    'prose Looking.',
    'thought Two files.',
    'tool read_file a.md',
    'tool read_file b.md',
    'tool terminal diff a.md b.md',
    'answer They differ.',
  );
  shows(anchor, 'answer-only', 'prompt Compare the notes.', 'answer They differ.');
});

test('a thought or prose between tools parts their group', () => {
  shows(
    turn()
      .tool('read_file')
      .thought('Hm.')
      .tool('read_file')
      .prose('Now.')
      .tool('bash')
      .answer('Done.')
      .build(),
    'compact-worklog',
    'worklog Read 2 files, ran 1 command (1 thought, folded)',
    '  tools Read 1 file',
    '    tool read_file',
    '  thought Hm.',
    '  tools Read 1 file',
    '    tool read_file',
    '  prose Now.',
    '  tools Ran 1 command',
    '    tool bash',
    'answer Done.',
  );
});

test('prose alone is not folded', () => {
  shows(
    turn().prose('First.').prose('Second.').answer('Third.').build(),
    'compact-worklog',
    'prose First.',
    'prose Second.',
    'answer Third.',
  );
});

test('running prose that may still be the answer is the answer row, and becomes worklog prose under the same id', () => {
  const before = turn().tool('read_file').prose('Now I know.').running();
  const writing = project(before.build(), 'compact-worklog');
  assert.equal(
    sketch(writing),
    [
      'worklog Read 1 file (open)',
      '  tools Read 1 file',
      '    tool read_file',
      'answer Now I know. (live)',
      'status writing',
    ].join('\n'),
  );
  const working = project(
    before.tool('bash', {command: 'ls'}, {status: 'running'}).build(),
    'compact-worklog',
    writing,
  );
  assert.equal(
    sketch(working),
    [
      'worklog Read 1 file, ran 1 command (1 running, open)',
      '  tools Read 1 file',
      '    tool read_file',
      '  prose Now I know.',
      '  tools Ran 1 command (running)',
      '    tool bash ls (running)',
      'status tool bash ls',
    ].join('\n'),
  );
  assert.equal(idOf(writing, 'answer'), idOf(working, 'prose'));
});

test('approvals stand outside the worklog, where they happened', () => {
  const anchor = turn()
    .tool('terminal', {command: 'rm x'}, {status: 'pending'})
    .control('permission', 'rm x', {status: 'pending'})
    .running()
    .build();
  shows(
    anchor,
    'compact-worklog',
    'worklog Ran 1 command (1 running, open)',
    '  tools Ran 1 command (running)',
    '    tool terminal rm x (pending)',
    'permission rm x (pending)',
    'status waiting terminal rm x',
  );
  shows(anchor, 'answer-only', 'permission rm x (pending)', 'status waiting terminal rm x');
});

test('a boundary after the answer stays after it', () => {
  const anchor = turn().tool('bash').answer('Done.').control('continue', 'Next part.').build();
  for (const mode of displayModes) {
    assert.deepEqual(
      project(anchor, mode)
        .rows.slice(-2)
        .map((row) => row.type),
      ['answer', 'control'],
      mode,
    );
  }
});

test('the last error and the number of errors stay outside the worklog', () => {
  const anchor = turn()
    .tool('bash', {command: 'a'}, {status: 'error'})
    .tool('bash', {command: 'b'}, {status: 'error'})
    .tool('bash', {command: 'c'})
    .answer('Done.')
    .build();
  shows(
    anchor,
    'compact-worklog',
    'worklog Ran 3 commands (2 failed, folded)',
    '  tools Ran 3 commands (error)',
    '    tool bash a (error)',
    '    tool bash b (error)',
    '    tool bash c',
    'error bash b (last of 2)',
    'answer Done.',
  );
  shows(anchor, 'answer-only', 'error bash b (last of 2)', 'answer Done.');
});

test('artifacts, plan and side effects stand outside the worklog', () => {
  const anchor = turn()
    .tool('patch', {path: 'n.md'})
    .answer('Done.')
    .artifact('n.md')
    .with({
      plan: [{content: 'Edit', status: 'completed', priority: null}],
      sideEffects: [{kind: 'memory', action: 'saved', name: null}],
    })
    .build();
  shows(
    anchor,
    'compact-worklog',
    'worklog Edited 1 file (folded)',
    '  tools Edited 1 file',
    '    tool patch n.md',
    'plan Edit (completed)',
    'answer Done.',
    'artifacts modified n.md',
    'saved memory saved',
  );
  shows(anchor, 'answer-only', 'answer Done.', 'artifacts modified n.md');
});

test('running and successful phases leave the settled worklog and stay in the stream; failed ones stay in both', () => {
  const anchor = turn()
    .tool('bash')
    .lifecycle('completed')
    .lifecycle('error', 'Compression failed')
    .answer('Done.')
    .build();
  shows(
    anchor,
    'compact-worklog',
    'worklog Ran 1 command (1 failed, folded)',
    '  tools Ran 1 command',
    '    tool bash',
    '  phase Compression failed (error)',
    'error Compression failed',
    'answer Done.',
  );
  shows(
    anchor,
    'transparent-stream',
    'tool bash',
    'phase Compressing context (completed)',
    'phase Compression failed (error)',
    'answer Done.',
  );
});

test('a phase that is not shown any more leaves no empty worklog behind', () => {
  shows(turn().lifecycle('completed').answer('Done.').build(), 'compact-worklog', 'answer Done.');
});

test('clarify calls are hidden behind their question, their outcome is not', () => {
  const anchor = turn()
    .tool('read_file')
    .tool('clarify', {question: 'Which?'}, {callId: 'q'})
    .control('clarify', 'Which?', {choice: 'a'})
    .answer('Done.')
    .build();
  const lines = [
    'worklog Read 1 file (folded)',
    '  tools Read 1 file',
    '    tool read_file',
    'clarify Which? (answered, a)',
    'answer Done.',
  ];
  shows(anchor, 'compact-worklog', ...lines);
  assert.equal(project(anchor, 'compact-worklog').facts.tools.get('tool:q'), 'completed');
  shows(
    turn().tool('clarify', {question: 'Which?'}).answer('Done.').build(),
    'transparent-stream',
    'tool clarify Which?',
    'answer Done.',
  );
});

test('a failed clarify call shows beside its question', () => {
  const anchor = turn()
    .tool('clarify', {question: 'Which?'}, {status: 'error'})
    .control('clarify', 'Which?')
    .answer('Done.')
    .build();
  assert.match(sketch(project(anchor, 'compact-worklog')), /tool clarify Which\? \(error\)/);
});

const endings = [
  ['completed', false],
  ['error', true],
  ['no_response', true],
  ['degraded', true],
  ['connection_lost', true],
  ['tool_limit_reached', true],
  ['compression_exhausted', true],
  ['cancelled', true],
  ['interrupted', true],
] as const;

for (const [state, open] of endings) {
  test(`the worklog of a turn that ended as ${state} begins ${open ? 'open' : 'folded'}`, () => {
    const scene = project(worked().ended(state, 'Why.').build(), 'compact-worklog');
    const summary = scene.rows.find((row) => row.type === 'worklog-summary');
    assert.equal(summary?.type === 'worklog-summary' && summary.defaultOpen, open);
  });
  test(`a turn that ended as ${state} says so in every mode unless it is completed`, () => {
    for (const mode of displayModes) {
      const rows = project(worked().ended(state, 'Why.').build(), mode).rows;
      assert.equal(rows.at(-1)?.type, state === 'completed' ? 'answer' : 'terminal', mode);
    }
  });
}

test('a completed turn without an answer begins open', () => {
  assert.match(
    sketch(project(turn().tool('bash').build(), 'compact-worklog')),
    /^worklog Ran 1 command \(open\)/,
  );
});

test('a turn of thoughts alone shows them in every mode', () => {
  for (const mode of displayModes) {
    assert.match(
      sketch(project(turn().thought('Hm.').ended('no_response').build(), mode)),
      /thought Hm\./,
      mode,
    );
  }
});

test('an empty running turn is a status, in every mode', () => {
  for (const mode of displayModes) {
    shows(emptyTurn, mode, 'status starting');
    shows({...emptyTurn, status: 'running', prompt: 'Hi'}, mode, 'prompt Hi', 'status starting');
  }
});

test('a settled turn of which nothing is known is never an empty shell', () => {
  for (const mode of displayModes)
    shows({...emptyTurn, status: 'settled', prompt: 'Hi'}, mode, 'prompt Hi', 'degraded');
});

test('weak evidence is shown as restoring or degraded, never as running', () => {
  for (const mode of displayModes) {
    const restoring = turn()
      .tool('bash')
      .prose('Half an ans')
      .with({status: 'restoring', terminal: null, answerComplete: false})
      .build();
    assert.match(sketch(project(restoring, mode)), /answer Half an ans \(incomplete\)\nrestoring$/, mode);
    assert.match(
      sketch(project(turn().answer('Hi.').with({degraded: true}).build(), mode)),
      /degraded$/,
      mode,
    );
  }
});

test('a thought is live only while it is the newest thing of a running turn', () => {
  const thinking = turn().thought('Hm').running();
  assert.match(sketch(project(thinking.build(), 'compact-worklog')), /thought Hm \(live\)\nstatus thinking/);
  const before = project(thinking.build(), 'compact-worklog');
  const after = project(thinking.notice('Switching provider').build(), 'compact-worklog', before);
  assert.match(sketch(after), /thought Hm\n {2}notice Switching provider\nstatus working/);
});

test('a duration needs both ends in the evidence', () => {
  assert.equal(
    project(turn().answer('Hi.').with({startedAt: 1000}).build(), 'compact-worklog').durationMs,
    null,
  );
  assert.equal(
    project(turn().answer('Hi.').with({startedAt: 1000, completedAt: 3500}).build(), 'compact-worklog')
      .durationMs,
    2500,
  );
});

test('rows keep their id from live to settled and across modes', () => {
  const story = worked();
  const ids = (anchor: TurnAnchor, mode: (typeof displayModes)[number]) =>
    project(anchor, mode)
      .rows.filter((row) => !['status', 'worklog-summary', 'tool-group'].includes(row.type))
      .map((row) => row.id);
  const live = ids(story.running().build(), 'transparent-stream');
  const settled = story.ended('completed').build();
  assert.deepEqual(ids(settled, 'transparent-stream'), live);
  assert.deepEqual(ids(settled, 'compact-worklog'), live);
  assert.ok(ids(settled, 'answer-only').every((id) => live.includes(id)));
});

test('rows hold the anchor’s own texts and tools', () => {
  const anchor = worked().build();
  const {rows} = project(anchor, 'transparent-stream');
  assert.ok(rows.some((row) => row.type === 'prose' && row.text === anchor.items.get(0)?.text));
  assert.ok(rows.some((row) => row.type === 'tool' && row.tool === anchor.items.get(2)?.tool));
  assert.ok(rows.some((row) => row.type === 'answer' && row.text === anchor.answer));
});

test('words can be in another language', () => {
  const german = {read: (count: number) => `${String(count)} Dateien gelesen`} as unknown as Parameters<
    typeof project
  >[3];
  const scene = project(
    turn().tool('read').tool('read').answer('Ja.').build(),
    'compact-worklog',
    undefined,
    {
      ...(german as object),
      sentence: (phrases: readonly string[]) => phrases.join(' und '),
    } as Parameters<typeof project>[3],
  );
  assert.match(sketch(scene), /^worklog 2 Dateien gelesen/);
});

function idOf(scene: ReturnType<typeof project>, type: string): string | undefined {
  return scene.rows.find((row) => row.type === type)?.id;
}
