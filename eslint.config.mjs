import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {basename} from 'node:path';
import js from '@eslint/js';
import {configs as lit} from 'eslint-plugin-lit';
import {configs as wc} from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';

/** Folders that know no DOM, network, clock or randomness, and the packages of that kind they use. */
const pure = {anchor: [], scene: [], protocol: ['eventsource-parser'], adapters: [], markdown: []};
/** Folders that run in Node alone. */
const node = ['gateway', 'cli'];

const folders = readdirSync('src').filter((name) => existsSync(`src/${name}/tsconfig.json`));

/** The folders that a folder's tsconfig refers to: all it may import. */
const grantedTo = (folder) =>
  [...readFileSync(`src/${folder}/tsconfig.json`, 'utf8').matchAll(/"path":\s*"\.\.\/([\w-]+)"/g)].map(
    ([, path]) => basename(path),
  );

/** The same borders as the compiler's, with a sentence; and those it cannot see, through a granted folder. */
const borders = folders.map((folder) => {
  const granted = grantedTo(folder);
  const closed = [...folders, 'gateway', 'markdown'].filter(
    (name) => name !== folder && !granted.includes(name),
  );
  const patterns = [
    {
      regex: `^(\\.\\./)+(${closed.join('|')})/`,
      message: `src/${folder} may import ${granted.join(', ') || 'nothing'}. Data runs one way; see the borders in src/*/tsconfig.json.`,
    },
  ];
  if (pure[folder]) {
    const others = ['\\.', ...pure[folder].map((name) => `${name}$`)].join('|');
    patterns.push({
      regex: `^(?!${others})`,
      message: `src/${folder} is pure: it knows no such package and no platform.`,
    });
  } else if (!node.includes(folder)) {
    patterns.push({
      regex: '^node:',
      message: `src/${folder} runs in browsers; only ${node.join(', ')} know Node.`,
    });
  }
  return {files: [`src/${folder}/**/*.ts`], rules: {'no-restricted-imports': ['error', {patterns}]}};
});

/** Of the gateway one file folds; its tsconfig cannot say which. */
const foldsOnly = borders
  .filter(({files}) => files[0] === 'src/gateway/**/*.ts')
  .map(({files, rules}) => {
    const [level, {patterns}] = rules['no-restricted-imports'];
    const message = 'Of src/gateway only settled.ts folds: it alone may import anchor and adapters.';
    const models = {regex: '^(\\.\\./)+(anchor|adapters)/', message};
    return {
      files,
      ignores: ['src/gateway/settled.ts'],
      rules: {'no-restricted-imports': [level, {patterns: [...patterns, models]}]},
    };
  });

export default tseslint.config(
  {ignores: ['dist/', 'coverage/', 'test/fixtures/']},
  {linterOptions: {reportUnusedDisableDirectives: 'error'}},
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {parserOptions: {projectService: true, tsconfigRootDir: import.meta.dirname}},
    rules: {
      // Templates print numbers.
      '@typescript-eslint/restrict-template-expressions': ['error', {allowNumber: true, allowBoolean: true}],
      '@typescript-eslint/no-unused-vars': ['error', {argsIgnorePattern: '^_', varsIgnorePattern: '^_'}],
      '@typescript-eslint/consistent-type-imports': ['error', {fixStyle: 'inline-type-imports'}],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', {considerDefaultExhaustiveForUnions: true}],
      // Lit binds the listeners of a template to their host.
      '@typescript-eslint/unbound-method': 'off',
      // The compiler does this.
      'no-undef': 'off',
    },
  },
  {
    files: ['src/elements/**/*.ts'],
    extends: [lit['flat/recommended'], wc['flat/best-practice']],
    rules: {
      // Registering is the business of define.ts.
      'wc/define-tag-after-class-definition': 'off',
      'wc/tag-name-matches-class': 'off',
      'wc/file-name-matches-element': 'off',
    },
  },
  {
    // node:test returns promises that the runner awaits; mocha's assertions stand alone.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            {from: 'package', package: 'node:test', name: ['test', 'it', 'describe', 'suite']},
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'console',
          'process',
          'performance',
          'setTimeout',
          'clearTimeout',
          'URL',
          'fetch',
          'Buffer',
          'AbortController',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['demo/**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'document',
          'window',
          'fetch',
          'location',
          'customElements',
          'URL',
          'URLSearchParams',
          'console',
          'EventSource',
          'localStorage',
          'setTimeout',
          'clearTimeout',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  ...borders,
  ...foldsOnly,
);
