import assert from 'node:assert/strict';
import {createTranscript} from '../../../src/anchor/index.js';
import {family} from './family.js';
import {
  assistant,
  calling,
  hear,
  lines,
  only,
  result,
  run,
  session,
  settle,
  story,
  tool,
  user,
} from './wire.js';

const body = (length: number) => 'x'.repeat(length - 4) + ' end';

family(34, 'a body that settles cut at 4000 characters does not replace the whole one', () => {
  const whole = body(5000);
  const live = hear(run().uses('c1', 'terminal', {command: 'ls'}, whole).says('Listed.').done());
  const messages = [
    user('List', 100),
    calling('c1', 'terminal', {command: 'ls -l'}, 101),
    result('c1', whole.slice(0, 4000), 102),
    assistant('Listed.', 103),
  ];
  const {output, args} = tool(only(settle(live, session(messages))), 'c1');
  assert.deepEqual([output, args], [whole, {command: 'ls -l'}]);
});

family(34, 'a body that was cut for show is completed from history', () => {
  const whole = body(5000);
  const live = hear(run().uses('c1', 'terminal', {}, whole.slice(0, 4000)).says('Listed.').done());
  const messages = [
    user('List', 100),
    calling('c1', 'terminal', {}, 101),
    result('c1', whole, 102),
    assistant('Listed.', 103),
  ];
  assert.equal(tool(only(settle(live, session(messages))), 'c1').output, whole);
});

family(34, 'a short body stays as short as it is, and a diff survives the settlement', () => {
  const diff = '--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-old\n+new\n';
  const live = run()
    .uses('c1', 'terminal', {}, '42')
    .uses('c2', 'patch', {path: 'a.md'}, JSON.stringify({output: 'ok', diff}))
    .says('Done.')
    .done();
  const messages = [
    user('Go', 100),
    calling('c1', 'terminal', {}, 101),
    result('c1', '42', 102),
    calling('c2', 'patch', {path: 'a.md'}, 103),
    result('c2', 'ok', 104),
    assistant('Done.', 105),
  ];
  const turn = only(settle(hear(live), session(messages)));
  assert.deepEqual(
    [tool(turn, 'c1').output, tool(turn, 'c2').output, tool(turn, 'c2').diff],
    ['42', 'ok', diff],
  );
});

family(37, 'history that links calls by id shows the same rows as the run did', () => {
  const live = run()
    .says('Looking.')
    .calls('c1', 'read_file', {path: 'a.md'})
    .calls('c2', 'read_file', {path: 'b.md'})
    .ends('c2', 'read_file', 'B')
    .ends('c1', 'read_file', 'A')
    .says('Same.')
    .done();
  const call = (id: string, path: string) => ({
    id,
    type: 'function',
    function: {name: 'read_file', arguments: JSON.stringify({path})},
  });
  const messages = [
    user('Compare', 100),
    assistant('Looking.', 101, {tool_calls: [call('c1', 'a.md'), call('c2', 'b.md')]}),
    result('c1', 'A', 102),
    result('c2', 'B', 103),
    assistant('Same.', 104),
  ];
  const both = settle(hear(live), session(messages));
  const reloaded = settle(createTranscript(), session(messages));
  assert.deepEqual(lines(only(reloaded)), lines(only(both)));
  assert.deepEqual(story(only(reloaded)), story(only(both)));
});

family(38, 'messages that say the same keep their own calls', () => {
  const messages = [
    user('Twice', 100),
    calling('c1', 'read_file', {path: 'a'}, 101, 'Reading.'),
    result('c1', 'A', 101),
    calling('c2', 'read_file', {path: 'b'}, 101, 'Reading.'),
    result('c2', 'B', 101),
    assistant('Reading.', 101),
  ];
  const turn = only(settle(createTranscript(), session(messages)));
  assert.deepEqual(story(turn), [
    'prose Reading.',
    'tool:c1 completed',
    'prose Reading.',
    'tool:c2 completed',
    'answer Reading.',
  ]);
  assert.deepEqual([tool(turn, 'c1').output, tool(turn, 'c2').output], ['A', 'B']);
});

family(39, 'parallel calls of one name end by their own ids, in any order', () => {
  const parallel = run()
    .calls('c1', 'read_file', {path: 'a'})
    .calls('c2', 'read_file', {path: 'b'})
    .ends('c2', 'read_file', 'B', {is_error: true})
    .metering()
    .ends('c1', 'read_file', 'A');
  const turn = only(hear(parallel));
  assert.deepEqual(story(turn), ['tool:c1 completed', 'tool:c2 error']);
  assert.deepEqual(
    [tool(turn, 'c1'), tool(turn, 'c2')].map(({args, output}) => [args['path'], output]),
    [
      ['a', 'A'],
      ['b', 'B'],
    ],
  );
});

family(
  39,
  'calls without ids pair first in, first out by name, and the same command twice is two rows',
  () => {
    const legacy = run()
      .calls(null, 'terminal', {command: 'make'})
      .calls(null, 'terminal', {command: 'make'})
      .calls(null, 'read_file', {path: 'a'})
      .ends(null, 'read_file', 'A')
      .ends(null, 'terminal', 'first')
      .ends(null, 'terminal', 'second');
    const outputs = [...only(hear(legacy)).items].map(({tool}) => `${tool!.name} ${tool!.output}`);
    assert.deepEqual(outputs, ['terminal first', 'terminal second', 'read_file A']);
  },
);

family(39, 'an end without a start stands at its own place and is never given to another call', () => {
  const lost = run().calls('c1', 'read_file').ends('c9', 'read_file', 'Nine').ends('c1', 'read_file', 'One');
  const turn = only(hear(lost));
  assert.deepEqual([tool(turn, 'c1').output, tool(turn, 'c9').output], ['One', 'Nine']);
});

family(40, 'a tool is running until its own end comes, whatever else happens', () => {
  const busy = run()
    .calls('c1', 'terminal')
    .uses('c2', 'read_file', {}, 'ok')
    .thinks('Waiting.')
    .says('Still on it.');
  assert.equal(tool(only(hear(busy)), 'c1').status, 'running');
});

family(40, 'no end of a turn leaves a tool running, and none is called done without a result', () => {
  const open = () => run().calls('c1', 'terminal').says('So far.');
  const statuses = [
    open().done(),
    open().stops(),
    open().fails('error'),
    open().send('error', {error: 'x'}),
  ].map((stream) => tool(only(hear(stream)), 'c1').status);
  assert.deepEqual(statuses, ['interrupted', 'cancelled', 'interrupted', 'interrupted']);
});

family(40, 'a result in the history closes a call whose end was never heard', () => {
  const live = hear(run().calls('c1', 'terminal').says('Built.').done());
  const messages = [
    user('Build', 100),
    calling('c1', 'terminal', {}, 101),
    result('c1', '', 102, {error: 'no rule'}),
    assistant('Built.', 103),
  ];
  assert.equal(tool(only(settle(live, session(messages))), 'c1').status, 'error');
});

family(
  17,
  'tool cards come from events: a start heard before a break and an end heard after it are one card',
  () => {
    const stream = run()
      .calls('c1', 'read_file', {path: 'a.md'})
      .metering()
      .ends('c1', 'read_file', 'A')
      .says('Read.');
    const before = hear(stream.frames.slice(0, 1));
    const turn = only(hear(stream.frames.slice(1), before));
    assert.deepEqual(story(turn), ['tool:c1 completed', 'answer Read.']);
    assert.deepEqual([tool(turn, 'c1').args, tool(turn, 'c1').output], [{path: 'a.md'}, 'A']);
  },
);

family(39, 'an id that is used again after its call was over is a second call', () => {
  const again = run()
    .uses('c1', 'read_file', {path: 'a'}, 'A')
    .says('And')
    .uses('c1', 'read_file', {path: 'b'}, 'B');
  const items = [...only(hear(again)).items].flatMap(({id, tool}) => (tool ? [`${id} ${tool.output}`] : []));
  assert.deepEqual(items, ['tool:c1 A', 'tool:c1~2 B']);
});
