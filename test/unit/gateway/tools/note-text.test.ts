/** Note text: what is not named by a change keeps its bytes, line ends too. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {NoteText, replacementsOf} from '../../../../src/gateway/tools/folder/note-text.js';

const replaced = (file: string, old: string, text: string) => {
  const note = NoteText.of(file);
  const start = note.markdown.indexOf(old);
  return note.replaced([{start, end: start + old.length, text}]).toString();
};

const cases: readonly (readonly [what: string, file: string, old: string, text: string, after: string])[] = [
  ['a word', 'a\r\nb c\nd\r\n', 'b', 'x', 'a\r\nx c\nd\r\n'],
  ['a line with its end', 'a\r\nb\nc\r\n', 'b\n', 'x\n', 'a\r\nx\nc\r\n'],
  ['a line that becomes two', 'a\nb\r\nc\n', 'b', 'x\ny', 'a\nx\r\ny\r\nc\n'],
  ['two lines that become one', 'a\nb\r\nc\nd\r\n', 'b\nc', 'x', 'a\nx\nd\r\n'],
  ['two lines that become three', 'a\nb\r\nc\nd\n', 'b\nc\n', 'x\ny\nz\n', 'a\nx\r\ny\r\nz\nd\n'],
  ['the last line', 'a\n b\r\nc', 'c', 'c\nd', 'a\n b\r\nc\r\nd'],
  ['new text with ends of its own', 'a\nb\nc\r\n', 'b', 'x\r\ny', 'a\nx\ny\nc\r\n'],
  ['a lone carriage return, which is no end', 'a\rb\r\nc\n', 'b', 'x', 'a\rx\r\nc\n'],
];
for (const [what, file, old, text, after] of cases) {
  test(`of mixed line ends each stays where ${what} is replaced`, () => {
    assert.equal(replaced(file, old, text), after);
  });
}

test('a whole text changes the lines that differ, and no other', () => {
  const file = 'one\r\ntwo\nthree\r\nfour\nfive\r\n';
  const {markdown} = NoteText.of(file);
  const after = markdown.replace('one', '1').replace('five', '5\n6');
  const note = NoteText.of(file).replaced(replacementsOf(markdown, after));
  assert.equal(note.toString(), '1\r\ntwo\nthree\r\nfour\n5\r\n6\r\n');
});

const piece = fc.array(fc.constantFrom('a', 'b', ' ', '\r', '\n', '\r\n', 'é', '😀'), {maxLength: 12});
const file = piece.map((parts) => parts.join(''));

test('a change leaves every byte outside of it as it was', () => {
  const change = fc.tuple(fc.nat(), fc.nat(), file);
  fc.assert(
    fc.property(file, change, (before, [one, other, text]) => {
      const note = NoteText.of(before);
      const [start, end] = [one, other]
        .map((at) => at % (note.markdown.length + 1))
        .sort((a, b) => a - b) as [number, number];
      const after = note.replaced([{start, end, text}]).toString();
      // What stands before and behind, in the file's own bytes.
      const places = [
        0,
        ...Array.from(before.matchAll(/\r\n|[^]/g), ({0: part, index}) => index + part.length),
      ];
      const [head, tail] = [before.slice(0, places[start]), before.slice(places[end])];
      assert.ok(after.startsWith(head) && after.endsWith(tail) && after.length >= head.length + tail.length);
    }),
    {numRuns: 2000},
  );
});

test('a whole text is what comes out, whatever stood there', () => {
  // A return before an end is one with it.
  const plain = file.map((text) => text.replaceAll('\r', ''));
  fc.assert(
    fc.property(file, plain, (before, wanted) => {
      const note = NoteText.of(before);
      assert.equal(note.replaced(replacementsOf(note.markdown, wanted)).markdown, wanted);
    }),
    {numRuns: 2000},
  );
});
