/** The notes page: a list and an editor of plain Markdown files, and an agent beside them that can work on the open one. */
import {createEditor} from './notes-editor.js';

const byId = (id) => document.getElementById(id);
const kept = {note: 'hermes-demo.note', talk: 'hermes-demo.conversation', view: 'hermes-demo.view'};

const editor = createEditor({
  text: byId('text'),
  saved: byId('saved'),
  conflict: byId('conflict'),
  takeTheirs: byId('take-theirs'),
  keepMine: byId('keep-mine'),
  card: document.querySelector('.editor'),
});

// The list.

async function showNotes() {
  const {notes} = await (await fetch('/api/notes')).json();
  const items = notes.map(({id, title}) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = title;
    button.addEventListener('click', () => open(id));
    if (id === editor.id) button.setAttribute('aria-current', 'true');
    const item = document.createElement('li');
    item.append(button);
    return item;
  });
  byId('notes').replaceChildren(...items);
  return notes;
}

async function open(id) {
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
  if (answer.ok) await open((await answer.json()).id);
  byId('text').focus();
});

const changes = new EventSource('/api/note-events');
changes.addEventListener('message', ({data}) => {
  const {id, revision, change} = JSON.parse(data);
  if (id === editor.id && change !== 'deleted') void editor.changedElsewhere(revision);
  void showNotes();
});

// The panel. Everything but these few lines is the elements' own.

const composer = byId('composer');
let talk = byId('agent');

composer.pageContext = async () => {
  await editor.save();
  return editor.id === null ? '' : `docId: ${editor.id}\n\n${editor.text}`;
};

function attend(session) {
  session.addEventListener('hermes-session-created', ({sessionId}) =>
    localStorage.setItem(kept.talk, sessionId),
  );
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

byId('new-talk').addEventListener('click', () => {
  localStorage.removeItem(kept.talk);
  const fresh = document.createElement('hermes-session');
  fresh.id = 'agent';
  fresh.setAttribute('base', talk.getAttribute('base'));
  fresh.append(...talk.childNodes);
  talk.replaceWith(fresh);
  talk = fresh;
  attend(talk);
  composer.focus();
});

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

const notes = await showNotes();
const last = notes.find(({id}) => id === localStorage.getItem(kept.note)) ?? notes[0];
if (last) await open(last.id);

async function exists(id) {
  const {ok} = await fetch(`/api/hermes/client/sessions/${encodeURIComponent(id)}`);
  return ok;
}
