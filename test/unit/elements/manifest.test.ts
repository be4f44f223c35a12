/** What the elements offer, read from their source by other means than the analyzer's, is what the manifest says; nothing else is. */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import ts from 'typescript';

interface Named {
  readonly name: string;
  readonly description?: string;
  readonly type?: {readonly text: string};
}

type Kind = 'attributes' | 'members' | 'events' | 'slots' | 'cssParts' | 'cssStates' | 'cssProperties';

type Declaration = Readonly<Partial<Record<Kind, readonly Named[]>>> & {
  readonly name: string;
  readonly tagName: string;
  readonly description: string;
};

/** By their names, those of a folder behind it. */
const sources = new Map(
  readdirSync('src/elements', {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => [name.slice(0, -'.ts'.length), readFileSync(`src/elements/${name}`, 'utf8')] as const),
);
const source = (name: string) => sources.get(name) ?? '';

const manifest = JSON.parse(
  execFileSync(process.execPath, ['test/manifest.mjs', '--print'], {encoding: 'utf8'}),
) as {modules: {path: string; declarations: Declaration[]}[]};
const elements = manifest.modules.flatMap(({declarations}) => declarations);

const names = (element: Declaration, kind: Kind) => (element[kind] ?? []).map(({name}) => name).sort();
const sorted = (all: Iterable<string>) => [...new Set(all)].sort();
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** The public members of the class in a file, and the attributes its decorators make. */
function membersOf(file: string): {members: string[]; attributes: string[]} {
  const tree = ts.createSourceFile(file, source(file), ts.ScriptTarget.ES2022, true);
  const found = tree.statements.filter(ts.isClassDeclaration).flatMap(({members}) => [...members]);
  const open = found.filter(
    (member) =>
      member.name !== undefined &&
      !ts.isPrivateIdentifier(member.name) &&
      !ts.getJSDocTags(member).some(({tagName}) => tagName.text === 'internal') &&
      !(ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : []).some(({kind}) =>
        [
          ts.SyntaxKind.PrivateKeyword,
          ts.SyntaxKind.ProtectedKeyword,
          ts.SyntaxKind.StaticKeyword,
          ts.SyntaxKind.OverrideKeyword,
        ].includes(kind),
      ),
  );
  const attributes = open.flatMap((member) => {
    const decorator = (ts.canHaveDecorators(member) ? ts.getDecorators(member) : undefined)?.[0]?.getText();
    if (!decorator?.startsWith('@property') || /attribute: false/.test(decorator)) return [];
    return [/attribute: '([\w-]+)'/.exec(decorator)?.[1] ?? member.name!.getText().toLowerCase()];
  });
  return {members: open.map((member) => member.name!.getText()), attributes};
}

const shared = membersOf('session-element');

/** Which events the code dispatches: those of the base class by every element, the others where rows are drawn. */
const eventNames = new Map(
  [...source('events').matchAll(/export class (\w+) [^]*?super\('([\w-]+)'/g)].map(([, name, type]) => [
    name!,
    type!,
  ]),
);
const dispatched = (text: string) =>
  found(text, /new (Hermes\w+Event)\(/g).map((name) => eventNames.get(name)!);
/** What is written with is no part of what is read. */
const panel =
  /^(?:hermes-composer|hermes-runtime-picker|composer-styles|runtime-picker-styles|panel-styles)$/;
const reading = [...sources].filter(([name]) => !panel.test(name));
const everywhere = reading.map(([, text]) => text).join('\n');

const rowTypes = found(readFileSync('src/scene/row.ts', 'utf8'), /readonly type: '([\w-]+)'/g);

/** Parts named in templates, where `${partOf(row)}` is the row's type, and by hand. */
const parts = (text: string) =>
  [...found(text, /\bpart="([^"]*)"/g), ...found(text, /\.setAttribute\('part', '([\w-]+)'/g)]
    .flatMap((words) => words.replace('${partOf(row)}', `${rowTypes.join(' ')} approval`).split(/\s+/))
    .filter((word) => word !== '');

const slots = (tag: string) => found(source(tag), /<slot(?: name="([\w-]+)")?/g);
const properties = (text: string) => found(text, /var\(\s*(--hermes-[\w-]+)/g);
const [turnStyles, transcriptStyles] = [source('turn-styles'), source('styles')];

/** What stands in turns, wherever those stand. */
const drawn = reading
  .filter(([name]) => !['hermes-transcript', 'earlier', 'find/find-bar'].includes(name))
  .map(([, text]) => text)
  .join('\n');
const expected: Record<string, Partial<Record<Kind, readonly string[]>>> = {
  'hermes-session': {events: dispatched(source('session-element'))},
  'hermes-transcript': {
    events: dispatched(everywhere),
    cssParts: parts(everywhere),
    cssProperties: properties(turnStyles + transcriptStyles),
  },
  'hermes-turn': {
    events: dispatched(everywhere),
    cssParts: parts(drawn),
    cssProperties: properties(turnStyles),
    cssStates: ['running', 'settled', 'restoring', 'error'],
  },
  'hermes-composer': {
    events: dispatched(source('session-element') + source('hermes-composer')),
    cssParts: parts(source('hermes-composer')),
    cssProperties: properties(source('panel-styles') + source('composer-styles')),
    cssStates: ['running'],
  },
  'hermes-runtime-picker': {
    events: dispatched(source('session-element') + source('hermes-runtime-picker')),
    cssParts: parts(source('hermes-runtime-picker')),
    cssProperties: properties(source('panel-styles') + source('runtime-picker-styles')),
  },
};

/** Attributes an element sets for the page to read. */
const told: Record<string, readonly string[]> = {'hermes-turn': ['data-turn-id']};

test('every registered element is described, and no other', () => {
  const registered = found(readFileSync('src/define.ts', 'utf8'), /register\('([\w-]+)'/g);
  assert.deepEqual(elements.map(({tagName}) => tagName).sort(), registered.sort());
});

for (const element of elements) {
  const {tagName} = element;
  const own = membersOf(tagName);
  const facts = {
    attributes: [...shared.attributes, ...own.attributes, ...(told[tagName] ?? [])],
    members: [...shared.members, ...own.members],
    slots: slots(tagName),
    ...expected[tagName],
  };
  for (const kind of [
    'attributes',
    'members',
    'events',
    'slots',
    'cssParts',
    'cssStates',
    'cssProperties',
  ] as const) {
    test(`<${tagName}>: ${kind} are those of the source`, () => {
      assert.deepEqual(names(element, kind), sorted(facts[kind] ?? []));
    });

    test(`<${tagName}>: every one of its ${kind} has a sentence`, () => {
      assert.deepEqual(
        (element[kind] ?? []).filter(({description}) => !description).map(({name}) => name),
        [],
      );
    });
  }

  test(`<${tagName}>: every event has its class`, () => {
    for (const {name, type} of element.events ?? []) assert.equal(eventNames.get(type!.text), name);
  });
}

test('the README names every part and event, and no other event', () => {
  const readme = readFileSync('README.md', 'utf8');
  const told = new Set(found(readme, /`([\w-]+)`/g));
  const all = (kind: Kind) => sorted(elements.flatMap((element) => names(element, kind)));
  assert.deepEqual(
    [...all('cssParts'), ...all('events')].filter((name) => !told.has(name)),
    [],
  );
  assert.deepEqual(sorted(found(readme, /^\| `(hermes-[\w-]+)` \|/gm)), all('events'));
});
