/**
 * The bug families of ACP clients, E1 to E41, and the tests that hold them: any test whose name begins with their tags,
 * such as `test('E24 E25 an agent that …')`, wherever it stands.
 */
import {readdirSync, readFileSync} from 'node:fs';
import type {FamilyTest} from './document.js';

const root = new URL('../../../', import.meta.url);
const folders = ['test/unit', 'test/browser'];

/** What each is about, in the words of the reference. */
export const acpFamilies: readonly string[] = [
  'Updates after the answer to a prompt',
  'Full text sent again as one chunk',
  'The prompt comes back live',
  'No message ids: replies merge',
  'An update for an unknown call',
  'The content of an update replaces',
  'A permission whose id is no call',
  'Ids of permission requests begin anew',
  'Two permissions for one call',
  'A permission without title, kind or input',
  'A cancel leaves a permission pending',
  'A permission is cancelled while the reader is away',
  'A timeout answered as cancelled',
  'Tool cards that spin for ever',
  'The process dies in the middle of a prompt',
  'The agent exits with 0 and has not answered',
  'A dead connection is used again',
  'A prompt that never settles',
  'Lines on stdout that are no JSON',
  'Garbage fed to the agent',
  'Characters cut in two',
  'Long lines',
  'stderr is never drained',
  'The wrapper is killed, the agent lives on',
  'The agent ignores the end of its input',
  'A program that cannot be started',
  'Updates before the answer to session/new',
  'The replay of a load taken for new',
  'A resume that replays',
  'A lost session reported as success',
  'A second prompt while busy',
  'A cancel that hits the wrong turn, or none',
  'A cancel without effect after a load',
  'A session wedged after a cancel',
  'Unknown requests of the agent are ignored',
  'The permission of a child session',
  'A message between turns',
  'Closed enumerations',
  'A field that is misread',
  'Probes fill stderr',
  'The agent updates itself in a turn',
];

// A name is a literal; also one in a table of cases, where it begins a line.
const name =
  /^ *(?:(?:void |await )?test\(\s*)?(?:for \(const .* of \[)?\[?(['"`])((?:E\d+ )+)((?:(?!\1)[^\\\n]|\\.)+)\1/gm;
const more = /, (['"`])((?:E\d+ )+)((?:(?!\1)[^\\\n]|\\.)+)\1/g;

/** Every test with a tag of these families, in the order of files and lines. */
export function acpFamilyTests(): readonly FamilyTest[] {
  return folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), {recursive: true, encoding: 'utf8'})
      .filter((file) => file.endsWith('.test.ts'))
      .sort()
      .flatMap((file) => testsOf(`${folder}/${file}`)),
  );
}

function testsOf(file: string): FamilyTest[] {
  const text = readFileSync(new URL(file, root), 'utf8');
  if (!/['"`]E\d+ /.test(text)) return [];
  const found = text.split('\n').flatMap((line) => [...line.matchAll(name), ...line.matchAll(more)]);
  return found.flatMap(({2: tags = '', 3: fact = ''}) =>
    tags
      .trim()
      .split(' ')
      .map((tag) => ({number: Number(tag.slice(1)), fact: plain(fact), file, todo: false})),
  );
}

// What a template fills in differs from case to case.
function plain(fact: string): string {
  return fact.replace(/\$\{[^}]*\}/g, '…').replace(/\\(.)/g, '$1');
}
