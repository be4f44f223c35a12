/** What is played, kept in the address so that it can be linked. */

const defaults = {
  recording: 'hermes-webui-real/tools/live',
  mode: 'compact-worklog',
  fault: 'none',
  pace: 'real',
  seed: '1',
  settle: false,
};

/** Fills the form from the address. */
export function showChoice(form, query = new URLSearchParams(location.search)) {
  for (const [name, usual] of Object.entries(defaults)) {
    const field = form.elements[name];
    if (typeof usual === 'boolean') field.checked = query.get(name) === '1';
    else field.value = query.get(name) ?? usual;
    // A select that has no such option shows none.
    if (field.value === '') field.value = usual;
  }
}

/** The choice in the form; also written to the address, without what is usual. */
export function readChoice(form) {
  const {recording, mode, fault, pace, seed, settle} = form.elements;
  const choice = {
    recording: recording.value,
    mode: mode.value,
    fault: fault.value,
    pace: pace.value,
    seed: seed.value || '1',
    settle: settle.checked,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(choice)) {
    if (value !== defaults[name]) query.set(name, value === true ? '1' : value);
  }
  const text = query.toString().replaceAll('%2F', '/');
  window.history.replaceState(null, '', text ? `?${text}` : location.pathname);
  return choice;
}
