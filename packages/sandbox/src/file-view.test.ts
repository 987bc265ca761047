import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Disk } from './disk.js';
import { fileView, type ViewPaths } from './file-view.js';
import type { FileSettings } from './settings.js';
import { sightOf } from './sight-of.js';
import type { Sight } from './sights.js';

const PLACES: ViewPaths = {
  home: '/home/ann',
  cwd: '/home/ann/work',
  cache: '/home/ann/.local/state/mcpmux/sandbox/1',
  emptiedFolders: ['/tmp', '/run'],
  neededPaths: ['/etc/resolv.conf'],
  secrets: ['/home/ann/.local/state/mcpmux', '/home/ann/work/.vscode/mcp.json'],
};

/** A disk with these files; a link is given with its target. */
function diskOf(...files: readonly string[]): Disk {
  const links = new Map(
    files.map((file): [string, string | undefined] => [
      file.replace(/ -> .*/, ''),
      / -> (.*)/.exec(file)?.[1],
    ]),
  );
  const folders = new Set([...links.keys()].flatMap((path) => parents(path)));
  return {
    real: (path) => links.get(path) ?? (links.has(path) || folders.has(path) ? path : undefined),
    isFolder: (path) => folders.has(path),
  };
}

function parents(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1, -1).map((_, index) => parts.slice(0, index + 2).join('/'));
}

const DISK = diskOf(
  '/home/ann/work/src/a.ts',
  '/home/ann/work/.git/hooks/x',
  '/home/ann/work/.git/config',
  '/home/ann/.ssh/id',
  '/home/ann/.ssh/known_hosts',
  '/home/ann/.netrc',
  '/home/ann/.Xauthority',
  '/home/ann/.ICEauthority',
  '/tmp/x/a',
  '/run/user/1/bus',
  '/home/ann/.local/state/mcpmux/sandbox/1/npm/x',
  '/etc/resolv.conf -> /run/resolve/resolv.conf',
  '/run/resolve/resolv.conf',
  '/home/ann/out/a',
  '/home/ann/link -> /home/ann/.ssh',
  '/etc/shadow',
);

/** Paths of the disk that are no links. */
const PROBED = [
  '/home/ann/work/src/a.ts',
  '/home/ann/work/.git/hooks/x',
  '/home/ann/work/.git/config',
  '/home/ann/.ssh/id',
  '/home/ann/.netrc',
  '/tmp/x/a',
  '/run/user/1/bus',
  '/home/ann/.local/state/mcpmux/sandbox/1/npm/x',
  '/run/resolve/resolv.conf',
  '/home/ann/out/a',
];

describe('the view of a confined server', () => {
  const view = fileView({}, PLACES, DISK);
  const sight = (path: string) => sightOf(path, view);

  it('is read-only where no rule applies', () => {
    expect(sight('/usr/bin/node')).toBe('read-only');
    expect(sight('/home/ann/out/a')).toBe('read-only');
    expect(sight('/home/ann/.bashrc')).toBe('read-only');
  });

  it('has a writable working directory, and caches of its own', () => {
    expect(sight('/home/ann/work/src/b.ts')).toBe('writable');
    expect(sight('/home/ann/.local/state/mcpmux/sandbox/1/npm')).toBe('writable');
    expect(sight('/home/ann/.local/state/mcpmux/sandbox/2/npm')).toBe('hidden');
  });

  it('hides secrets that exist', () => {
    for (const path of [
      '/home/ann/.ssh/id',
      '/home/ann/.netrc',
      '/home/ann/.Xauthority',
      '/home/ann/.ICEauthority',
      '/etc/shadow',
      '/home/ann/.local/state/mcpmux/x',
    ])
      expect(sight(path)).toBe('hidden');
    expect(view.some(({ path }) => path === '/home/ann/.aws')).toBe(false);
  });

  it('has empty folders for temporary files, with the files that every program needs', () => {
    expect(sight('/tmp/x/a')).toBe('empty');
    expect(sight('/run/user/1/bus')).toBe('empty');
    expect(sight('/run/resolve/resolv.conf')).toBe('read-only');
  });

  it('protects in a writable folder what other programs run, and pins the folders on the way', () => {
    expect(sight('/home/ann/work/.git/hooks/pre-commit')).toBe('read-only');
    expect(sight('/home/ann/work/.git/objects')).toBe('writable');
    expect(view.find(({ path }) => path === '/home/ann/work/.git')?.sight).toBe('writable');
  });

  it('lets one enter a hidden folder only where something in it is shown', () => {
    const passable = view.filter(({ isPassable, sight: kind }) => kind === 'hidden' && isPassable);
    expect(passable.map(({ path }) => path)).toEqual(['/home/ann/.local/state/mcpmux']);
  });
});

describe('settings', () => {
  it('show a secret where they name it, and nothing beside it', () => {
    const view = fileView({ allowRead: ['~/.ssh/known_hosts'] }, PLACES, DISK);
    expect(sightOf('/home/ann/.ssh/known_hosts', view)).toBe('read-only');
    expect(sightOf('/home/ann/.ssh/id', view)).toBe('hidden');
  });

  it('make a folder writable, and a deeper one read-only or hidden', () => {
    const settings = { allowWrite: ['~/out'], denyWrite: ['./src'], denyRead: ['./src/a.ts'] };
    const view = fileView(settings, PLACES, DISK);
    expect(sightOf('/home/ann/out/a', view)).toBe('writable');
    expect(sightOf('/home/ann/work/src/b.ts', view)).toBe('read-only');
    expect(sightOf('/home/ann/work/src/a.ts', view)).toBe('hidden');
  });

  it('open a protected path that they name', () => {
    const view = fileView({ allowWrite: ['.git/hooks'] }, PLACES, DISK);
    expect(sightOf('/home/ann/work/.git/hooks/x', view)).toBe('writable');
    expect(sightOf('/home/ann/work/.git/config', view)).toBe('read-only');
  });

  it('deny where they allow and deny the same path', () => {
    const view = fileView({ allowWrite: ['~/out'], denyRead: ['~/out'] }, PLACES, DISK);
    expect(sightOf('/home/ann/out/a', view)).toBe('hidden');
  });

  it.each([
    ['a link, which a server could have replaced', { allowWrite: ['~/link'] }, 'Write /home/ann/.ssh itself'],
    ['a link to read', { allowRead: ['~/link'] }, 'leads to /home/ann/.ssh by a symbolic link'],
    [
      'a missing folder',
      { allowWrite: ['./none'] },
      '/home/ann/work/none (allowWrite), which does not exist',
    ],
  ])('refuse %s', (_, settings, message) => {
    expect(() => fileView(settings, PLACES, DISK)).toThrow(message);
  });
});

describe('the working directory', () => {
  it.each(['/home/ann', '/home', '/'])(
    '%s is not writable: other programs run files in the home folder',
    (cwd) => {
      const disk = { ...DISK, real: (path: string) => (path === '/' ? '/' : DISK.real(path)) };
      const view = fileView({}, { ...PLACES, cwd }, disk);
      expect(sightOf('/home/ann/.bashrc', view)).toBe('read-only');
    },
  );

  it('among secrets is refused', () => {
    expect(() => fileView({}, { ...PLACES, cwd: '/home/ann/.ssh' }, DISK)).toThrow(
      'lies in a folder with secrets',
    );
  });

  it('behind a link is refused', () => {
    expect(() => fileView({}, { ...PLACES, cwd: '/home/ann/link' }, DISK)).toThrow(
      'Write /home/ann/.ssh itself',
    );
  });
});

describe('a rule to deny', () => {
  const denied = (path: string): Disk => ({ ...DISK, real: (one) => (one === path ? path : DISK.real(one)) });

  it.each(['~/.ssh', '~/.ssh/id', '/run/user/1/bus', '/tmp/x', '~/.local/state/mcpmux'])(
    'to write %s does not show it',
    (path) => {
      const views = [{}, { denyWrite: [path] }].map((settings) => fileView(settings, PLACES, DISK));
      for (const one of [
        '/home/ann/.ssh/id',
        '/run/user/1/bus',
        '/tmp/x/a',
        '/home/ann/.local/state/mcpmux/x',
      ])
        expect(new Set(views.map((view) => sightOf(one, view))).size).toBe(1);
    },
  );

  it.each(['/', '/proc', '/proc/1/root', '/dev', '/dev/shm', '../../..'])('about %s is refused', (path) => {
    for (const key of ['allowRead', 'allowWrite', 'denyRead', 'denyWrite'] as const)
      expect(() => fileView({ [key]: [path] }, PLACES, denied(path))).toThrow(
        `(${key}). It cannot have rules`,
      );
  });

  it('by a link to / is refused', () => {
    const disk: Disk = { ...DISK, real: (path) => (path === '/home/ann/root' ? '/' : DISK.real(path)) };
    expect(() => fileView({ denyWrite: ['~/root'] }, PLACES, disk)).toThrow('It cannot have rules');
  });

  it('never makes a path more visible', () => {
    const HIDDEN = '/home/ann/.local/state/mcpmux/sandbox/1/npm';
    const VISIBLE: readonly Sight[] = ['hidden', 'empty', 'read-only', 'writable'];
    const files = [...PROBED, ...PROBED.map((path) => path.replace(/\/[^/]+$/, ''))];
    const some = fc.subarray(files, { maxLength: 3 });
    const keys = { allowRead: some, allowWrite: some, denyRead: some, denyWrite: some };
    const settings = fc.record<Required<FileSettings>>(keys);
    fc.assert(
      fc.property(settings, some, fc.constantFrom('denyRead', 'denyWrite'), (before, added, key) => {
        const after = { ...before, [key]: [...before[key], ...added] };
        const [old, now] = [before, after].map((one) => fileView(one, PLACES, DISK));
        for (const path of files) {
          const [was, is] = [old, now].map((view = []) => VISIBLE.indexOf(sightOf(path, view)));
          expect(is).toBeLessThanOrEqual(was ?? -1);
        }
      }),
      {
        examples: [
          // A rule to deny writes below a folder that another rule hides.
          [
            { allowRead: [], allowWrite: [], denyRead: [HIDDEN], denyWrite: [] },
            [`${HIDDEN}/x`],
            'denyWrite',
          ],
        ],
      },
    );
  });
});

describe('what is protected', () => {
  it('stays hidden where it holds secrets, also behind a link that a server has made', () => {
    const disk = diskOf(
      '/home/ann/work/mcpmux.json',
      '/home/ann/work/.vscode -> /run/user/1/bus',
      '/run/user/1/bus',
    );
    const places = { ...PLACES, cache: '/home/ann/work', secrets: ['/home/ann/work/mcpmux.json'] };
    const view = fileView({}, places, disk);
    expect(sightOf('/home/ann/work/mcpmux.json', view)).toBe('hidden');
    expect(sightOf('/run/user/1/bus', view)).toBe('empty');
  });

  it('is .git itself where it is a file, which names the folder of git', () => {
    const view = fileView({}, PLACES, diskOf('/home/ann/work/.git', '/home/ann/work/a'));
    expect(sightOf('/home/ann/work/.git', view)).toBe('read-only');
  });

  it('is protected also where the writable folder lies in .git', () => {
    const view = fileView({}, { ...PLACES, cwd: '/home/ann/work/.git' }, DISK);
    expect(sightOf('/home/ann/work/.git/hooks/x', view)).toBe('read-only');
    expect(sightOf('/home/ann/work/.git/objects', view)).toBe('writable');
  });

  it('is no working directory, but by a setting, or for a repository of its own', () => {
    const cwd = '/home/ann/work/.git/hooks';
    expect(() => fileView({}, { ...PLACES, cwd }, DISK)).toThrow('holds files that other programs run');
    expect(sightOf(cwd, fileView({ allowWrite: ['.'] }, { ...PLACES, cwd }, DISK))).toBe('writable');
    const worktree = '/home/ann/work/.claude/worktrees/a';
    const disk = diskOf(`${worktree}/.git`);
    expect(sightOf(worktree, fileView({}, { ...PLACES, cwd: worktree }, disk))).toBe('writable');
  });
});
