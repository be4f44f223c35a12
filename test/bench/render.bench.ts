/**
 * Render: the same markdown, streamed to our element and to others in one browser. One line a case, and one that compares.
 * `render/options.ts` says what may be asked for; `--quick` takes half a minute.
 */
import {withBrowser} from './render/browser.js';
import {framesOf, parseOptions, plan, type Options} from './render/options.js';
import {installPeers} from './render/peers.js';
import {runCase, type Line} from './render/run-case.js';
import {summarise} from './render/summary.js';

const options = asked();
const cases = plan(options);
installPeers();

/** A wish that is not understood is told in a sentence, without a stack. */
function asked(): Options {
  try {
    return parseOptions(process.argv.slice(3));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

const lines: Line[] = [];
await withBrowser(['expected', ...new Set(cases.map(({subject}) => subject))], async (bench) => {
  for (const one of cases) {
    const {failed, ...figures} = await runCase(bench, one, framesOf(options, one));
    const line = failed === undefined || options.unchecked ? figures : {...figures, failed};
    lines.push(line);
    console.log(JSON.stringify(line));
    if (failed) console.error(`${one.subject}, ${one.corpus}, ${one.chars}: ${failed}`);
  }
});

const summary = summarise(lines);
console.log(JSON.stringify(summary));
if (summary.failed > 0) process.exitCode = 1;
