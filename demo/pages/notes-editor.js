/** The editor: the open note, saved a moment after the last key, and never over somebody else's change. */

const SAVE_AFTER = 600;

export function createEditor({text, file, saved, conflict, takeTheirs, keepMine, card}) {
  let id = null;
  let revision = null;
  /** The text as the server has it. */
  let known = '';
  /** The note as it stands there, while it and ours are two. */
  let theirs = null;
  let timer = 0;
  let saving = Promise.resolve();
  /** Revisions that came from here: whoever made the others, it was somebody else. */
  const written = new Set();

  const say = (sentence) => (saved.value = sentence);
  const isDirty = () => text.value !== known;

  function show(note) {
    ({id, revision} = note);
    known = note.markdown;
    theirs = null;
    conflict.hidden = true;
    text.disabled = false;
    file.textContent = `${id}.md`;
    if (text.value === known) return;
    // What the reader looks at stays in sight.
    const {scrollTop, selectionStart, selectionEnd} = text;
    text.value = known;
    text.setSelectionRange(selectionStart, selectionEnd);
    text.scrollTop = scrollTop;
  }

  const address = () => `/api/notes/${id.split('/').map(encodeURIComponent).join('/')}`;
  const load = async () => (await fetch(address())).json();

  async function write() {
    clearTimeout(timer);
    if (id === null || !isDirty() || theirs) return;
    const markdown = text.value;
    say('Saving …');
    const answer = await fetch(address(), {
      method: 'PUT',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({markdown, revision}),
    }).catch(() => null);
    if (answer === null)
      return say('Not saved: the server cannot be reached. It is tried again with the next key.');
    const body = await answer.json();
    if (answer.ok) {
      ({revision} = body);
      written.add(revision);
      known = markdown;
      say('Saved');
    } else if (answer.status === 409) differ(body.error.current ?? (await load()));
    else say(`Not saved: ${body.error.message}`);
  }

  /** Ours and theirs are two: the reader decides. */
  function differ(note) {
    theirs = note;
    conflict.hidden = false;
    say('');
  }

  const save = () => (saving = saving.then(write));

  text.addEventListener('input', () => {
    say('');
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER);
  });
  window.addEventListener('pagehide', () => void save());
  takeTheirs.addEventListener('click', () => show({...theirs, id}));
  keepMine.addEventListener('click', () => {
    ({revision} = theirs);
    known = theirs.markdown;
    theirs = null;
    conflict.hidden = true;
    void save();
  });

  return {
    get id() {
      return id;
    },
    get text() {
      return text.value;
    },
    save,
    hasWritten: (revision) => written.has(revision),
    async open(wanted) {
      await save();
      id = wanted;
      const note = await load();
      if (id !== wanted) return;
      text.value = '';
      show(note);
      text.scrollTop = 0;
      say('');
    },
    /** Somebody else wrote the note, perhaps the agent. */
    async changedElsewhere(now) {
      await saving;
      if (now === revision) return;
      const wanted = id;
      const note = await load();
      if (id !== wanted || note.revision === revision) return;
      if (isDirty()) return differ(note);
      show(note);
      say('Changed by the agent');
      card.classList.remove('touched');
      void card.offsetWidth;
      card.classList.add('touched');
    },
  };
}
