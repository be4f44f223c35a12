/**
 * The classic script out of an ES build. A classic script cannot import what it needs, but it may load modules: each chunk
 * becomes a function of what it takes from the script and from other chunks. So it belongs to the copy of the script that
 * loaded it, however many a page has.
 */

import {isAbsolute} from 'node:path';

/** What makes a chunk, once, in the script that loads it; free in the code, so that no minifier gives it another name. */
const MAKE = 'hermesPart';

/** Brings parts that would be chunks into the script: `[the file that loads, what it loads]`. */
export const inlined = (source, parts) => ({
  name: 'inlined',
  transform(code, id) {
    const part = parts.find(([file]) => id === source + file);
    if (!part) return null;
    const load = `import('${part[1]}')`;
    if (!code.includes(load)) this.error(`${part[0]} does not say ${load}.`);
    return {
      code: `import * as inlined from '${part[1]}';${code.replace(load, 'Promise.resolve(inlined)')}`,
      map: null,
    };
  },
});

/** Makes one script of the entry, under `name`, with the members that `exported` names, and functions of its chunks. */
export const classicScript = (name, exported) => ({
  name: 'classic-script',
  // What is external is another file's chunk, and stands alone.
  renderDynamicImport: ({targetModuleId}) =>
    !isAbsolute(targetModuleId) ? null : {left: 'import(', right: `).then(${MAKE})`},
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter(({type}) => type === 'chunk');
    const entry = chunks.find(({isEntry}) => isEntry);
    const taken = new Set();
    for (const chunk of chunks.filter((one) => one !== entry)) {
      const {imports, exports} = edges(this.parse(chunk.code));
      const isOfScript = ({source}) => source.value.endsWith(`/${entry.fileName}`);
      const ofScript = imports.filter(isOfScript).flatMap(namesOf);
      for (const [each] of ofScript) taken.add(each);
      const others = imports.filter((each) => !isOfScript(each));
      const froms = others.map(({source}, index) => `import*as ${MAKE}${index} from"${source.value}";`);
      const wanted = [ofScript, ...others.map(namesOf)].map(members);
      const given = ['parts', ...others.map((_, index) => `${MAKE}(${MAKE}${index})`)];
      rewrite(bundle, chunk, {
        head: `${froms.join('')}export default(parts,${MAKE})=>((${wanted})=>{`,
        removed: imports,
        exports,
        result: members(exports.flatMap(namesOf)),
        tail: `})(${given});`,
      });
    }
    const {exports} = edges(this.parse(entry.code));
    const locals = new Map(exports.flatMap(namesOf));
    const pick = (names) => members(names.map((each) => [each, locals.get(each)]));
    rewrite(bundle, entry, {
      // The members are read late: what they name is declared below.
      head:
        `var ${name}=function(){"use strict";const made=new Map,${MAKE}=part=>(made.has(part)||` +
        `made.set(part,part.default(${pick([...taken])},${MAKE})),made.get(part));`,
      removed: [],
      exports,
      result: pick(exported()),
      tail: '}();',
    });
  },
});

const edges = ({body}) => ({
  imports: body.filter(({type}) => type === 'ImportDeclaration'),
  exports: body.filter(({type}) => type.startsWith('Export')),
});

/** What an import or an export calls something, and what the chunk calls it. */
const namesOf = ({specifiers}) =>
  specifiers.map(({imported, exported, local}) => [(imported ?? exported).name, local.name]);

const members = (names) => `{${names.map(([key, value]) => (key === value ? key : `${key}:${value}`))}}`;

/** Puts code into a function whose head has a line of its own: what stands below keeps its place in the source map. */
function rewrite(bundle, chunk, {head, removed, exports, result, tail}) {
  let {code} = chunk;
  for (const [index, {start, end}] of exports.toReversed().entries())
    code = `${code.slice(0, start)}${index === 0 ? `return${result}${tail}` : ''}${code.slice(end)}`;
  for (const {start, end} of removed) code = code.slice(0, start) + ' '.repeat(end - start) + code.slice(end);
  chunk.code = `${head}\n${code}`;
  const map = bundle[`${chunk.fileName}.map`];
  const moved = JSON.parse(map.source);
  map.source = JSON.stringify({...moved, mappings: `;${moved.mappings}`});
}
