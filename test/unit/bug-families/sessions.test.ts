import assert from 'node:assert/strict';
import {createTranscript, unrelatedSessions} from '../../../src/anchor/index.js';
import {family} from './family.js';
import {assistant, comparable, hear, lines, only, run, session, settle, story, user} from './wire.js';

const messages = [user('Hi', 100), assistant('Hello.', 101)];

family(41, 'a payload of another session is refused and counted', () => {
  const ours = settle(createTranscript(), session(messages));
  const foreign = session([user('Secret', 500), assistant('Theirs.', 501)], {session_id: 'ffff'});
  const after = settle(ours, foreign);
  assert.equal(after.turns, ours.turns);
  assert.equal(after.session.stats.mismatched, 1);
  assert.deepEqual(unrelatedSessions(after), ['ffff']);
});

family(41, 'frames of another session make no turn here', () => {
  const ours = settle(createTranscript(), session(messages));
  const theirs = run('r9', 'ffff').metering().says('Theirs.').done().end();
  const after = hear(theirs, ours);
  assert.deepEqual(comparable(after), comparable(ours));
  assert.deepEqual(unrelatedSessions(after), ['ffff']);
});

family(41, 'a session asked for by name is not taken over by the first frames that come', () => {
  const asked = createTranscript({sessionId: 'a1c0'});
  const theirs = hear(run('r9', 'ffff').metering().says('Theirs.'), asked);
  assert.deepEqual([theirs.turns.length, theirs.session.id], [0, 'a1c0']);
});

family(52, 'a compression is one row, from its start to its end', () => {
  const stream = run()
    .says('Before.')
    .send('compressing', {session_id: 'a1c0', message: 'Compressing context'})
    .send('compressed', {session_id: 'a1c0', message: 'Compression finished'})
    .says(' After.');
  const phases = [...only(hear(stream)).items].filter(({kind}) => kind === 'lifecycle');
  assert.deepEqual(
    phases.map(({status, text}) => `${status} ${text.toString()}`),
    ['completed Compression finished'],
  );
});

family(52, 'a compression that never says it is over ends with later progress, or with the turn', () => {
  const begun = () => run().send('compressing', {session_id: 'a1c0', message: 'Compressing context'});
  const phase = (turn: ReturnType<typeof only>) =>
    [...turn.items].find(({kind}) => kind === 'lifecycle')!.status;
  assert.equal(phase(only(hear(begun()))), 'running');
  assert.equal(phase(only(hear(begun().says('On.')))), 'completed');
  assert.equal(phase(only(hear(begun().calls('c1', 'terminal')))), 'completed');
  assert.equal(phase(only(hear(begun().done()))), 'completed');
});

family(52, 'a rotated session is the same one under its newest id, whoever names which', () => {
  const settled = session(messages, {session_id: 'a1c9', parent_session_id: 'a1c0'});
  const stream = run()
    .metering()
    .send('compressing', {session_id: 'a1c0', message: 'Compressing'})
    .send('compressed', {
      session_id: 'a1c0',
      old_session_id: 'a1c0',
      new_session_id: 'a1c9',
      continuation_session_id: 'a1c9',
      message: 'Finished',
    })
    .says('Hello.')
    .done({session: settled})
    .end();
  const after = settle(hear(stream), settled);
  assert.deepEqual([after.session.id, after.session.aliases], ['a1c9', ['a1c0']]);
  assert.deepEqual([only(after).answer.toString(), only(after).stats.mismatched], ['Hello.', 0]);
});

family(52, 'an end that names the new session id is not refused', () => {
  const rotated = {old_session_id: 'a1c0', session_id: 'a1c9', new_session_id: 'a1c9'};
  const transcript = hear(run().metering().says('Half').fails('compression_exhausted', rotated));
  assert.deepEqual([only(transcript).terminal, transcript.session.id], ['compression_exhausted', 'a1c9']);
});

family(52, 'a compaction note in the history is neither prompt nor answer', () => {
  const compacted = [
    user('[CONTEXT COMPACTION] Earlier turns were summarised', 90),
    user('Hi', 100),
    assistant('Hello.', 101),
    assistant('summary', 102, {_compressed_summary: true}),
  ];
  const turn = only(settle(createTranscript(), session(compacted)));
  assert.deepEqual(lines(turn), ['prompt Hi', 'answer Hello.']);
});

family(19, 'every turn with content shows some of it, in every mode', () => {
  const thought = run().thinks('Only a thought.').done();
  const contents = [
    thought,
    run().uses('c1', 'terminal', {command: 'make'}, 'ok').done(),
    run().says('Text.').fails('error'),
    run().thinks('Only a thought.').stops(),
    run().send('warning', {type: 'fallback', message: 'Switching provider'}).done(),
  ];
  for (const mode of ['compact-worklog', 'transparent-stream', 'answer-only'] as const) {
    for (const stream of contents) assert.notDeepEqual(lines(only(hear(stream)), mode), [''], mode);
    assert.match(lines(only(hear(thought)), mode).join('\n'), /Only a thought\./);
  }
});

family(19, 'a history turn of reasoning or tools alone is not blank', () => {
  const thought = settle(
    createTranscript(),
    session([user('Hm', 100), assistant('', 101, {reasoning: 'Hm indeed.'})]),
  );
  assert.match(lines(only(thought), 'compact-worklog').join('\n'), /Hm indeed\./);
});

family(19, 'recovery makes one turn a run, however often it is tried', () => {
  const snapshot = {stream_id: 'r1', last_seq: 2, last_assistant_text: 'Half', messages: [], tool_calls: []};
  const pending = {pending_user_message: 'Hi', pending_started_at: 100, active_stream_id: 'r1'};
  const payload = session([], {...pending, updated_at: 100, runtime_journal_snapshot: snapshot});
  let transcript = createTranscript();
  for (let n = 0; n < 5; n++) transcript = settle(transcript, {...payload, updated_at: 100 + n});
  assert.deepEqual(story(only(transcript)), ['answer Half']);
});
