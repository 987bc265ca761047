import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Access, ClientPolicy } from './client-policy.js';
import type { Disk } from './disk.js';
import { fileView, type ViewPaths } from './file-view.js';
import type { FileSettings } from './settings.js';
import { sightOf } from './sight-of.js';
import type { Sight } from './sights.js';

const HOME = '/home/ann';
const CWD = `${HOME}/work`;
const PLACES: ViewPaths = {
  home: HOME,
  cwd: CWD,
  cache: `${HOME}/.cache/mcpmux/1`,
  emptiedFolders: ['/tmp'],
  neededPaths: [],
  secrets: [`${HOME}/.cache/mcpmux`, `${CWD}/.vscode/mcp.json`],
};
const FILES = [
  '/usr/bin/a',
  '/tmp/x/a',
  `${HOME}/.ssh/id`,
  `${HOME}/.cache/mcpmux/1/npm`,
  `${HOME}/out/deep/a`,
  `${CWD}/.git/hooks/a`,
  `${CWD}/src/deep/a`,
  `${CWD}/.vscode/mcp.json`,
];
const PATHS = [...new Set(FILES.flatMap(withParents))].filter((path) => path !== '/');
const DISK: Disk = {
  real: (path) => [path === '/link' ? `${HOME}/out` : path].find((one) => PATHS.includes(one)),
  isFolder: (path) => PATHS.some((one) => one.startsWith(`${path}/`)),
};

function withParents(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 2).join('/'));
}

const policyOf = (access: Readonly<Record<string, Access>>): ClientPolicy => ({
  network: false,
  access: new Map([['/', 'read'], ...Object.entries(access)]),
});
const seen = (settings: FileSettings, access: Readonly<Record<string, Access>>) => {
  const view = fileView(settings, PLACES, DISK, policyOf(access));
  return (path: string): Sight => sightOf(path, view);
};

describe('within the sandbox of a client', () => {
  it('a server writes only where its entry and the client allow it', () => {
    const sight = seen(
      { allowWrite: [`${HOME}/out`] },
      { [`${CWD}/src`]: 'write', [`${HOME}/.ssh`]: 'write' },
    );
    expect(sight(`${CWD}/src/deep/a`)).toBe('writable');
    expect(sight(`${CWD}/b`)).toBe('read-only');
    expect(sight(`${HOME}/out/deep/a`)).toBe('read-only');
    expect(sight(`${HOME}/.ssh/id`)).toBe('hidden');
  });

  it('a path that is a link gives nothing, and still limits the place to which it leads', () => {
    const settings = { allowWrite: [`${HOME}/out`] };
    expect(seen(settings, { '/link': 'write' })(`${HOME}/out/deep/a`)).toBe('read-only');
    expect(seen(settings, { '/': 'write', '/link': 'none' })(`${HOME}/out/deep/a`)).toBe('hidden');
  });

  it('the private folders of a server stay as they are', () => {
    const sight = seen({}, { '/tmp': 'none', [HOME]: 'none' });
    expect(sight('/tmp/x/a')).toBe('empty');
    expect(sight(`${HOME}/.cache/mcpmux/1/npm`)).toBe('writable');
  });

  it('a part of the kernel cannot be hidden, so nothing starts', () => {
    const disk: Disk = { ...DISK, real: (path) => (path === '/proc/1' ? path : DISK.real(path)) };
    const policy = policyOf({ '/proc/1': 'none' });
    expect(() => fileView({}, PLACES, disk, policy)).toThrow('the sandbox of its client hides /proc/1');
  });
});

/** Each grants what those before it do, and more. */
const SIGHTS: readonly Sight[] = ['hidden', 'empty', 'read-only', 'writable'];
const LIMITS = { none: 'hidden', read: 'read-only', write: 'writable' } as const;

it('at each path, a server has exactly what its entry and the sandbox of its client both give', () => {
  const some = fc.subarray(PATHS, { maxLength: 3 });
  const settings = fc.record<Required<FileSettings>>({
    allowRead: some,
    allowWrite: some,
    denyRead: some,
    denyWrite: some,
  });
  const access = fc.dictionary(
    fc.constantFrom('/', ...PATHS),
    fc.constantFrom<Access>('read', 'write', 'none'),
  );
  const atRoot = ({ '/': root = 'read', ...rest }: Record<string, Access>): Record<string, Access> => ({
    '/': root === 'none' ? 'read' : root,
    ...rest,
  });
  fc.assert(
    fc.property(settings, access.map(atRoot), (files, given) => {
      const alone = fileView(files, PLACES, DISK);
      const both = seen(files, given);
      for (const path of PATHS) {
        const before = sightOf(path, alone);
        const isOwn = before === 'empty' || path.startsWith(PLACES.cache);
        const nearest = withParents(path).findLast((folder) => given[folder] !== undefined) ?? '/';
        const limit = isOwn ? 'writable' : LIMITS[given[nearest] ?? 'read'];
        const least = Math.min(SIGHTS.indexOf(before), SIGHTS.indexOf(limit));
        expect([path, both(path)]).toEqual([path, SIGHTS[least]]);
      }
    }),
  );
});
