import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  classify,
  createClassification,
  EVENT_CLASSES,
  RUNS_CLASSES,
  UPSTREAM_CLASSES,
  WEBUI_CLASSES,
  type ClassificationRow,
} from '../../../src/anchor/classification.js';
import {runsNames} from '../../../src/adapters/hermes-runs/frames.js';
import {webuiNames} from '../../../src/adapters/hermes-webui/frames.js';
import {runEventNames} from '../../../src/protocol/run-event.js';

const namesOf = (rows: readonly ClassificationRow[]) => rows.flatMap(([, , names]) => names.split(' '));

for (const [eventClass, kind, names] of [...WEBUI_CLASSES, ...RUNS_CLASSES]) {
  for (const name of names.split(' ')) {
    test(`${name} is ${eventClass}${kind ? `, ${kind}` : ''}`, () => {
      assert.deepEqual(classify(name), {class: eventClass, kind, known: true});
    });
  }
}

test('every name an adapter reads is classified, and every classified name is read', () => {
  assert.deepEqual([...webuiNames].sort(), namesOf(WEBUI_CLASSES).sort());
  assert.deepEqual([...runsNames].sort(), namesOf(RUNS_CLASSES).sort());
});

test('every run event of the gateway is classified', () => {
  for (const name of runEventNames) assert.equal(classify(name).known, true, name);
});

for (const name of [
  'nobody_sends_this',
  '',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'TOKEN',
]) {
  test(`${JSON.stringify(name)} is excluded and counted by name`, () => {
    assert.deepEqual(classify(name), {class: 'excluded', kind: null, known: false});
  });
}

test('a host adds names and may overrule ours', () => {
  const own = createClassification([
    ...WEBUI_CLASSES,
    ['metadata', null, 'note_saved title'],
    ['transport', null, '__proto__'],
  ]);
  assert.equal(own('note_saved').class, 'metadata');
  assert.equal(own('__proto__').class, 'transport');
  assert.equal(own('token').kind, 'process_prose');
});

test('where the original table has a row, ours agrees', () => {
  for (const [eventClass, kind, names] of UPSTREAM_CLASSES) {
    for (const name of names.split(' '))
      assert.deepEqual(classify(name), {class: eventClass, kind, known: true}, name);
  }
});

test('the original table excludes what it forgot', () => {
  const upstream = createClassification(UPSTREAM_CLASSES);
  for (const name of ['metering', 'todo_state', 'warning', 'goal', 'bg_task_complete', 'title_status']) {
    assert.equal(upstream(name).class, 'excluded', name);
    assert.notEqual(classify(name).class, 'excluded', name);
  }
});

test('classes stand in their order', () => {
  assert.deepEqual(EVENT_CLASSES, [
    'activity',
    'artifact',
    'side_effect',
    'metadata',
    'transport',
    'excluded',
  ]);
});
