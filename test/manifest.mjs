/**
 * Writes `dist/custom-elements.json`: what the elements offer, read from their source, for editors and documentation; and
 * the same in the forms that editor-data.mjs makes of it.
 * `--print` prints it and writes nothing. See https://github.com/webcomponents/custom-elements-manifest.
 *
 * A description stands once: at its element; at the base class, for what all elements share; at the turn, for what a
 * transcript has because its turns have it. Here each element gets all that it has, and nothing that is not for pages.
 */
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {create, ts} from '@custom-elements-manifest/analyzer';
import {litPlugin} from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';

import {cssData, htmlData, jsxTypes, webTypes} from './editor-data.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => readFileSync(root + path, 'utf8');

/** Tag → class, as define.ts registers them. */
const tags = [...read('src/define.ts').matchAll(/register\('([\w-]+)', (\w+)\)/g)].map(([, tag, name]) => ({
  tag,
  name,
}));

/** Event name → class. */
const events = new Map(
  [...read('src/elements/events.ts').matchAll(/export class (\w+) [^]*?super\('([\w-]+)'/g)].map(
    ([, name, type]) => [type, name],
  ),
);

const files = ['session-element', ...tags.map(({tag}) => tag)].map((name) => `src/elements/${name}.ts`);

/** Only what has no privacy is for pages, and not what it inherits from Lit or marks as internal. */
function isPublic({name, privacy, static: isStatic}) {
  return privacy === undefined && !isStatic && !name.startsWith('#') && !internal.has(name);
}

const internal = new Set(
  files.flatMap((file) =>
    [
      ...read(file).matchAll(/@internal[^/]*\*\/\s*(?:@property\([^)]*\)\s*)?(?:readonly |get |set )*(\w+)/g),
    ].map(([, name]) => name),
  ),
);

const without = (name, facts) => Object.fromEntries(Object.entries(facts).filter(([key]) => key !== name));
const bare = (facts) => without('inheritedFrom', facts);
const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

function declaration(found, {tag}) {
  const {attributes = [], members = [], events: told = []} = found;
  return {
    ...without('superclass', found),
    tagName: tag,
    customElement: true,
    attributes: attributes.map(bare).sort(byName),
    members: members.filter(isPublic).map(bare).sort(byName),
    events: told
      .filter(({name}) => name.startsWith('hermes-'))
      .map((event) => ({...bare(event), type: {text: events.get(event.name) ?? 'Event'}}))
      .sort(byName),
  };
}

/** What pages meet at a transcript because its turns stand in its shadow root. */
function withTurns(transcript, turn) {
  for (const kind of ['events', 'cssParts', 'cssProperties']) {
    const known = new Set(transcript[kind].map(({name}) => name));
    transcript[kind] = [...transcript[kind], ...turn[kind].filter(({name}) => !known.has(name))].sort(byName);
  }
}

/** The manifest, as an object. */
function createManifest() {
  const modules = files.map((file) => ts.createSourceFile(file, read(file), ts.ScriptTarget.ES2022, true));
  const found = create({modules, plugins: litPlugin()}).modules.flatMap(({declarations}) => declarations);
  const declarations = new Map(
    tags.map(({tag, name}) => [
      tag,
      declaration(
        found.find((one) => one.name === name),
        {tag},
      ),
    ]),
  );
  withTurns(declarations.get('hermes-transcript'), declarations.get('hermes-turn'));
  return {
    schemaVersion: '1.0.0',
    readme: 'README.md',
    modules: [
      ...tags.map(({tag, name}) => ({
        kind: 'javascript-module',
        path: `dist/elements/${tag}.js`,
        declarations: [declarations.get(tag)],
        exports: [{kind: 'js', name, declaration: {name, module: `dist/elements/${tag}.js`}}],
      })),
      {
        kind: 'javascript-module',
        path: 'dist/define.js',
        declarations: [],
        exports: tags.map(({tag, name}) => ({
          kind: 'custom-element-definition',
          name: tag,
          declaration: {name, module: `dist/elements/${tag}.js`},
        })),
      },
    ],
  };
}

const manifest = createManifest();
const json = (data) => `${JSON.stringify(data, null, 2)}\n`;
const written = {
  'custom-elements.json': json(manifest),
  'web-types.json': json(webTypes(manifest, JSON.parse(read('package.json')))),
  'vscode.html-custom-data.json': json(htmlData(manifest)),
  'vscode.css-custom-data.json': json(cssData(manifest)),
  'jsx.d.ts': jsxTypes(manifest),
};
if (process.argv.includes('--print')) process.stdout.write(json(manifest));
else {
  mkdirSync(`${root}dist`, {recursive: true});
  for (const [name, text] of Object.entries(written)) writeFileSync(`${root}dist/${name}`, text);
}
