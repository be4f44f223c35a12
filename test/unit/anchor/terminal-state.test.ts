import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  EVIDENCE,
  evidenceRank,
  normalizeTerminalState,
  TERMINAL_SPELLINGS,
  TERMINAL_STATES,
  terminalGroup,
  terminalRank,
} from '../../../src/anchor/terminal-state.js';

for (const [state, source, spellings] of TERMINAL_SPELLINGS) {
  for (const spelling of spellings.split(' ')) {
    test(`${source} spells ${state} as ${spelling}, in any case and with hyphens or spaces`, () => {
      const shouted = `  ${spelling.replaceAll('_', '-').toUpperCase()} `;
      for (const text of [spelling, shouted, spelling.replaceAll('_', ' \t')]) {
        assert.equal(normalizeTerminalState(text, source), state);
      }
    });
  }
}

test('the aliases of the original model are exactly these', () => {
  const aliases: Record<string, string> = {};
  for (const [state, source, spellings] of TERMINAL_SPELLINGS) {
    if (source === 'webui') aliases[state] = spellings;
  }
  assert.deepEqual(aliases, {
    completed: 'completed complete done',
    cancelled: 'cancelled canceled cancel',
    interrupted: 'interrupted interrupted_by_user',
    no_response: 'no_response no_response_generated',
    tool_limit_reached: 'tool_limit_reached max_iterations',
    compression_exhausted: 'compression_exhausted',
    connection_lost: 'connection_lost lost_worker_bookkeeping',
    degraded: 'degraded',
    error: 'error failed apperror',
  });
});

test('a stop by the reader is cancelled from the journal and interrupted elsewhere', () => {
  assert.equal(normalizeTerminalState('interrupted-by-user', 'journal'), 'cancelled');
  assert.equal(normalizeTerminalState('interrupted-by-user'), 'interrupted');
  assert.equal(normalizeTerminalState('interrupted-by-user', 'apperror'), 'interrupted');
});

test('what the original model forgot is known without naming its source', () => {
  assert.equal(normalizeTerminalState('errored'), 'error');
  assert.equal(normalizeTerminalState('interrupted-by-crash'), 'interrupted');
  assert.equal(normalizeTerminalState('rate_limit'), 'error');
});

for (const value of [
  'running',
  'unknown',
  '',
  '__proto__',
  'constructor',
  'undefined done',
  null,
  undefined,
  7,
  ['done'],
  {},
]) {
  test(`${JSON.stringify(value)} is no terminal state`, () =>
    assert.equal(normalizeTerminalState(value), null));
}

test('every state has a spelling of its own name, a group and a rank', () => {
  for (const state of TERMINAL_STATES) {
    assert.equal(normalizeTerminalState(state), state);
    assert.equal(terminalRank(state), TERMINAL_STATES.indexOf(state));
  }
  assert.equal(new Set(TERMINAL_STATES).size, 9);
});

test('the error family opens its worklog, the other three groups stand alone', () => {
  const groups = Object.fromEntries(TERMINAL_STATES.map((state) => [state, terminalGroup(state)]));
  assert.deepEqual(groups, {
    connection_lost: 'error',
    degraded: 'error',
    completed: 'completed',
    error: 'error',
    no_response: 'error',
    tool_limit_reached: 'error',
    compression_exhausted: 'error',
    interrupted: 'interrupted',
    cancelled: 'cancelled',
  });
});

test('settled evidence outranks observed, observed synthetic, synthetic inferred', () => {
  assert.deepEqual(
    [...EVIDENCE].sort((a, b) => evidenceRank(b) - evidenceRank(a)),
    ['settled', 'observed', 'synthetic', 'inferred'],
  );
});

test('of two states of one strength the more specific wins', () => {
  const order =
    'connection_lost degraded completed error no_response tool_limit_reached compression_exhausted interrupted cancelled';
  assert.equal(TERMINAL_STATES.join(' '), order);
});
