import 'axe-core/axe.min.js';
import '../../../src/define.js';
import * as assert from '../../support/assert.js';
import {place} from './page.js';
import {mountState, states} from './states.js';

declare const axe: {
  run(root: Element, options?: object): Promise<{violations: {id: string; nodes: {html: string}[]}[]}>;
};

const themes = {light: ['#fff', '#1d1f24'], dark: ['#16181b', '#e7e6e2']} as const;

for (const [theme, [ground, ink]] of Object.entries(themes)) {
  describe(`in the ${theme} theme`, () => {
    before(() => {
      document.documentElement.style.colorScheme = theme;
      document.body.style.cssText = `background: ${ground}; color: ${ink}; font: 15px/1.5 sans-serif`;
    });
    after(() => {
      document.documentElement.style.colorScheme = '';
      document.body.style.cssText = '';
    });
    for (const name of Object.keys(states)) {
      it(`${name} is accessible, and wider than nothing`, async () => {
        const box = place(document.createElement('div'));
        box.style.inlineSize = '320px';
        const element = await mountState(name, box);
        assert.ok(
          element.scrollWidth <= element.clientWidth + 1,
          `${element.scrollWidth} px wide in ${element.clientWidth}`,
        );
        const {violations} = await axe.run(box, {rules: {region: {enabled: false}}});
        assert.deepEqual(
          violations.map(({id, nodes}) => [id, nodes[0]?.html]),
          [],
        );
      });
    }
  });
}
