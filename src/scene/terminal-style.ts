/** How a terminal was told to write: the attributes and colours of SGR sequences (ECMA-48 8.3.117, ISO 8613-6). */

/** One of the sixteen colours that a theme names, by number, or a colour of its own as `#rrggbb`. */
export type TerminalColour = number | string;

export interface TerminalStyle {
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  /** Text and ground change places. */
  readonly inverse: boolean;
  readonly colour: TerminalColour | null;
  readonly ground: TerminalColour | null;
  /** The address of an OSC 8 link, as it was given: nobody has looked at it yet. */
  readonly link: string | null;
}

/** As nothing was told. Every style that says nothing is this one. */
export const plainStyle: TerminalStyle = {
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
  colour: null,
  ground: null,
  link: null,
};

/** What one number does, beside colours. Blinking and hidden text are left out: both are against the reader. */
const attributes: Readonly<Record<number, Partial<TerminalStyle>>> = {
  1: {bold: true},
  2: {dim: true},
  3: {italic: true},
  4: {underline: true},
  7: {inverse: true},
  9: {strike: true},
  21: {underline: true},
  22: {bold: false, dim: false},
  23: {italic: false},
  24: {underline: false},
  27: {inverse: false},
  29: {strike: false},
  39: {colour: null},
  49: {ground: null},
};

/** The style after `ESC [ parameters m`. */
export function styled(style: TerminalStyle, parameters: string): TerminalStyle {
  const fields = parameters.split(';');
  let next = style;
  for (let index = 0; index < fields.length; index++) {
    const [number = 0, ...parts] = fields[index]!.split(':').map(Number);
    if (number === 0) next = {...plainStyle, link: style.link};
    else if (number === 38 || number === 48) {
      // Written `38:2::r:g:b` in one field, or `38;2;r;g;b` in several.
      const rest = parts.length > 0 ? parts : fields.slice(index + 1, index + 5).map(Number);
      const [colour, length] = parts.length > 0 ? [colourInField(rest), 0] : colourInFields(rest);
      index += length;
      if (colour !== null) next = {...next, [number === 38 ? 'colour' : 'ground']: colour};
    } else if (number === 4 && parts.length > 0) next = {...next, underline: parts[0] !== 0};
    else next = {...next, ...(attributes[number] ?? namedColour(number))};
  }
  return linked(next, next.link);
}

/** The same style with another link, or none. */
export function linked(style: TerminalStyle, link: string | null): TerminalStyle {
  const next = {...style, link};
  const keys = Object.keys(plainStyle) as (keyof TerminalStyle)[];
  return keys.every((key) => next[key] === plainStyle[key]) ? plainStyle : next;
}

function namedColour(number: number): Partial<TerminalStyle> {
  if (number >= 30 && number <= 37) return {colour: number - 30};
  if (number >= 40 && number <= 47) return {ground: number - 40};
  if (number >= 90 && number <= 97) return {colour: number - 82};
  if (number >= 100 && number <= 107) return {ground: number - 92};
  return {};
}

/** The colour, and how many fields it took. */
function colourInFields([kind, ...values]: readonly number[]): readonly [TerminalColour | null, number] {
  if (kind === 5) return [indexed(values[0] ?? -1), 2];
  if (kind === 2) return [hex(values.slice(0, 3)), 4];
  return [null, 0];
}

function colourInField([kind, ...values]: readonly number[]): TerminalColour | null {
  // A colour space may stand before the three.
  return kind === 5
    ? indexed(values[0] ?? -1)
    : kind === 2
      ? hex(values.slice(values.length > 3 ? 1 : 0, values.length > 3 ? 4 : 3))
      : null;
}

/** One of 256: the sixteen, a cube of 6 × 6 × 6, and 24 greys. */
function indexed(index: number): TerminalColour | null {
  if (!Number.isInteger(index) || index < 0 || index > 255) return null;
  if (index < 16) return index;
  if (index >= 232) return hex([0, 0, 0].map(() => 8 + (index - 232) * 10));
  const cube = index - 16;
  return hex(
    [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => step && 55 + step * 40),
  );
}

function hex(values: readonly number[]): string | null {
  if (values.length < 3 || values.some((value) => !Number.isInteger(value) || value < 0 || value > 255))
    return null;
  return `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
