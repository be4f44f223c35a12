/** Tidying: spaces, list marks and well-known misspellings. No model: everything it does is in this file. */
import {mapText, mapWords} from './markdown-text.js';

export interface Tidied {
  readonly markdown: string;
  /** What was done, in words: `3 spellings (“teh” …)`. Empty when nothing was. */
  readonly fixes: readonly string[];
}

const spellings: Readonly<Record<string, string>> = {
  accomodate: 'accommodate',
  acheive: 'achieve',
  adress: 'address',
  alot: 'a lot',
  begining: 'beginning',
  beleive: 'believe',
  calender: 'calendar',
  comming: 'coming',
  commited: 'committed',
  definately: 'definitely',
  dont: 'don’t',
  doesnt: 'doesn’t',
  enviroment: 'environment',
  existance: 'existence',
  finaly: 'finally',
  foward: 'forward',
  goverment: 'government',
  happend: 'happened',
  independant: 'independent',
  knowlege: 'knowledge',
  maintainance: 'maintenance',
  neccessary: 'necessary',
  occured: 'occurred',
  occassion: 'occasion',
  prefered: 'preferred',
  publically: 'publicly',
  recieve: 'receive',
  recieved: 'received',
  recomend: 'recommend',
  refered: 'referred',
  seperate: 'separate',
  succesful: 'successful',
  taht: 'that',
  teh: 'the',
  thier: 'their',
  tommorow: 'tomorrow',
  tomorow: 'tomorrow',
  untill: 'until',
  wich: 'which',
  writting: 'writing',
};
const misspelled = new RegExp(`\\b(${Object.keys(spellings).join('|')})\\b`, 'gi');

export function tidy(markdown: string): Tidied {
  const words = new Set<string>();
  const counts = {spelling: 0, space: 0, mark: 0, heading: 0};
  const count = (kind: keyof typeof counts, before: string, after: string) => {
    if (before !== after) counts[kind]++;
    return after;
  };
  const spell = (text: string) =>
    text.replace(misspelled, (word) => {
      counts.spelling++;
      words.add(word);
      return withCase(word, spellings[word.toLowerCase()] ?? word);
    });
  const lines = mapText(markdown, (line) => {
    const heading = count('heading', line, line.replace(/^(#{1,6})(?=[^#\s])/, '$1 '));
    const marked = count(
      'mark',
      heading,
      heading.replace(/^(\s*)[*+](?=\s+\S)/, '$1-').replace(/^(\s*-)(?=\[[ xX]\])/, '$1 '),
    );
    // Two spaces at the end are a line break; more, or one, are nothing.
    const ended = marked.replace(/[ \t]+$/, (spaces) =>
      spaces === '  ' && marked.trim() !== '' ? spaces : '',
    );
    const spaced = count(
      'space',
      marked,
      mapWords(ended, (text) => text.replace(/(\S) {2,}(?=\S)/g, '$1 ')),
    );
    return mapWords(spaced, spell);
  });
  const joined = lines.replace(/\n{4,}/g, '\n\n\n').replace(/\s*$/, '\n');
  const blank = count('space', lines, joined);
  const fixes = [
    some(counts.spelling, 'spelling', [...words].map((word) => `“${word}”`).join(', ')),
    some(counts.heading, 'heading'),
    some(counts.mark, 'list mark'),
    some(
      counts.space,
      'place with too much or too little space',
      '',
      'places with too much or too little space',
    ),
  ].filter((fix) => fix !== null);
  return {markdown: blank, fixes};
}

function some(count: number, one: string, which = '', many = `${one}s`): string | null {
  if (count === 0) return null;
  return `${count} ${count === 1 ? one : many}${which && ` (${which})`}`;
}

function withCase(word: string, right: string): string {
  if (word === word.toUpperCase()) return right.toUpperCase();
  const first = word.charAt(0);
  return first === first.toUpperCase() ? right.charAt(0).toUpperCase() + right.slice(1) : right;
}
