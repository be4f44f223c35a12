/** `docs/bug-families.md`, read from the tests themselves. */
import {readdirSync, readFileSync} from 'node:fs';
import {acpFamilies, acpFamilyTests} from './acp-families.js';
import {elsewhere} from './elsewhere.js';
import {FAMILIES} from './family.js';

const root = new URL('../../../', import.meta.url);
const folders = ['test/unit/bug-families', 'test/browser/bug-families'];

export interface FamilyTest {
  readonly number: number;
  readonly fact: string;
  readonly file: string;
  /** True while it fails: the defect is known and not mended yet. */
  readonly todo: boolean;
}

const header = `# Bug families

Hermes WebUI's history knows ${FAMILIES} families of bugs. This list says which test of ours holds each, by the fact it proves, or why
none can. Written by \`npm run families\` from the tests of \`test/*/bug-families\`; a test fails when it is out of date.
`;

/** Every test of a family, in the order of files and lines. */
export function familyTests(): readonly FamilyTest[] {
  return folders.flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name.endsWith('.test.ts'))
      .sort()
      .flatMap((name) => testsOf(`${folder}/${name}`)),
  );
}

// A call begins its line, and number and fact are literals: see family.ts.
const call = /^ *family\(\s*(\d+),\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/gm;

function testsOf(file: string): FamilyTest[] {
  const text = readFileSync(new URL(file, root), 'utf8');
  const calls = [...text.matchAll(call)];
  return calls.map(({1: number, 2: single, 3: double = '', index}, n) => {
    const body = text.slice(index, calls[n + 1]?.index);
    return {number: Number(number), fact: single ?? double, file, todo: /\{\s*todo:/.test(body)};
  });
}

/** The document's text. */
export function familyDocument(): string {
  const tests = familyTests();
  const numbers = Array.from({length: FAMILIES}, (_, index) => index + 1);
  return header + numbers.map((number) => section(number, tests)).join('') + acpDocument();
}

const acpHeader = `
# Bug families of ACP clients

The ${acpFamilies.length} families of \`acp.md\`, by the tests whose names begin with their tag. What has none yet is of the gateway's processes.
`;

function acpDocument(): string {
  const tests = acpFamilyTests();
  const sections = acpFamilies.map((about, index) => {
    const facts = linesOf(index + 1, tests);
    const lines = facts.length > 0 ? facts : ['- Not yet.'];
    return `\n## E${index + 1} ${about}\n\n${lines.join('\n')}\n`;
  });
  return acpHeader + sections.join('');
}

function section(number: number, tests: readonly FamilyTest[]): string {
  const facts = linesOf(number, tests);
  const reasons = elsewhere.filter((one) => one.number === number).map(({reason}) => `- ${sentence(reason)}`);
  return `\n## ${number}\n\n${[...facts, ...reasons].join('\n')}\n`;
}

function linesOf(number: number, tests: readonly FamilyTest[]): string[] {
  return tests
    .filter((one) => one.number === number)
    .map(
      ({fact, file, todo}) =>
        `- ${sentence(fact)} \`${file.replace(/^test\//, '')}\`${todo ? ' **(known to fail)**' : ''}`,
    );
}

function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}
