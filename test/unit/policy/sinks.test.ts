/** Nothing of ours turns text into markup, code or style: searched in the source, and in what is built of it. */
import assert from 'node:assert/strict';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';

const sinks: Record<string, RegExp> = {
  'markup from text':
    /\.(?:innerHTML|outerHTML|srcdoc)\b|insertAdjacentHTML|createContextualFragment|DOMParser|setHTMLUnsafe|document\.write/g,
  'a directive that trusts text': /unsafe(?:HTML|SVG|Static|CSS|MathML)\b/g,
  'code from text': /\beval\s*\(|\bnew Function\b|\bset(?:Timeout|Interval)\(\s*["'`]/g,
  'style from text': /setAttribute\(\s*["'`]style|\sstyle=["']?\$\{|\.cssText\b|<style\b/g,
  'a script or a handler in a template': /<script\b(?! type="application\/json")|\son\w+=["']?\$\{/g,
  'a cookie': /document\.cookie/g,
};

/** Comments speak of what the code does not do. */
const withoutComments = (text: string) => text.replace(/\/\*[^]*?\*\/|(?<![:"'`\\])\/\/.*/g, '');

const files = (folder: string, ending: string) =>
  readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

// The command and the server are no pages.
// Nor is the page of its own that a conversation is saved as: a text, whose style is ours.
const sources = files('src', '.ts').filter(
  (name) => !/^src\/(?:cli|gateway)\/|^src\/elements\/export\/archive\.ts$/.test(name),
);
// What sanitizes raw HTML parses it, for hosts that ask for it: by our policy, in a document where nothing runs.
const [sanitizers, built] = partition(existsSync('dist/cdn') ? files('dist/cdn', '.js') : [], (file) =>
  /\/raw-html-[\w-]+\.js$/.test(file),
);

function partition<T>(values: readonly T[], is: (value: T) => boolean): readonly [T[], T[]] {
  return [values.filter(is), values.filter((value) => !is(value))];
}

for (const [name, sink] of Object.entries(sinks)) {
  test(`the source has no ${name}`, () => {
    const found = sources.flatMap((file) =>
      [...withoutComments(readFileSync(file, 'utf8')).matchAll(sink)].map(([text]) => `${file}: ${text}`),
    );
    assert.deepEqual(found, []);
  });
}

test(
  'the built files have the one sink that is Lit’s own, for its templates, behind our policy',
  {skip: built.length === 0},
  () => {
    for (const file of built) {
      // The highlighter has ways to colour an element, which nobody calls: our emitter takes its findings.
      const code = readFileSync(file, 'utf8').replace(
        /highlighter-[\w-]+\.js$/.test(file) ? /\.innerHTML\b(?=[^;]{0,80}[;,)])/g : /(?!)/g,
        '',
      );
      const found = [
        ...code.matchAll(sinks['markup from text']!),
        ...code.matchAll(sinks['code from text']!),
      ];
      const own = [...code.matchAll(/createElement\("template"\);return (\w+)\.innerHTML=\w+,\1/g)];
      assert.equal(found.length, own.length, `${file}: ${found.map(([text]) => text).join(', ')}`);
      // A template is trusted by the policy or not at all.
      assert.equal(own.length > 0, code.includes('hermes-elements.policy'), file);
      assert.equal(code.includes('"lit-html"') && code.includes('createPolicy("lit-html"'), false, file);
    }
  },
);

test('what sanitizes raw HTML has our policy', {skip: built.length === 0}, () => {
  assert.equal(sanitizers.length, 1);
  assert.match(
    readFileSync(sanitizers[0]!, 'utf8'),
    /TRUSTED_TYPES_POLICY:.{0,80}hermes-elements\.policy|hermes-elements\.policy[^]*TRUSTED_TYPES_POLICY/,
  );
});

test('a sink would be found', () => {
  for (const [name, text] of Object.entries({
    'markup from text': 'box.innerHTML = text',
    'a directive that trusts text': 'html`${unsafeHTML(text)}`',
    'code from text': 'eval(text)',
    'style from text': 'html`<p style="${text}"></p>`',
    'a script or a handler in a template': 'html`<p onclick="${text}"></p>`',
    'a cookie': 'document.cookie',
  }))
    assert.equal([...text.matchAll(sinks[name]!)].length, 1, name);
});
