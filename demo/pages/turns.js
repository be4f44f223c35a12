/** What draws code of a language in another way: each language a function of the code that promises a node. */
import {drawFlow} from './figures/flow.js';
import {drawFormula} from './figures/formula.js';

const drawn = {math: drawFormula, flow: drawFlow};

document.querySelector('hermes-transcript').figure = (language, code) =>
  Object.hasOwn(drawn, language) ? drawn[language](code) : null;
