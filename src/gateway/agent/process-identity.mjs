/**
 * Which process it is: a number alone is used again, a number and a start are not.
 *
 * Plain JavaScript, because guard.mjs uses it; see there.
 */
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';

/** The variable that tells an agent's descendants from everybody else's, wherever they went. */
export const MARK = 'HERMES_ELEMENTS_AGENT';

/**
 * When a process started: a text that no other process of this number has had since the machine started; null when there is none. A process that
 * is dead and only not yet buried (a zombie) is none.
 *
 * @param {number} pid
 * @returns {string | null}
 */
export function processStart(pid) {
  return existsSync('/proc/self/stat') ? fromProc(pid) : fromPs(pid);
}

/** @param {number} pid */
function fromProc(pid) {
  try {
    // The second field is the program's name in brackets and may hold anything; fields are counted from its end.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${bootId()} ${fields[19]}`;
  } catch {
    return null;
  }
}

function bootId() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** @param {number} pid */
function fromPs(pid) {
  const {stdout} = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {encoding: 'utf8'});
  const [state = '', ...started] = (stdout ?? '').trim().split(/\s+/);
  return state === '' || state.startsWith('Z') ? null : started.join(' ');
}
