import assert from 'node:assert/strict';
import {test} from 'node:test';
import {toSnapshot, type TurnJson} from '../../../src/anchor/index.js';
import {expected, foldRecording, type ExpectedTurn} from './observations.js';

function sketchTurn(turn: TurnJson): ExpectedTurn {
  return {
    prompt: turn.prompt,
    answer: turn.answer,
    terminal: turn.terminal,
    status: turn.status,
    tools: turn.items.flatMap(({tool}) =>
      tool ? [{callId: tool.callId, name: tool.name, status: tool.status}] : [],
    ),
    artifacts: turn.artifacts.map(({path, change}) => ({path, change})),
    finalMessageRef: turn.finalMessageRef,
  };
}

for (const [name, line] of Object.entries(expected)) {
  for (const form of ['full', 'bare'] as const) {
    test(`${name} (${form}) folds to what a person reads in it`, () => {
      const turns = toSnapshot(foldRecording(line, form)).turns.map(sketchTurn);
      assert.deepEqual(turns, line[form].turns);
    });
  }
}
