/** Makes a fresh clone runnable: packages as the lock file says, and a build as new as the sources. Needs only Node. */
import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a command in the project with its output shown, and says whether it succeeded. */
export function run(command, args, options = {}) {
  // npm is a script file on Windows and needs its shell.
  const shell = process.platform === 'win32';
  return spawnSync(command, args, {cwd: root, stdio: 'inherit', shell, ...options}).status === 0;
}

/** Installs the packages of the lock file unless they are there, and says whether they are. */
export function ensureInstalled() {
  if (isInstalled()) return true;
  console.log('Installing packages (npm ci) …');
  return run('npm', ['ci', '--loglevel=error']);
}

/** Builds dist/ unless it is newer than everything it is made from, and says whether it is. */
export function ensureBuilt() {
  if (isBuilt()) return true;
  console.log('Building (npm run build) …');
  return run('npm', ['run', '--silent', 'build']);
}

/** npm leaves a copy of what it installed in node_modules; compared by version, since git changes file times at will. */
function isInstalled() {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const there = packagesOf(installed);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, {version, optional}]) =>
      path === '' || (there[path] ? there[path].version === version : optional === true),
  );
}

const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

function isBuilt() {
  // The last file a build writes.
  const last = join(root, 'dist/cdn/hermes-elements.iife.js');
  if (!existsSync(last)) return false;
  const sources = readdirSync(join(root, 'src'), {recursive: true}).map((name) => join(root, 'src', name));
  const inputs = [
    ...sources,
    ...['package-lock.json', 'tsconfig.json', 'rollup.config.mjs'].map((name) => join(root, name)),
  ];
  const built = statSync(last).mtimeMs;
  return inputs.every((file) => statSync(file).mtimeMs <= built);
}
