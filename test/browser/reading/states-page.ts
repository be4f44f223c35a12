/** The page that `npm run states` takes pictures of: every state in a section of its own. */
import '../../../src/define.js';
import {mountState, states} from './states.js';

const wanted = [...new URLSearchParams(location.search).keys()];
for (const name of Object.keys(states)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const section = document.createElement('section');
  section.id = name;
  const heading = document.createElement('h2');
  heading.textContent = name;
  section.append(heading);
  document.body.append(section);
  await mountState(name, section);
}
// Controls take no answer in their first half second.
setTimeout(() => (document.body.dataset['ready'] = ''), 700);
