import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {blockParts, contentParts} from '../../../src/scene/tool-content.js';

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
    {type: 'link', uri: 'https://a.example/x', name: 'x', text: 'A file', isImage: false},
    {type: 'link', uri: 'file:///y', name: null, text: null, isImage: false},
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

test('pictures under common wrong labels, and in the lines of a mail, are pictures', () => {
  for (const [mimeType, data] of [
    ['image/jpg', dot],
    ['IMAGE/PNG', dot],
    ['image/avif', dot],
    ['image/png', dot.replace(/.{20}/g, '$&\r\n')],
  ] as const) {
    const source = `data:${mimeType};base64,${dot}`;
    assert.deepEqual(contentParts(JSON.stringify([{type: 'image', mimeType, data}])), [
      {type: 'image', source, name: null},
    ]);
  }
});

test('what is no picture of a known kind, or too large, is told of and not drawn', () => {
  for (const [mime, data, bytes] of [
    ['image/svg+xml', dot, 70],
    ['text/html', dot, 70],
    ['image/png', '"><script>', 7],
    ['image/png;x', dot, 70],
    ['image/png', 'A'.repeat(4_000_004), 3_000_003],
  ] as const) {
    const parts = contentParts(JSON.stringify([{type: 'image', mimeType: mime, data}]));
    assert.deepEqual(parts, [{type: 'other', block: 'image', mime, name: null, bytes}]);
  }
  assert.equal(contentParts(`data:image/svg+xml;base64,${dot}`), null);
});

test('a picture elsewhere is a link', () => {
  assert.deepEqual(contentParts('[{"type":"image","uri":"https://a.example/x.png"}]'), [
    {type: 'link', uri: 'https://a.example/x.png', name: null, text: null, isImage: true},
  ]);
});

test('sounds, files and blocks of a kind we do not know are told of with their size', () => {
  const parts = blockParts(
    [
      {type: 'audio', mimeType: 'audio/wav', data: 'AAAAAAAA'},
      {type: 'resource', resource: {uri: 'file:///a.zip', mimeType: 'application/zip', blob: 'AAAA'}},
      {type: 'terminal', terminalId: 't1'},
      {},
    ],
    '',
  );
  assert.deepEqual(parts, [
    {type: 'other', block: 'audio', mime: 'audio/wav', name: null, bytes: 6},
    {type: 'link', uri: 'file:///a.zip', name: null, text: null, isImage: false},
    {type: 'other', block: 'resource', mime: 'application/zip', name: null, bytes: 3},
    {type: 'other', block: 'terminal', mime: null, name: null, bytes: 37},
    {type: 'other', block: '', mime: null, name: null, bytes: 2},
  ]);
});

test('an embedded resource that is a picture is drawn', () => {
  const resource = {uri: 'file:///x.png', mimeType: 'image/png', blob: dot};
  assert.deepEqual(blockParts([{type: 'resource', resource}], ''), [
    {type: 'image', source: `data:image/png;base64,${dot}`, name: 'file:///x.png'},
  ]);
});

test('an output stands before the blocks only where it says something else', () => {
  const blocks = [
    {type: 'text', text: 'a'},
    {type: 'image', uri: 'https://a.example/'},
    {type: 'text', text: 'b'},
  ];
  const kinds = (output: string) =>
    blockParts(blocks, output).map((part) => ('text' in part && part.text) || part.type);
  assert.deepEqual(kinds('a\nb'), ['a', 'link', 'b']);
  assert.deepEqual(kinds('exit 0'), ['exit 0', 'a', 'link', 'b']);
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
