import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {plainStyle} from '../../../src/scene/terminal-style.js';
import {plainText, PlainLines, TerminalLines} from '../../../src/scene/terminal-text.js';

const E = '\x1b';

function written(...pieces: readonly string[]): TerminalLines {
  const lines = new TerminalLines();
  for (const piece of pieces) lines.write(piece);
  return lines;
}

/** Spans as `text{what is told of it}`. */
function sketch(text: string): string {
  const {lines, tail} = written(text);
  return [...lines, tail]
    .map((line) =>
      line
        .map(({text, style}) => {
          const told = Object.entries(style)
            .filter(([key, value]) => value !== plainStyle[key as keyof typeof plainStyle])
            .map(([key, value]) => (value === true ? key : `${key} ${value}`));
          return told.length > 0 ? `${text}{${told.join(', ')}}` : text;
        })
        .join('|'),
    )
    .join('\n');
}

const screens: Record<string, readonly [text: string, shown: string]> = {
  'plain text': ['one\ntwo\n', 'one\ntwo\n'],
  'lines of another system': ['one\r\ntwo\r\n', 'one\ntwo\n'],
  'a progress bar ends as one line': ['10 %\r50 %\r100 %\nDone', '100 %\nDone'],
  'what a shorter line leaves of a longer one': ['Loading\rDone', 'Doneing'],
  'erase to the end': [`Loading\rDone${E}[K`, 'Done'],
  'erase the whole line': [`Loading${E}[2K\rDone`, 'Done'],
  'erase to the begin': [`Loading${E}[1K`, '       '],
  'erase first, then write': [`Loading\r${E}[KDone`, 'Done'],
  'a backspace': ['ab\bc', 'ac'],
  'a backspace at the begin': ['\b\ba', 'a'],
  'a spinner': ['|\b/\b-\b\\\b \bok', 'ok'],
  'a move to a column': [`12345${E}[1Gab${E}[5Gx`, 'ab34x'],
  'moves to and fro': [`abc${E}[2Dx${E}[Cy`, 'axcy'],
  'a move beyond the end is bounded': [`${E}[99999Cx`, `${' '.repeat(120)}x`],
  'characters of two units and with marks are one column': ['😀e\u0301z\rab', 'abz'],
  'moves across lines, titles and modes are dropped': [
    `${E}[2J${E}[H${E}]0;title\x07a${E}[3Ab${E}[?25l${E}(B${E}=c\x07${E}P+q544e${E}\\d`,
    'abcd',
  ],
  'a text that never ends swallows no line': [`a${E}]0;title\nb`, 'a0;title\nb'],
  'an endless sequence is cut': [`a${E}[${'1;'.repeat(100)}mb`, `a${'1;'.repeat(69)}mb`],
};

for (const [name, [text, shown]] of Object.entries(screens)) {
  test(`a terminal shows ${name}`, () => assert.equal(plainText(written(text)), shown));
}

const styles: Record<string, readonly [text: string, shown: string]> = {
  'a colour and its end': [`${E}[31mred${E}[0m plain${E}[m`, 'red{colour 1}| plain'],
  'bright ones': [`${E}[93ma${E}[104mb`, 'a{colour 11}|b{colour 11, ground 12}'],
  'one of 256': [
    `${E}[38;5;9ma${E}[38;5;196mb${E}[48;5;244mc`,
    'a{colour 9}|b{colour #ff0000}|c{colour #ff0000, ground #808080}',
  ],
  'any colour': [`${E}[38;2;1;2;255;1ma`, 'a{bold, colour #0102ff}'],
  'any colour, in one field': [
    `${E}[38:2::1:2:255ma${E}[48:2:0:0:0mb`,
    'a{colour #0102ff}|b{colour #0102ff, ground #000000}',
  ],
  'a colour that is none': [`${E}[38;2;999;0;0ma${E}[38;5;300mb`, 'ab'],
  attributes: [
    `${E}[1;2;3;4;7;9ma${E}[22;23;24;27;29mb`,
    'a{bold, dim, italic, underline, strike, inverse}|b',
  ],
  'a curly line, and none': [`${E}[4:3ma${E}[4:0mb`, 'a{underline}|b'],
  'hidden text is shown': [`${E}[8msecret`, 'secret'],
  'a link': [
    `${E}]8;id=1;https://a.example${E}\\here${E}]8;;\x07 there`,
    'here{link https://a.example}| there',
  ],
  'a link outlives a reset': [`${E}]8;;a:b\x07${E}[1mx${E}[0my`, 'x{bold, link a:b}|y{link a:b}'],
  'colours go on in the next line': [`${E}[32ma\nb`, 'a{colour 2}\nb{colour 2}'],
  'colours of what is written over': [`${E}[31mred\r${E}[32mg`, 'g{colour 2}|ed{colour 1}'],
};

for (const [name, [text, shown]] of Object.entries(styles)) {
  test(`a terminal colours ${name}`, () => assert.equal(sketch(text), shown));
}

const bits = fc.constantFrom(
  ...['a', 'bc', ' ', '\n', '\r', '\b', '\t', E, '[', ']', ';', ':', 'm', 'K', '\x07', '\\', '\0'],
  ...[
    '😀',
    '\u0301',
    '漢',
    `${E}[31m`,
    `${E}[38;2;1;2;3m`,
    `${E}[0m`,
    `${E}[K`,
    `${E}[2K`,
    `${E}[1G`,
    `${E}[2D`,
    `${E}[40C`,
  ],
  ...[`${E}]8;;https://a.example\x07`, `${E}]8;;${E}\\`, `${E}]0;t`],
);
const outputs = fc.oneof(
  fc.array(bits, {maxLength: 60}).map((all) => all.join('')),
  fc.string({unit: 'binary', maxLength: 60}),
);

test('text cut anywhere is the whole text', () => {
  fc.assert(
    fc.property(outputs, fc.array(fc.nat(200), {maxLength: 6}), (text, cuts) => {
      const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
      const [whole, cut] = [written(text), written(...pieces)];
      assert.deepEqual([cut.lines, cut.tail], [whole.lines, whole.tail]);
      const each = written(...text.split(''));
      assert.deepEqual([each.lines, each.tail], [whole.lines, whole.tail]);
    }),
    {numRuns: 1000},
  );
});

test('text without sequences comes out as it went in', () => {
  fc.assert(
    fc.property(fc.string({unit: 'grapheme'}), (text) => {
      const plain = text.replace(/[\p{Cc}]/gu, '\n');
      assert.equal(plainText(written(plain)), plain);
      const lines = new PlainLines();
      lines.write(plain);
      assert.equal(plainText(lines), plain);
    }),
  );
});

test('a line that is over stays the same', () => {
  const lines = written('one\ntw');
  const [first] = lines.lines;
  lines.write('o\r\nthree');
  assert.equal(lines.lines[0], first);
  assert.equal(plainText(lines), 'one\ntwo\nthree');
});

test('time grows with the text, whatever is in it', () => {
  const nasty = [
    `${E}[31mx`,
    `${E}[`,
    `${E}]8;;`,
    'x\b',
    'xy\r',
    `${E}[200Cx\n`,
    'e\u0301\b',
    `x${E}[1G`,
    `x${E}[1K`,
    `${E}[K\r`,
    '\b',
    'x',
  ];
  for (const unit of nasty) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    const start = performance.now();
    written(text);
    const took = performance.now() - start;
    // On a busy machine too; what is quadratic takes many times that.
    assert.ok(took < 5000, `${JSON.stringify(unit)}: ${took} ms`);
  }
});
