/** Working folders: where a session's agent works. Only at or below the roots of its profile, by name and by link. */
import {realpath} from 'node:fs/promises';
import {isAbsolute, relative, resolve, sep} from 'node:path';
import {GatewayError} from '../gateway-error.js';
import type {Profile} from '../profiles/profile.js';

/** The folder asked for, or the profile's first root. Refuses what is not there or lies elsewhere, naming no path. */
export async function workingFolder(profile: Profile, asked: string | undefined): Promise<string> {
  const [first] = profile.cwdRoots;
  if (first === undefined) throw withoutRoots(profile);
  const folder = await realFolder(resolve(first, asked ?? '.'));
  const roots = await Promise.all(profile.cwdRoots.map(realFolder));
  if (folder !== null && roots.some((root) => root !== null && contains(root, folder))) return folder;
  throw asked === undefined ? withoutRoots(profile) : outside(profile);
}

function contains(root: string, folder: string): boolean {
  const way = relative(root, folder);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function realFolder(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    return null;
  }
}

function withoutRoots({name}: Profile): GatewayError {
  return new GatewayError(
    'profile-missing',
    `${name} has no folder to work in. Name an existing one in cwdRoots of the profile.`,
    {profile: name},
  );
}

function outside({name}: Profile): GatewayError {
  return new GatewayError(
    'invalid-request',
    `That folder does not exist or is not one that ${name} may work in. Choose one below the cwdRoots of the profile.`,
    {profile: name},
  );
}
