/** What draws formulas, and code of a language in another way: each language a function of the code that promises a node. */
import {drawFlow} from './figures/flow.js';
import {drawFormula} from './figures/formula.js';

const drawn = {math: (code) => drawFormula(code, true), flow: drawFlow};

Object.assign(document.querySelector('hermes-transcript'), {
  math: drawFormula,
  figure: (language, code) => (Object.hasOwn(drawn, language) ? drawn[language](code) : null),
});
