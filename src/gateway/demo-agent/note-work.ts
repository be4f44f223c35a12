/** Work on a note that needs no model: a summary, a to-do list, contents, headings in another language. */
import {headingOf, headings, mapText, textLines} from './markdown-text.js';

/** A summary as Markdown: how long the note is, and the first sentence of each part. */
export function summary(title: string, markdown: string): string {
  const words = wordCount(markdown);
  const minutes = Math.max(1, Math.round(words / 200));
  const head = `**${title}** has ${words} ${words === 1 ? 'word' : 'words'}, about ${minutes} min to read.`;
  const points = sections(markdown)
    .map(({name, first}) => `- ${name === null || name === title ? '' : `**${name}**: `}${first}`)
    .slice(0, 12);
  const {open, done} = tasks(markdown);
  const state = open + done > 0 ? `\n\n${done} of ${open + done} tasks are done.` : '';
  return points.length > 0
    ? `${head}\n\n${points.join('\n')}${state}`
    : `${head} It has no sentences yet.${state}`;
}

function wordCount(markdown: string): number {
  return markdown.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu)?.length ?? 0;
}

interface Section {
  readonly name: string | null;
  readonly first: string;
}

function sections(markdown: string): readonly Section[] {
  const found: {name: string | null; text: string[]}[] = [{name: null, text: []}];
  for (const line of textLines(markdown)) {
    const heading = headingOf(line);
    if (heading) found.push({name: heading.text, text: []});
    else if (line.trim() !== '') found.at(-1)?.text.push(plain(line));
  }
  return found
    .filter(({text}) => text.length > 0)
    .map(({name, text}) => ({name, first: firstSentence(text.join(' '))}));
}

const itemMark = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/;

/** A line without its mark; an item of a list is a sentence. */
function plain(line: string): string {
  const text = line
    .replace(itemMark, '')
    .replace(/^\s*>\s?/, '')
    .trim();
  return itemMark.test(line) && !/[.!?…]$/.test(text) ? `${text}.` : text;
}

function firstSentence(text: string): string {
  const [sentence = text] = /^.*?[.!?…。](?=\s|$)/.exec(text) ?? [text];
  return sentence.length <= 160 ? sentence : `${sentence.slice(0, 157).trimEnd()}…`;
}

/** How many tasks are open and done. */
export function tasks(markdown: string): {readonly open: number; readonly done: number} {
  const lines = textLines(markdown);
  const count = (box: RegExp) => lines.filter((line) => box.test(line)).length;
  return {open: count(/^\s*[-*+] \[ \] /), done: count(/^\s*[-*+] \[[xX]\] /)};
}

const TODO = '## To do';
const duty =
  /\b(?:TODO:?|(?:we|I|you|they|somebody|someone)?\s*(?:still )?(?:need|have|ought) to|must|should|remember to|don[’']?t forget to|let[’']s)\s+([^.!?;\n]{3,90})/gi;

export interface TodoList {
  readonly markdown: string;
  readonly added: readonly string[];
}

/** The note with a list of what it says is to be done; what stands in such a list already is left out. */
export function withTodo(markdown: string): TodoList {
  const prose = textLines(markdown).filter((line) => !headingOf(line) && !/^\s*[-*+] \[/.test(line));
  const found = prose.flatMap((line) => [...line.matchAll(duty)].map(([, duty = '']) => sentence(duty)));
  const known = markdown.toLowerCase();
  const added = [...new Set(found)].filter((task) => !known.includes(`] ${task.toLowerCase()}`));
  if (added.length === 0) return {markdown, added};
  const list = added.map((task) => `- [ ] ${task}`).join('\n');
  return {markdown: underTodo(markdown, list), added};
}

function underTodo(markdown: string, list: string): string {
  const lines = markdown.trimEnd().split('\n');
  const at = lines.findIndex((line) => /^##\s+to[ -]?do\b/i.test(line));
  if (at === -1) return `${lines.join('\n')}\n\n${TODO}\n\n${list}\n`;
  const next = lines.findIndex((line, index) => index > at && headingOf(line) !== null);
  const end = next === -1 ? lines.length : next;
  const before = lines.slice(0, end).join('\n').trimEnd();
  const gap = /^\s*[-*+] /.test(before.split('\n').at(-1) ?? '') ? '\n' : '\n\n';
  const after = lines.slice(end).join('\n');
  return `${before}${gap}${list}\n${after === '' ? '' : `\n${after}\n`}`;
}

function sentence(text: string): string {
  const trimmed = text.trim().replace(/[,:]+$/, '');
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
}

const CONTENTS = '## Contents';

/** The note with a list of its headings below its title, in place of an older one; null without headings to list. */
export function withContents(markdown: string): string | null {
  const without = markdown.replace(/^## Contents\n+(?:\s*- \[.*\n?)+\n*/m, '');
  const listed = headings(without).filter(({level}) => level > 1 && level < 5);
  if (listed.length === 0) return null;
  const items = listed.map(({level, text}) => `${'  '.repeat(level - 2)}- [${text}](#${anchor(text)})`);
  const list = `${CONTENTS}\n\n${items.join('\n')}\n`;
  const title = /^# .*\n+/m.exec(without);
  const at = title ? title.index + title[0].length : 0;
  return `${without.slice(0, at)}${list}\n${without.slice(at)}`;
}

function anchor(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

const languages = ['german', 'french', 'spanish'] as const;
export type Language = (typeof languages)[number];

/** The language that a prompt names, in English or in its own word. */
export function languageIn(prompt: string): Language | null {
  const own = {
    german: /german|deutsch/i,
    french: /french|français|francais/i,
    spanish: /spanish|español|espanol/i,
  };
  return languages.find((language) => own[language].test(prompt)) ?? null;
}

const dictionary: Readonly<Record<string, readonly [string, string, string]>> = {
  agenda: ['Tagesordnung', 'Ordre du jour', 'Orden del día'],
  background: ['Hintergrund', 'Contexte', 'Contexto'],
  conclusion: ['Fazit', 'Conclusion', 'Conclusión'],
  contents: ['Inhalt', 'Sommaire', 'Contenido'],
  decisions: ['Entscheidungen', 'Décisions', 'Decisiones'],
  examples: ['Beispiele', 'Exemples', 'Ejemplos'],
  goals: ['Ziele', 'Objectifs', 'Objetivos'],
  ideas: ['Ideen', 'Idées', 'Ideas'],
  ingredients: ['Zutaten', 'Ingrédients', 'Ingredientes'],
  introduction: ['Einleitung', 'Introduction', 'Introducción'],
  links: ['Links', 'Liens', 'Enlaces'],
  'meeting notes': ['Besprechungsnotizen', 'Compte rendu', 'Notas de la reunión'],
  'next steps': ['Nächste Schritte', 'Prochaines étapes', 'Próximos pasos'],
  notes: ['Notizen', 'Notes', 'Notas'],
  overview: ['Überblick', 'Aperçu', 'Resumen general'],
  plan: ['Plan', 'Plan', 'Plan'],
  problem: ['Problem', 'Problème', 'Problema'],
  questions: ['Fragen', 'Questions', 'Preguntas'],
  'reading list': ['Leseliste', 'Liste de lecture', 'Lista de lectura'],
  recipe: ['Rezept', 'Recette', 'Receta'],
  solution: ['Lösung', 'Solution', 'Solución'],
  summary: ['Zusammenfassung', 'Résumé', 'Resumen'],
  'to do': ['Aufgaben', 'À faire', 'Por hacer'],
  welcome: ['Willkommen', 'Bienvenue', 'Bienvenido'],
};

export interface TranslatedHeadings {
  readonly markdown: string;
  readonly done: number;
  /** Headings whose words are not in the small dictionary. */
  readonly unknown: readonly string[];
}

export function translateHeadings(markdown: string, language: Language): TranslatedHeadings {
  let done = 0;
  const unknown: string[] = [];
  const translated = mapText(markdown, (line) => {
    const heading = headingOf(line);
    if (!heading) return line;
    const word = dictionary[heading.text.toLowerCase()]?.[languages.indexOf(language)];
    if (word === undefined) unknown.push(heading.text);
    else if (word !== heading.text) done++;
    return word === undefined ? line : `${'#'.repeat(heading.level)} ${word}`;
  });
  return {markdown: translated, done, unknown};
}
