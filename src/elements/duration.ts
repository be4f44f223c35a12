import {numeral} from './language.js';

/** Lengths of time in few characters: `340 ms`, `4.2 s`, `12 s`, `3 min 5 s`, `2 h 14 min`; the numbers as in that language, the units as everywhere. */
export function duration(ms: number, language?: string): string {
  const said = (value: number, unit: string) => `${numeral(value, language)} ${unit}`;
  const both = (large: string, small: number, unit: string) =>
    small ? `${large} ${said(small, unit)}` : large;
  if (ms < 1000) return said(Math.round(ms), 'ms');
  if (ms < 9_950) return said(ms / 1000, 's');
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return said(seconds, 's');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return both(said(minutes, 'min'), seconds % 60, 's');
  return both(said(Math.floor(minutes / 60), 'h'), minutes % 60, 'min');
}

/** Time that is left, such as `0:42` or `1:05:00`; a second that has begun counts. */
export function countdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
