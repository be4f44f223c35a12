/** What the build tells editors and TSX of the elements: all of the manifest, in forms they read. */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {test} from 'node:test';
import ts from 'typescript';
import {cssData, htmlData, jsxTypes, webTypes} from '../../editor-data.mjs';

interface Named {
  readonly name: string;
}

const manifest = JSON.parse(
  execFileSync(process.execPath, ['test/manifest.mjs', '--print'], {encoding: 'utf8'}),
) as {modules: {declarations: {tagName: string; attributes: Named[]; cssParts?: Named[]}[]}[]};
const elements = manifest.modules.flatMap(({declarations}) => declarations);
const packageJson = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown> &
  Named & {version: string};
const names = (all: readonly Named[] = []) => all.map(({name}) => name);

test('web-types and the data for VS Code name every tag, attribute and part', () => {
  const types = webTypes(manifest, packageJson) as {
    contributions: {html: {elements: (Named & {attributes: Named[]; css: {parts: Named[]}})[]}};
  };
  const {tags} = htmlData(manifest) as {tags: (Named & {attributes: (Named & {values?: Named[]})[]})[]};
  const found = types.contributions.html.elements;
  for (const [index, {tagName, attributes, cssParts}] of elements.entries()) {
    assert.equal(found[index]!.name, tagName);
    assert.equal(tags[index]!.name, tagName);
    assert.deepEqual(names(found[index]!.attributes), names(attributes));
    assert.deepEqual(names(tags[index]!.attributes), names(attributes));
    assert.deepEqual(names(found[index]!.css.parts), names(cssParts));
  }
  const narration = tags
    .find(({name}) => name === 'hermes-turn')!
    .attributes.find(({name}) => name === 'actions')!;
  assert.deepEqual(names(narration.values), ['all', 'none']);
  assert.ok(names(cssData(manifest).properties as Named[]).includes('--hermes-color-text'));
});

test('package.json says where editors find them', () => {
  assert.equal(packageJson['customElements'], 'dist/custom-elements.json');
  assert.equal(packageJson['web-types'], 'dist/web-types.json');
  assert.deepEqual((packageJson['exports'] as Record<string, unknown>)['./jsx'], {types: './dist/jsx.d.ts'});
});

/** A library of JSX, as far as types of tags go. */
const LIBRARY = `declare module 'any-jsx/jsx-runtime' {
  export namespace JSX { interface Element {} interface IntrinsicElements {} interface ElementChildrenAttribute { children: {} } }
}`;

/** What the compiler says of a file of TSX that uses our tags. Needs the types that \`tsc -b\` has written. */
function compiled(tsx: string): readonly string[] {
  const files: Record<string, string> = {
    [resolve('dist/jsx.d.ts')]: jsxTypes(manifest),
    [resolve('dist/any-jsx.d.ts')]: LIBRARY,
    [resolve('dist/page.tsx')]: tsx,
  };
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.ReactJSX,
    jsxImportSource: 'any-jsx',
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const {getSourceFile, fileExists, readFile} = host;
  host.fileExists = (name) => files[resolve(name)] !== undefined || fileExists(name);
  host.readFile = (name) => files[resolve(name)] ?? readFile(name);
  host.getSourceFile = (name, version) => {
    const text = files[resolve(name)];
    return text === undefined ? getSourceFile(name, version) : ts.createSourceFile(name, text, version, true);
  };
  const program = ts.createProgram(Object.keys(files), options, host);
  return [resolve('dist/jsx.d.ts'), resolve('dist/page.tsx')].flatMap((name) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(name))
      .map(({messageText}) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  );
}

const page = (tag: string) => `
import type {HermesElementsJsx} from './jsx.js';
declare module 'any-jsx/jsx-runtime' { namespace JSX { interface IntrinsicElements extends HermesElementsJsx {} } }
export const shown = ${tag};`;

test('in TSX the tags are known, with their attributes, properties and events', () => {
  const tag = `<hermes-session session-id="s1" class="any" ref={(element: unknown) => element}>
    <hermes-transcript mode="answer-only" links images="none" onhermes-turn-settled={({revision}) => revision.toFixed()} />
  </hermes-session>`;
  assert.deepEqual(compiled(page(tag)), []);
});

test('in TSX what an element would not take is an error', () => {
  assert.match(
    compiled(page('<hermes-transcript links="no" />')).join(),
    /'string' is not assignable to type 'boolean/,
  );
  assert.match(compiled(page('<hermes-nothing />')).join(), /hermes-nothing/);
});
