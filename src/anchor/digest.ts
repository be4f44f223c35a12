/**
 * The digest of a turn: FNV-1a 64 over the UTF-8 of its RFC 8785 JSON, 16 hex digits (law 15). Two pages that show the
 * same turn have the same digest, however each came to it. Computed when asked.
 */
import type {Json} from './json.js';
import type {TurnJson} from './snapshot.js';

/** The digest of a turn as `hermes.transcript.v1` has it, without `stats`, `applied`, `cursor` and `resume`. */
export function digest(turn: TurnJson): string {
  const {stats: _stats, applied: _applied, cursor: _cursor, resume: _resume, ...value} = turn;
  return fnv1a64(canonicalJson(value as unknown as Json));
}

/** RFC 8785: keys sorted by UTF-16 units, numbers as ECMAScript prints them, no white space. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const object = value as Readonly<Record<string, Json>>;
  const members = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key]!)}`);
  return `{${members.join(',')}}`;
}

/** FNV-1a with 64 bits over the UTF-8 of a text. A lone surrogate counts as U+FFFD. */
export function fnv1a64(text: string): string {
  // Two 32-bit halves: BigInt arithmetic is ten times slower here.
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  const mix = (byte: number) => {
    low = (low ^ byte) >>> 0;
    // × 0x100000001b3 = × 2^40 + × 0x1b3
    const product = low * 0x1b3;
    const carried = high * 0x1b3 + Math.floor(product / 2 ** 32) + ((low << 8) >>> 0);
    low = product >>> 0;
    high = carried >>> 0;
  };
  for (const character of text) for (const byte of utf8(character.codePointAt(0)!)) mix(byte);
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

function utf8(point: number): readonly number[] {
  if (point >= 0xd800 && point <= 0xdfff) return [0xef, 0xbf, 0xbd];
  if (point < 0x80) return [point];
  if (point < 0x800) return [0xc0 | (point >> 6), tail(point, 0)];
  if (point < 0x10000) return [0xe0 | (point >> 12), tail(point, 6), tail(point, 0)];
  return [0xf0 | (point >> 18), tail(point, 12), tail(point, 6), tail(point, 0)];
}

function tail(point: number, shift: number): number {
  return 0x80 | ((point >> shift) & 0x3f);
}
