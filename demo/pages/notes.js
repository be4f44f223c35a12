/** The notes page: a list and an editor of plain Markdown files, and an agent beside them that can work on the open one. */
import {createEditor} from './notes-editor.js';

const byId = (id) => document.getElementById(id);
const kept = {note: 'hermes-demo.note', talk: 'hermes-demo.conversation', view: 'hermes-demo.view'};

const editor = createEditor({
  text: byId('text'),
  file: byId('file'),
  saved: byId('saved'),
  conflict: byId('conflict'),
  takeTheirs: byId('take-theirs'),
  keepMine: byId('keep-mine'),
  card: document.querySelector('.editor'),
});

// The list.

/** Notes that others have changed, the agent above all, and that were not looked at since. */
const changed = new Set();
/** The revisions of the notes, by id, when the list was last asked for. */
let revisions = null;

async function showNotes() {
  const {notes} = await (await fetch('/api/notes')).json();
  const before = revisions ?? new Map(notes.map(({id, revision}) => [id, revision]));
  revisions = new Map(notes.map(({id, revision}) => [id, revision]));
  for (const {id, revision} of notes) {
    if (before.get(id) === revision) continue;
    if (id === editor.id) void editor.changedElsewhere(revision);
    else if (!editor.hasWritten(revision)) changed.add(id);
  }
  const items = notes.map(({id, title}) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = title;
    button.addEventListener('click', () => open(id));
    if (id === editor.id) button.setAttribute('aria-current', 'true');
    if (changed.has(id)) {
      button.classList.add('changed');
      button.setAttribute('aria-description', 'Changed by the agent');
    }
    const item = document.createElement('li');
    item.append(button);
    return item;
  });
  byId('notes').replaceChildren(...items);
  return notes;
}

async function open(id) {
  changed.delete(id);
  await editor.open(id);
  localStorage.setItem(kept.note, id);
  await showNotes();
}

byId('new-note').addEventListener('click', async () => {
  const title = `Note of ${new Date().toLocaleString([], {dateStyle: 'medium', timeStyle: 'medium'})}`;
  const answer = await fetch('/api/notes', {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({title, markdown: `# ${title}\n\n`}),
  });
  if (answer.ok) {
    const {id, revision} = await answer.json();
    // No change of somebody else's.
    revisions.set(id, revision);
    await open(id);
  }
  const text = byId('text');
  text.focus();
  // What is written comes after its heading.
  text.setSelectionRange?.(text.value.length, text.value.length);
});

// What changes is heard of while somebody looks: browsers allow a server six connections, for all tabs.

/** How long a hidden page still listens, in ms. */
const LISTEN_ON = 3000;
let changes = null;
let hiddenFor = 0;

function listen() {
  clearTimeout(hiddenFor);
  if (document.hidden) {
    hiddenFor = setTimeout(() => {
      changes?.close();
      changes = null;
    }, LISTEN_ON);
  } else if (!changes) {
    changes = new EventSource('/api/note-events');
    // The list says also what changed before it was open.
    for (const name of ['open', 'message']) changes.addEventListener(name, () => void showNotes());
  }
}

document.addEventListener('visibilitychange', listen);
listen();

// The panel. Everything but these few lines is the elements' own.

const composer = byId('composer');
let talk = byId('agent');

composer.pageContext = async () => {
  await editor.save();
  return editor.id === null ? '' : `docId: ${editor.id}\n\n${editor.text}`;
};

function attend(session) {
  session.addEventListener('hermes-session-created', ({sessionId}) => {
    localStorage.setItem(kept.talk, sessionId);
    void showTalks();
  });
  // A title comes with the first turn; the newest conversation stands first.
  for (const fact of ['hermes-turn-started', 'hermes-turn-settled'])
    session.addEventListener(fact, () => void showTalks());
  session.addEventListener('hermes-artifact-request', (event) => {
    const name = event.artifact.path.split('/').at(-1);
    if (!name.endsWith('.md')) return;
    event.preventDefault();
    void open(name.slice(0, -'.md'.length));
  });
  session.addEventListener('click', ({target}) => {
    const {prompt} = target.closest?.('[data-prompt]')?.dataset ?? {};
    if (prompt === undefined) return;
    composer.value = prompt;
    composer.submit();
  });
}

/** Another conversation; none yet where the id is empty. */
function talkWith(id) {
  const other = document.createElement('hermes-session');
  other.id = 'agent';
  other.setAttribute('base', talk.getAttribute('base'));
  if (id) other.setAttribute('session-id', id);
  other.append(...talk.childNodes);
  talk.replaceWith(other);
  talk = other;
  attend(talk);
  if (id) localStorage.setItem(kept.talk, id);
  else localStorage.removeItem(kept.talk);
  void showTalks();
}

const talks = byId('talks');
talks.addEventListener('change', () => talkWith(talks.value));
byId('new-talk').addEventListener('click', async () => {
  talkWith('');
  // What is in it can take the focus once it is drawn.
  await talk.updateComplete;
  composer.focus();
});

async function showTalks() {
  const {sessions} = await (await fetch('/api/hermes/client/sessions')).json();
  const current = talk.sessionId ?? '';
  const begun = sessions.map(({id, title, createdAt}) => new window.Option(nameOf(title, createdAt), id));
  talks.replaceChildren(...(current ? [] : [new window.Option('New conversation', '')]), ...begun);
  talks.value = current;
  // A long one is cut short in its box.
  talks.title = talks.selectedOptions[0]?.text ?? '';
}

/** What was asked first, and when: the same is asked twice. */
function nameOf(title, createdAt) {
  const begun = new Date(createdAt);
  const isToday = begun.toDateString() === new Date().toDateString();
  const when = begun.toLocaleString([], isToday ? {timeStyle: 'short'} : {dateStyle: 'medium'});
  return `${title ?? 'Conversation'} · ${when}`;
}

const view = byId('view');
view.addEventListener('change', () => {
  byId('transcript').setAttribute('mode', view.value);
  localStorage.setItem(kept.view, view.value);
});
view.value = localStorage.getItem(kept.view) ?? view.value;
byId('transcript').setAttribute('mode', view.value);

const known = localStorage.getItem(kept.talk);
if (known && (await exists(known))) talk.setAttribute('session-id', known);
attend(talk);
void showTalks();

const notes = await showNotes();
const last = notes.find(({id}) => id === localStorage.getItem(kept.note)) ?? notes[0];
if (last) await open(last.id);

async function exists(id) {
  const {ok} = await fetch(`/api/hermes/client/sessions/${encodeURIComponent(id)}`);
  return ok;
}
