/** The examples of both specifications. */
import {readFileSync} from 'node:fs';
import type {SpecExample} from './spec-example.js';

const read = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../fixtures/markdown/${name}.json`, import.meta.url), 'utf8'),
  ) as SpecExample[];

export const commonMark = read('commonmark-0.31.2');
export const gfm = read('gfm-0.29');

/** The same HTML for the same document: white space around blocks and the order of attributes say nothing. */
export function comparable(html: string): string {
  return html
    .replace(/<input[^>]*>/g, (input) => `<input${input.includes('checked') ? ' checked' : ''}>`)
    .replace(/>\s*\n\s*/g, '>')
    .replace(/\s*\n\s*</g, '<')
    .replace(/>\s+<(table|tr|td|pre|\/table)/g, '><$1')
    .trim();
}

export {exceptions, type SpecExample} from './spec-example.js';
