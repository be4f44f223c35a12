/** Finding programs: a name on the path, or a path. Nothing is started. */
import {delimiter, isAbsolute, join} from 'node:path';
import {isProgram, type Machine} from './machine.js';

/** The whole path of a program; null when there is none that can be run. */
export async function findProgram(bin: string, machine: Machine): Promise<string | null> {
  const endings = machine.platform === 'win32' ? ['', ...windowsEndings(machine)] : [''];
  for (const folder of isAbsolute(bin) ? [''] : foldersOf(machine)) {
    for (const ending of endings) {
      const path = folder === '' ? bin + ending : join(folder, bin + ending);
      if (await isProgram(path)) return path;
    }
  }
  return null;
}

// An empty entry means the current folder in old shells; a program is never taken from there by accident.
function foldersOf({env}: Machine): string[] {
  return (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
}

function windowsEndings({env}: Machine): string[] {
  return (env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';').map((ending) => ending.toLowerCase());
}
