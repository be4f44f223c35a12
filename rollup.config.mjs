/** The script-tag files: an ES module, and one classic script that reads; each with lazy chunks beside it. */
import {rmSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {nodeResolve} from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import esbuild from 'rollup-plugin-esbuild';
import {classicScript, inlined} from './rollup.classic.mjs';

const dir = 'dist/cdn';
const name = 'hermes-elements';

/**
 * Gives lit-html the policy `hermes-elements` in place of its own. The policy is kept under a registered symbol,
 * so that a second copy of the file, which may not create the name again, finds it.
 */
function ownPolicy() {
  const creation = /([\w$.]+)\.createPolicy\(\s*(["'])lit-html\2\s*,\s*(\{[^{}]*\})\s*\)/;
  let found = 0;
  return {
    name: 'own-policy',
    transform(code, id) {
      if (!/\/lit-html\/(?:development\/)?lit-html\.js$/.test(id)) return null;
      const owned = code.replace(creation, (_, trustedTypes, _quote, rules) => {
        found += 1;
        return `(globalThis[Symbol.for("hermes-elements.policy")]??=${trustedTypes}.createPolicy("hermes-elements",${rules}))`;
      });
      return {code: owned, map: null};
    },
    buildEnd(error) {
      if (!error && found !== 1) {
        this.error(
          `lit-html creates its Trusted Types policy in ${found} known places; one was expected. ` +
            'Read how the installed version does it and mend `creation` in rollup.config.mjs.',
        );
      }
    },
  };
}

/**
 * The entry is a few lines that import its own chunk (so that `hermes-elements.js?v=3` is still loaded once). It asks for
 * the lazy chunks in the same breath: a page waits for two steps, not three.
 */
function askEarly() {
  return {
    name: 'ask-early',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter(({type}) => type === 'chunk');
      const entry = chunks.find(({isEntry}) => isEntry);
      const lazy = chunks
        // What a reader writes with is not asked for before what they read, nor what few pages need.
        .filter(({isDynamicEntry, name}) => isDynamicEntry && early.includes(name))
        .map(({fileName}) => `import("./${fileName}")`);
      if (lazy.length > 0) entry.code = `Promise.all([${lazy}]).catch(()=>{});${entry.code}`;
    },
  };
}

/** What any turn needs: all that folds, and all that draws; and what follows its server, which most pages name. */
const early = ['model', 'hermes-turn', 'markdown-view', 'server'];

/**
 * The classic file takes what draws Markdown, and what colours code, from the chunks of the other one, which need nothing of
 * it; without them it shows text as it was written.
 */
const beside = {'./markdown/markdown-view.js': 'markdown-view', './highlight/highlighter.js': 'highlighter'};
const chunkFiles = {};
/** What the ES file exports, and so the classic one. */
let exported = [];
const noteChunks = () => ({
  name: 'note-chunks',
  generateBundle(_options, bundle) {
    exported = Object.values(bundle).find(({isEntry}) => isEntry).exports;
    for (const name of Object.values(beside)) {
      const chunk = Object.values(bundle).find((one) => one.name === name);
      if (chunk.imports.length > 0) this.error(`${name} imports ${chunk.imports}: it has to stand alone.`);
      // Else others would find its members under other names.
      const own = chunk.facadeModuleId ? this.getModuleInfo(chunk.facadeModuleId).exports : [];
      if (chunk.exports.some((each) => !own.includes(each)))
        this.error(`${name} hands out ${chunk.exports}: what shares parts of it has to be given them.`);
      chunkFiles[name] = `./${chunk.fileName}`;
    }
  },
});
const chunksBeside = () => ({
  name: 'chunks-beside',
  resolveId: (id) => (beside[id] ? {id: chunkFiles[beside[id]], external: true} : null),
});

/** Style sheets without comments and spaces, and templates without indents, which minifiers leave in template strings. */
const smallTemplates = () => ({
  name: 'small-templates',
  renderChunk(code) {
    const edits = [];
    const visit = (node) => {
      if (!node || typeof node.type !== 'string') return;
      if (node.type === 'TaggedTemplateExpression') edits.push(...node.quasi.quasis);
      for (const child of Object.values(node)) [child].flat().forEach(visit);
    };
    visit(this.parse(code));
    let small = code;
    for (const {start, end} of edits.sort((one, other) => other.start - one.start)) {
      const text = code.slice(start, end);
      const kept = text.replace(/\/\*[^]*?\*\//g, '').replace(/\s*\n\s*/g, '\n');
      small = small.slice(0, start) + (isCss.test(kept) ? smallCss(kept) : kept) + small.slice(end);
    }
    return {code: small, map: null};
  },
});

/** Templates of HTML have tags in them; what tagged them has another name by now. */
const isCss = /^[^<]*\{[^<]*$/;

/** Without the spaces that mean nothing; those in strings stay. */
const smallCss = (css) =>
  css
    .split(/('[^']*'|"[^"]*")/)
    .map((part, index) => (index % 2 ? part : part.replace(/\s*([{};,])\s*/g, '$1').replace(/:\s+/g, ':')))
    .join('')
    .replaceAll(';}', '}');

/** Chunks carry a hash in their names; those of earlier builds would stay. */
const emptied = () => ({name: 'emptied', buildStart: () => rmSync(dir, {recursive: true, force: true})});

const plugins = () => [
  ownPolicy(),
  nodeResolve(),
  smallTemplates(),
  esbuild({target: 'es2022', tsconfig: 'tsconfig.json', sourceMap: true}),
  terser({
    ecma: 2020,
    module: true,
    // Functions that are used once, and constants where they stood, repeat what stood before: packed, they are smaller.
    // Nothing of ours, nor of Lit's, reads a property for what that does.
    compress: {passes: 3, unsafe_arrows: true, inline: 1, lhs_constants: false, pure_getters: true},
    format: {comments: false},
  }),
];

/** As package.json says of our modules: only the entry does something by being loaded, the others are there for what is used. */
const source = fileURLToPath(new URL('src/', import.meta.url));
const entries = ['cdn.ts', 'reading.ts'].map((name) => source + name);
const treeshake = {moduleSideEffects: (id) => !id.startsWith(source) || entries.includes(id)};

export default [
  {
    input: {[name]: 'src/cdn.ts'},
    treeshake,
    plugins: [emptied(), ...plugins(), noteChunks(), askEarly()],
    output: {
      dir,
      format: 'es',
      sourcemap: true,
      entryFileNames: '[name].js',
      chunkFileNames: ({facadeModuleId}) =>
        /\/languages\//.test(facadeModuleId ?? '')
          ? 'chunks/code-[name]-[hash].js'
          : 'chunks/[name]-[hash].js',
    },
  },
  {
    input: {[name]: 'src/reading.ts'},
    treeshake,
    preserveEntrySignatures: 'allow-extension',
    plugins: [
      // All that folds, and all that draws: what any turn needs.
      inlined(source, [
        ['session/load-model.ts', './model.js'],
        ['reading.ts', './elements/hermes-turn.js'],
      ]),
      chunksBeside(),
      ...plugins(),
      classicScript('HermesElements', () => exported),
    ],
    output: {
      dir,
      format: 'es',
      sourcemap: true,
      entryFileNames: '[name].iife.js',
      chunkFileNames: 'chunks/classic-[name]-[hash].js',
    },
  },
];
