/** What was done with the frames, and how the connection fares. */

/** Draws the statistics of a transcript into a `<dl>`. */
export function showStatistics(list, {session, turns}, connection, reconnects) {
  const all = [session.stats, ...turns.map(({stats}) => stats)];
  const sum = (name) => all.reduce((total, stats) => total + stats[name], 0);
  const rows = [
    ['Connection', connection ? phases[connection.phase] : 'none'],
    ['Reconnects', reconnects],
    ['Applied', sum('applied')],
    ['Duplicates', sum('duplicate')],
    ['Borrowed', sum('borrowed')],
    ['Mismatched', sum('mismatched')],
    ['Excluded', excluded(all)],
    ['Turn', turns.at(-1)?.status ?? 'none'],
    ['Cursor', shortened(turns.at(-1)?.cursor)],
  ];
  list.replaceChildren(...rows.flatMap(([name, value]) => [element('dt', name), element('dd', value)]));
}

const phases = {
  idle: 'at rest',
  connecting: 'connecting',
  open: 'open',
  waiting: 'broken, will be tried again',
  ended: 'ended',
  lost: 'lost',
};

function excluded(all) {
  const counts = new Map();
  for (const stats of all) {
    for (const [name, count] of Object.entries(stats.excluded))
      counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 0;
}

function shortened(cursor) {
  if (!cursor) return 'none';
  const [run, seq] = [cursor.slice(0, cursor.lastIndexOf(':')), cursor.slice(cursor.lastIndexOf(':'))];
  return run.length > 12 ? `${run.slice(0, 8)}…${seq}` : cursor;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
