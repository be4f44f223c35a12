/** The recordings page: plays what is chosen and shows the transcript, its JSON and its statistics beside each other. */
import {readChoice, showChoice} from './choice.js';
import {showStatistics} from './statistics.js';
import {judge} from './verdict.js';

const find = (id) => document.querySelector(`#${id}`);
const form = find('choice');

/** What is on the stage now; null before the first play. */
let stage = null;
let plays = 0;

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
    this.expected = await json(`/api/recordings/${this.recording.name}/expected`);
    await customElements.whenDefined('hermes-transcript');
    await this.transcript.updateComplete;
    this.unsubscribe = this.transcript.shown?.subscribe(() => this.changed());
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

  /** The history is a second observation of the same turn: it lands in the anchor that is there. */
  async settle() {
    const {recording, over, transcript, settled} = this;
    const needed = form.elements.settle.checked || this.choice.fault === 'late';
    if (!needed || !over || settled || !recording.settled || !recording.events) return;
    this.settled = true;
    const payload = await json(`/api/recordings/${recording.name}/session`);
    if (!this.left) transcript.shown.snapshot = payload;
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
    if (!this.over)
      return say(this.connection?.phase === 'waiting' ? 'Connection broken, trying again …' : 'Playing …');
    const {good, text} = judge(snapshot.turns, this.expected, this.settled || !this.recording.events);
    say(text, good ? 'good' : 'bad');
  }
}

function say(text, state = 'busy') {
  const line = find('verdict');
  if (line.textContent !== text) line.textContent = text;
  line.dataset.state = state;
}

const families = {
  'hermes-webui': 'Twelve small runs, invented',
  'hermes-webui-real': 'Recorded from Hermes WebUI',
};

function fillSelect(select, list) {
  const groups = new Map();
  for (const {name, title, terminal} of list) {
    const [family] = name.split('/');
    if (!groups.has(family)) groups.set(family, document.createElement('optgroup'));
    const group = groups.get(family);
    group.label = families[family] ?? family;
    const end = terminal && terminal !== 'completed' ? ` (${terminal.replaceAll('_', ' ')})` : '';
    group.append(new window.Option(title + end, name));
  }
  select.append(...[...groups.values()].reverse());
}

async function json(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}. Is the demo's server running?`);
  return answer.json();
}
