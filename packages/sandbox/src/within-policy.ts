import type { Access, ClientPolicy } from './client-policy.js';
import type { Disk } from './disk.js';
import { isWithin, nearestValue } from './paths.js';
import { isKernelPath, SandboxError, type Sight } from './sights.js';

/**
 * Returns rules that allow, at each path, only what both the rules of a server and the sandbox of a client allow. The
 * folders that only the server has, for temporary files and for caches, are unchanged.
 *
 * @param sights the rules of the server. Their paths contain no symbolic links
 * @param cache the folder for the server's package caches
 * @throws SandboxError if the client may not read a part of `/proc` or `/dev`
 */
export function sightsWithinPolicy(
  sights: ReadonlyMap<string, Sight>,
  { access }: Pick<ClientPolicy, 'access'>,
  { cache, disk }: { readonly cache: string; readonly disk: Disk },
): ReadonlyMap<string, Sight> {
  const limits = accessByRealPath(access, disk);
  const sightOf = (path: string): Sight => nearestValue(path, sights) ?? 'read-only';
  const isOwn = (path: string): boolean => sightOf(path) === 'empty' || isWithin(path, cache);
  const shown = [...limits.keys()].filter((path) => !isKernelPath(path) && sightOf(path) !== 'hidden');
  const changed = [...sights.keys(), ...shown].filter((path) => !isOwn(path));
  return new Map([
    ...sights,
    ...changed.map((path): [string, Sight] => [
      path,
      lesserAccess(sightOf(path), nearestValue(path, limits) ?? 'read'),
    ]),
  ]);
}

function lesserAccess(sight: Sight, access: Access): Sight {
  if (access === 'none') return 'hidden';
  return sight === 'writable' && access === 'read' ? 'read-only' : sight;
}

/**
 * Returns the access by real path. A server may have replaced a writable path with a link to another place, so a
 * writable path that is now a link grants no access.
 */
function accessByRealPath(access: ClientPolicy['access'], disk: Disk): ReadonlyMap<string, Access> {
  const rules = [...access].map(([path, own]) => ({
    path,
    own,
    real: path === '/' ? path : disk.real(path),
  }));
  const hidden = rules.find(({ own, real }) => own === 'none' && real !== undefined && isKernelPath(real));
  if (hidden !== undefined)
    throw new SandboxError(`the sandbox of its client hides ${hidden.path}. No server can have that rule.`);
  const found = new Map<string, Access>();
  // If several paths have the same real path, the most restrictive access applies.
  for (const level of ['write', 'read', 'none'] as const)
    for (const { path, own, real } of rules)
      if (own === level && real !== undefined && (own !== 'write' || real === path)) found.set(real, own);
  return found;
}
