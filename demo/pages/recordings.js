/** The recordings page: plays what is chosen and shows the transcript, its JSON and its statistics beside each other. */
import {readChoice, showChoice} from './choice.js';
import {showStatistics} from './statistics.js';
import {judge} from './verdict.js';

const find = (id) => document.querySelector(`#${id}`);
const form = find('choice');

const families = {
  'hermes-webui-real': 'Recorded from Hermes WebUI',
  'hermes-webui': 'Twelve small runs, invented',
};

/** What is on the stage now; null before the first play. */
let stage = null;
let plays = 0;

function play() {
  // Unlike any other visitor's, so that each sees a run from its beginning.
  attach(`${Math.round(window.performance.timeOrigin)}-${++plays}`);
}

/** A new element on a play: the first is a new run, a later one is what a reload of the page would be. */
function attach(playId) {
  stage?.leave();
  stage = new Stage(playId, readChoice(form));
}

class Stage {
  constructor(playId, choice) {
    this.play = playId;
    this.choice = choice;
    this.recording = recordings.find(({name}) => name === choice.recording);
    this.connection = null;
    this.reconnects = 0;
    this.settled = false;
    this.transcript = document.createElement('hermes-transcript');
    this.transcript.setAttribute('mode', choice.mode);
    this.transcript.addEventListener('hermes-connection-changed', ({connection}) =>
      this.connected(connection),
    );
    const {events, name} = this.recording;
    if (events > 0 || !this.recording.settled) this.transcript.setAttribute('src', this.address());
    else this.transcript.setAttribute('history', `/api/recordings/${name}/session`);
    say('Playing …');
    find('stage').replaceChildren(this.transcript);
    void this.begin();
  }

  address() {
    const {recording, play, choice} = this;
    const {pace, fault, seed} = choice;
    const query = new URLSearchParams({pace, fault, seed, play, retry: 400});
    return `/play/${recording.name}/events/${recording.run ?? 'run'}?${query}`;
  }

  async begin() {
    const {name, start} = this.recording;
    const [expected, answer] = await Promise.all([
      part(name, 'expected'),
      start ? part(name, 'start') : null,
    ]);
    await customElements.whenDefined('hermes-transcript');
    await this.transcript.updateComplete;
    if (this.left) return;
    this.expected = expected;
    this.unsubscribe = this.transcript.shown?.subscribe(() => this.changed());
    if (answer?.stream_id && this.recording.run)
      this.transcript.shown?.begin({...startOf(answer), prompt: expected.full.turns.at(-1)?.prompt});
    this.settle();
    this.changed();
  }

  leave() {
    this.left = true;
    this.unsubscribe?.();
    this.transcript.remove();
  }

  connected(connection) {
    if (connection.phase === 'waiting') this.reconnects++;
    this.connection = connection;
    if (this.over) this.settle();
    this.changed();
  }

  get over() {
    return !this.recording.events || ['ended', 'lost'].includes(this.connection?.phase);
  }

  get wantsHistory() {
    const {settled, events} = this.recording;
    return settled && events > 0 && (form.elements.settle.checked || this.choice.fault === 'late');
  }

  /** The history is a second observation of the same turn: it lands in the anchor that is there. */
  async settle() {
    if (!this.wantsHistory || !this.over || this.asked || !this.expected) return;
    this.asked = true;
    const payload = await part(this.recording.name, 'session');
    if (this.left) return;
    this.settled = true;
    this.transcript.shown.snapshot = payload;
  }

  /** Many changes of one frame of the screen are drawn once. */
  changed() {
    this.frame ??= window.requestAnimationFrame(() => {
      this.frame = undefined;
      if (!this.left) this.draw();
    });
  }

  draw() {
    const snapshot = this.transcript.snapshot;
    if (!snapshot) return;
    showStatistics(find('statistics'), snapshot, this.connection, this.reconnects);
    find('json').textContent = JSON.stringify(snapshot, null, 2);
    if (this.connection?.phase === 'waiting') return say('Connection broken, trying again …');
    if (!this.expected || !this.over) return say('Playing …');
    if (this.wantsHistory && !this.settled) return say('Asking for the history …');
    const {good, text} = judge(snapshot.turns, this.expected, this.settled || !this.recording.events);
    if (good) return say(text, 'good');
    // What nobody told cannot be there; that it is missing must be said.
    if (snapshot.turns.at(-1)?.status === 'restoring')
      return say('Incomplete, and marked so: nobody told the rest.');
    say(text, 'bad');
  }
}

function say(text, state = 'busy') {
  const line = find('verdict');
  if (line.textContent !== text) line.textContent = text;
  line.dataset.state = state;
}

function fillSelect(select, list) {
  const groups = new Map(Object.keys(families).map((family) => [family, document.createElement('optgroup')]));
  for (const {name, title, terminal} of list) {
    const [family] = name.split('/');
    if (!groups.has(family)) groups.set(family, document.createElement('optgroup'));
    const group = groups.get(family);
    group.label = families[family] ?? family;
    const end = terminal && terminal !== 'completed' ? ` (${terminal.replaceAll('_', ' ')})` : '';
    group.append(new window.Option(title + end, name));
  }
  select.append(...groups.values());
}

/** What a page knows of a run it has just started, from the answer to its request. */
const startOf = ({stream_id, session_id, turn_id, pending_started_at: seconds}) => ({
  runId: stream_id,
  streamId: stream_id,
  sessionId: session_id,
  turnId: turn_id,
  startedAt: Math.round(seconds * 1000),
  startedAtSeconds: seconds,
});

const part = (name, what) => json(`/api/recordings/${name}/${what}`);

async function json(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}. Is the demo's server running?`);
  return answer.json();
}

const recordings = await json('/api/recordings');
fillSelect(form.elements.recording, recordings);
showChoice(form);
play();

form.addEventListener('submit', (event) => {
  event.preventDefault();
  play();
});
form.addEventListener('change', ({target}) => {
  const {mode} = readChoice(form);
  // Another mode is another view of the same turn: nothing is fetched and nothing begins again.
  if (target.name === 'mode') stage.transcript.setAttribute('mode', mode);
  else if (target.name === 'settle') stage.settle();
  else play();
});
find('reload').addEventListener('click', () => attach(stage.play));
window.addEventListener('popstate', () => {
  showChoice(form);
  play();
});
