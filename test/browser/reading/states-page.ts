/** The page that `npm run states` takes pictures of: every state in a section of its own. */
import '../../../src/define.js';
import {composerStates, mountComposerState} from './composer-states.js';
import {mountState, states} from './states.js';

const wanted = [...new URLSearchParams(location.search).keys()];
await mountAll(states, mountState);
await mountAll(composerStates, mountComposerState);
// Controls take no answer in their first half second.
setTimeout(() => (document.body.dataset['ready'] = ''), 700);

async function mountAll(all: object, mount: (name: string, parent: Element) => Promise<Element>) {
  for (const name of Object.keys(all)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const section = document.createElement('section');
    section.id = name;
    const heading = document.createElement('h2');
    heading.textContent = name;
    section.append(heading);
    document.body.append(section);
    await mount(name, section);
  }
}
