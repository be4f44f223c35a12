/** Whether a transcript says what test/fixtures/expected.json says of its recording. */

/** The verdict as a line: `{good, text}`. */
export function judge(turns, {full, bare}, settled) {
  const shown = turns.filter(({status}) => status !== 'created').map(outline);
  const all = full.turns.map(outlineExpected);
  const byFull = firstDifference(shown, all);
  if (byFull === null) return good(inWords(full.turns));
  if (settled) return bad(byFull);
  const byBare = firstDifference(shown, bare.turns.map(outlineExpected));
  if (byBare === null) return good(`${inWords(bare.turns)}, from the frames alone`);
  // A frame that holds the session tells one turn as well as the history would, and nothing of the others.
  if (shown.length > 0 && shown.length < all.length && isPart(shown, all)) {
    return good(`${shown.length} of its ${all.length} turns; the others are in the history`);
  }
  return bad(byBare);
}

const good = (text) => ({good: true, text: `Agrees with expected.json: ${text}`});
const bad = (text) => ({good: false, text: `Differs from expected.json: ${text}`});

function isPart(shown, all) {
  return shown.every((turn) => all.some((other) => firstDifference([turn], [other]) === null));
}

function outline({answer, terminal, items}) {
  const tools = items.filter(({tool}) => tool).map(({tool}) => tool);
  return outlineExpected({answer, terminal, tools});
}

const outlineExpected = ({answer, terminal, tools}) => ({
  answer,
  terminal,
  tools: tools.map(({name, status}) => `${name} ${status}`).join(', '),
});

function firstDifference(shown, expected) {
  if (shown.length !== expected.length) return `${shown.length} turns, expected ${expected.length}`;
  for (const [n, turn] of expected.entries()) {
    for (const field of ['terminal', 'answer', 'tools']) {
      if (shown[n][field] === turn[field]) continue;
      return `${field} is ${quote(shown[n][field])}, expected ${quote(turn[field])}`;
    }
  }
  return null;
}

function quote(value) {
  const text = JSON.stringify(value);
  return text.length > 90 ? `${text.slice(0, 90)}…` : text;
}

function inWords(turns) {
  const tools = turns.reduce((sum, turn) => sum + turn.tools.length, 0);
  const terminals = [...new Set(turns.map(({terminal}) => terminal ?? 'no end'))].join(', ');
  const count = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`;
  if (turns.length === 0) return 'no turn';
  return `${count(turns.length, 'turn')}, ${terminals.replaceAll('_', ' ')}, ${count(tools, 'tool')}`;
}
