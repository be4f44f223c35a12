/** The text at a run's end: what of it was missed, whatever the build repeats. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {RunReader} from '../../../../src/gateway/http-upstream/run-reader.js';

/** What was said, `|` for a tool; the text at the end; whether a part was not heard; what is said then. */
const ends: readonly (readonly [said: string, output: string, torn: boolean, missing: string])[] = [
  ['Done.', 'Done.', false, ''],
  ['Done.', '', false, ''],
  ['', 'Done.', false, 'Done.'],
  ['Do', 'Done.', false, 'ne.'],
  ['Look.|Done.', 'Done.', false, ''],
  ['Look.|Done.', 'Look.Done.', false, ''],
  ['Look.|Done.', 'Look.\n\nDone.\n', false, ''],
  ['Look.|Do', 'Done.', true, 'ne.'],
  ['Look.|Do', 'Look.Done.', true, 'ne.'],
  ['Look.|', 'Done.', false, 'Done.'],
  ['Look.|', 'Look.', false, ''],
  ['<b>Done', 'Done.', false, ''],
  ['Look', 'Done.', true, '\n\nDone.'],
];

for (const [said, output, torn, missing] of ends) {
  test(`"${said}" lacks ${JSON.stringify(missing)} of ${JSON.stringify(output)}${torn ? ', torn' : ''}`, () => {
    const reader = new RunReader();
    said.split('|').forEach((text, n) => {
      if (n > 0) reader.updates({event: 'tool.started', tool: 'read_file'});
      reader.updates({event: 'message.delta', delta: text});
    });
    const told = reader.missing(output, torn) as readonly {content: {text: string}}[];
    assert.equal(told.map(({content}) => content.text).join(''), missing);
  });
}
