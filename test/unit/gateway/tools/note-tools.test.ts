import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fromJsonSchema, type JsonSchemaType} from '@modelcontextprotocol/server';
import {findNoteTool, noteTools} from '../../../../src/gateway/tools/note-tools.js';

for (const tool of noteTools) {
  test(`${tool.name} is the host's ${tool.hostName} and has a schema every model API takes`, async () => {
    assert.match(tool.name, /^mnote_[a-z]+_[a-z_]+$/);
    assert.equal(tool.hostName.replaceAll('.', '_'), tool.name);
    assert.equal(findNoteTool(tool.name), tool);
    assert.equal(findNoteTool(tool.hostName), tool);
    assert.ok(tool.description.length > 10);
    const {type, properties, required, ...rest} = tool.inputSchema as Record<string, object | string>;
    assert.equal(type, 'object');
    assert.deepEqual(Object.keys(rest), ['additionalProperties']);
    for (const name of required as string[]) assert.ok(name in (properties as object), name);
    const check = fromJsonSchema(tool.inputSchema as JsonSchemaType)['~standard'];
    assert.ok((await check.validate({surprise: 1})).issues);
  });
}

test('no two tools share a name', () => {
  assert.equal(new Set(noteTools.map(({name}) => name)).size, noteTools.length);
});
