import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {contentParts} from '../../../src/scene/tool-content.js';

const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('blocks become texts, pictures and links', () => {
  const content = [
    {type: 'text', text: 'Here.'},
    {type: 'image', mimeType: 'image/png', data: dot},
    {type: 'resource_link', uri: 'https://a.example/x', name: 'x', description: 'A file'},
    {type: 'resource', resource: {uri: 'file:///y', text: 'Y'}},
  ];
  const parts = [
    {type: 'text', text: 'Here.'},
    {type: 'image', source: `data:image/png;base64,${dot}`, name: null},
    {type: 'link', uri: 'https://a.example/x', name: 'x', text: 'A file'},
    {type: 'link', uri: 'file:///y', name: null, text: null},
    {type: 'text', text: 'Y'},
  ];
  assert.deepEqual(contentParts(JSON.stringify(content)), parts);
  assert.deepEqual(contentParts(JSON.stringify({content, isError: false})), parts);
});

test('a text that is a picture is one', () => {
  assert.deepEqual(contentParts(`data:image/gif;base64,${dot}\n`), [
    {type: 'image', source: `data:image/gif;base64,${dot}`, name: null},
  ]);
});

test('what is no picture of a known kind is not drawn', () => {
  for (const [mimeType, data] of [
    ['image/svg+xml', dot],
    ['text/html', dot],
    ['image/png', '"><script>'],
    ['image/png;x', dot],
    ['image/png', 'A'.repeat(4_000_004)],
  ]) {
    const parts = contentParts(JSON.stringify([{type: 'image', mimeType, data}]));
    assert.deepEqual(parts, [{type: 'text', text: `[image ${mimeType}]`}]);
  }
  assert.equal(contentParts(`data:image/svg+xml;base64,${dot}`), null);
});

test('a picture elsewhere is a link', () => {
  assert.deepEqual(contentParts('[{"type":"image","uri":"https://a.example/x.png"}]'), [
    {type: 'link', uri: 'https://a.example/x.png', name: null, text: null},
  ]);
});

test('any other text is only text', () => {
  for (const text of [
    '',
    '[]',
    '{}',
    '[1]',
    '{"type":"text"}',
    '[{"type":"other"}]',
    '{"content":[{"type":"x"}]}',
    '{"type',
  ])
    assert.equal(contentParts(text), null);
  fc.assert(fc.property(fc.json(), (text) => void contentParts(text)));
});
