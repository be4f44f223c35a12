import assert from 'node:assert/strict';
import {test} from 'node:test';
import {characterEntities} from 'character-entities';
import {parseMarkdown, toHtml} from '../../../src/markdown/index.js';
import {commonMark, comparable, exceptions, gfm, type SpecExample} from './spec-examples.js';
import {streamed} from './streamed.js';

const entities = (name: string) => characterEntities[name];
const whole = (markdown: string) => toHtml(parseMarkdown(markdown, {entities}), {rawHtml: true});

/** One character after the other, drawn after each. */
const byCharacter = (markdown: string) => toHtml(streamed(markdown, {entities}), {rawHtml: true});

for (const [name, examples] of Object.entries({commonmark: commonMark, gfm})) {
  const known = exceptions[name]!;
  const means = ({markdown, html}: SpecExample, draw: (markdown: string) => string) =>
    comparable(draw(markdown)) === comparable(html);

  test(`${name}: every example means what the specification says, but for the listed ones`, () => {
    const others = examples.filter((example) => !means(example, whole)).map(({example}) => example);
    assert.deepEqual(others, [...known.keys()]);
  });

  test(`${name}: every example cut at every character is the same`, () => {
    for (const {example, markdown} of examples)
      assert.equal(byCharacter(markdown), whole(markdown), `example ${example}`);
  });
}
