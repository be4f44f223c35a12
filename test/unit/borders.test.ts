/** Which folder of src/ may import which, and what platform it knows: held by the compiler, proved by probes. */
import assert from 'node:assert/strict';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import ts from 'typescript';

const src = fileURLToPath(new URL('../../src', import.meta.url));

const table: Record<string, readonly string[]> = {
  anchor: [],
  scene: ['anchor'],
  protocol: [],
  adapters: ['protocol', 'anchor'],
  transport: ['protocol'],
  session: ['transport', 'adapters', 'anchor', 'protocol'],
  markdown: [],
  elements: ['session', 'scene', 'markdown', 'anchor'],
  // gateway/settled.ts alone folds; lint keeps the two from the rest of the folder.
  gateway: ['protocol', 'anchor', 'adapters'],
  cli: ['anchor', 'scene', 'protocol', 'adapters', 'transport', 'session', 'markdown', 'gateway'],
};

const pure = ['anchor', 'scene', 'protocol', 'adapters', 'markdown'];
const inNode = ['gateway', 'cli'];
const folders = Object.keys(table).filter((folder) => existsSync(join(src, folder, 'tsconfig.json')));

test('every folder of src has its place in the table', () => {
  const there = readdirSync(src, {withFileTypes: true}).filter((entry) => entry.isDirectory());
  assert.deepEqual(
    there.map(({name}) => name).filter((name) => !(name in table)),
    [],
  );
});

for (const folder of folders) {
  const config = configOf(folder);

  test(`${folder} refers to the folders it may import, and to no other`, () => {
    const granted = table[folder]?.filter((name) => folders.includes(name)) ?? [];
    assert.deepEqual(referredBy(config).sort(), [...granted].sort());
  });

  test(`the compiler refuses ${folder} what it may not import`, () => {
    // A folder behind a granted one is open to the compiler; the last test below and lint close it.
    const open = behind(folder);
    const closed = folders.filter((name) => name !== folder && !open.has(name));
    const refused = refusals(
      folder,
      closed.map((name) => `import * as ${name} from '../${name}/index.js';`),
    );
    assert.deepEqual(
      refused,
      closed.map((_, line) => line),
    );
  });

  test(`${folder} knows its own platform only`, () => {
    const dom = [
      'document;',
      'fetch;',
      'setTimeout;',
      'new TextDecoder();',
      'new URL("a:b");',
      'performance;',
    ];
    const noDom = ['document;', 'window;', 'localStorage;', 'HTMLElement;'];
    const noNode = ['process;', "import * as fs from 'node:fs';"];
    const closed = inNode.includes(folder) ? noDom : pure.includes(folder) ? [...dom, ...noNode] : noNode;
    assert.deepEqual(
      refusals(folder, closed),
      closed.map((_, line) => line),
    );
  });

  test(`no file of ${folder} imports past its borders`, () => {
    const granted = [folder, ...(table[folder] ?? [])];
    const strays = filesOf(config).flatMap((file) =>
      importsOf(file)
        .filter((target) => !granted.includes(folderOf(target)))
        .map((target) => `${file} imports ${target}`),
    );
    assert.deepEqual(strays, []);
  });
}

test('a probe that may stand is not refused', () => {
  assert.deepEqual(refusals('scene', ["import * as anchor from '../anchor/index.js';"]), []);
  assert.deepEqual(refusals('transport', ['fetch;', 'new TextDecoder();']), []);
});

function configOf(folder: string): ts.ParsedCommandLine {
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (problem: ts.Diagnostic) =>
      assert.fail(ts.flattenDiagnosticMessageText(problem.messageText, '\n')),
  };
  const config = ts.getParsedCommandLineOfConfigFile(join(src, folder, 'tsconfig.json'), {}, host);
  assert.ok(config);
  return config;
}

function referredBy({projectReferences = []}: ts.ParsedCommandLine): string[] {
  return projectReferences.map(({path}) => folderOf(path));
}

/** The folders that a folder reaches through its references, however many steps away. */
function behind(folder: string, reached = new Set<string>()): Set<string> {
  for (const next of referredBy(configOf(folder))) {
    if (!reached.has(next)) behind(next, reached.add(next));
  }
  return reached;
}

/** The numbers of those lines that would not compile in the folder. */
function refusals(folder: string, lines: readonly string[]): number[] {
  const {options, projectReferences} = configOf(folder);
  const probe = join(src, folder, 'border-probe.ts');
  const text = `${lines.join('\n')}\nexport {};\n`;
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram({
    rootNames: [probe],
    options: {...options, noEmit: true, noUnusedLocals: false},
    ...(projectReferences ? {projectReferences} : {}),
    host: {
      ...host,
      fileExists: (file) => file === probe || host.fileExists(file),
      readFile: (file) => (file === probe ? text : host.readFile(file)),
      getSourceFile: (file, version) =>
        file === probe ? ts.createSourceFile(file, text, version) : librarySource(host, file, version),
    },
  });
  const source = program.getSourceFile(probe);
  const refused = ts
    .getPreEmitDiagnostics(program)
    .filter(({file, code}) => file === source && code !== outputNotBuilt)
    .map(({start = 0}) => source?.getLineAndCharacterOfPosition(start).line ?? -1);
  return [...new Set(refused)].sort((a, b) => a - b);
}

/** The tests run before or after a build; whether the granted folder is built is not the question here. */
const outputNotBuilt = 6305;

const sources = new Map<string, ts.SourceFile | undefined>();

function librarySource(
  host: ts.CompilerHost,
  file: string,
  version: ts.ScriptTarget | ts.CreateSourceFileOptions,
) {
  if (!file.includes('/node_modules/')) return host.getSourceFile(file, version);
  if (!sources.has(file)) sources.set(file, host.getSourceFile(file, version));
  return sources.get(file);
}

function filesOf({fileNames}: ts.ParsedCommandLine): string[] {
  return fileNames.filter((file) => !file.endsWith('.d.ts'));
}

/** Relative imports of a file, dynamic ones and those of types included. */
function importsOf(file: string): string[] {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'), true, true)
    .importedFiles.map(({fileName}) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => resolve(dirname(file), name));
}

function folderOf(path: string): string {
  return /[\\/]src[\\/]([^\\/]+)/.exec(path)?.[1] ?? path;
}
