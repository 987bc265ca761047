import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { expect, it } from 'vitest';

import { findConfig, searchOrder, type ConfigSearch, type FileKind } from './find-config.js';

const CWD = resolve('/home/ann/code/app');
const SEARCH: ConfigSearch = { cwd: CWD, home: resolve('/home/ann'), platform: 'linux', environment: {} };

function filesOf(search: ConfigSearch): readonly string[] {
  return searchOrder(search).map(({ file }) => file);
}

function withFiles(files: Readonly<Record<string, FileKind>>): (file: string) => FileKind {
  const kinds = new Map(Object.entries(files).map(([file, kind]) => [resolve(file), kind]));
  return (file) => kinds.get(file) ?? 'absent';
}

it('looks upward from the working directory, then at the file of the user', () => {
  expect(filesOf(SEARCH)).toEqual(
    [
      '/home/ann/code/app/mcpmux.json',
      '/home/ann/code/app/.mcpmux/config.json',
      '/home/ann/code/mcpmux.json',
      '/home/ann/code/.mcpmux/config.json',
      '/home/ann/mcpmux.json',
      '/home/ann/.mcpmux/config.json',
      '/home/mcpmux.json',
      '/home/.mcpmux/config.json',
      '/mcpmux.json',
      '/.mcpmux/config.json',
      '/home/ann/.config/mcpmux/config.json',
    ].map((file) => resolve(file)),
  );
});

it('leaves out the files of projects where it was told to', () => {
  expect(filesOf({ ...SEARCH, projects: false })).toEqual([resolve('/home/ann/.config/mcpmux/config.json')]);
});

it('takes the nearest file and stops looking there', () => {
  const seen: string[] = [];
  const look = withFiles({
    '/home/ann/code/mcpmux.json': 'own',
    '/home/ann/.config/mcpmux/config.json': 'own',
  });
  const found = findConfig(SEARCH, (file) => {
    seen.push(file);
    return look(file);
  });
  const folder = resolve('/home/ann/code');
  expect(found).toEqual({
    kind: 'found',
    location: { file: resolve(folder, 'mcpmux.json'), origin: 'project', folder },
  });
  expect(seen).toHaveLength(3);
});

it.each([
  ['XDG_CONFIG_HOME', resolve('/cfg'), '/cfg/mcpmux/config.json'],
  ['XDG_CONFIG_HOME', 'relative', '/home/ann/.config/mcpmux/config.json'],
  ['XDG_CONFIG_HOME', '', '/home/ann/.config/mcpmux/config.json'],
])('with %s=%j the file of the user is %s', (name, value, file) => {
  expect(filesOf({ ...SEARCH, environment: { [name]: value } }).at(-1)).toBe(resolve(file));
});

it('on Windows the file of the user is under APPDATA', () => {
  const environment = { APPDATA: resolve('/roaming'), XDG_CONFIG_HOME: resolve('/cfg') };
  expect(filesOf({ ...SEARCH, platform: 'win32', environment }).at(-1)).toBe(
    resolve('/roaming/mcpmux/config.json'),
  );
});

it('--config wins over MCPMUX_CONFIG, which wins over what lies around', () => {
  const environment = { MCPMUX_CONFIG: 'b.json' };
  expect(filesOf({ ...SEARCH, environment, flag: 'a.json' })).toEqual([resolve(CWD, 'a.json')]);
  expect(filesOf({ ...SEARCH, environment })).toEqual([resolve(CWD, 'b.json')]);
});

it.each([
  [{ flag: 'a.json' }, 'flag'],
  [{ environment: { MCPMUX_CONFIG: 'a.json' } }, 'environment'],
] as const)('a file named by %j that is not there is missing, not passed over', (named, origin) => {
  const found = findConfig({ ...SEARCH, ...named }, withFiles({ '/home/ann/mcpmux.json': 'own' }));
  expect(found).toMatchObject({ kind: 'missing', location: { file: resolve(CWD, 'a.json'), origin } });
});

it('--no-config looks nowhere', () => {
  expect(findConfig({ ...SEARCH, flag: false }, () => 'own')).toEqual({ kind: 'none' });
});

it('the file of a project that belongs to another user is not used, and the search ends there', () => {
  const look = withFiles({ '/home/mcpmux.json': 'foreign', '/home/ann/.config/mcpmux/config.json': 'own' });
  expect(findConfig(SEARCH, look)).toMatchObject({ kind: 'foreign', location: { origin: 'project' } });
});

it('a file of another user that is named is used', () => {
  expect(findConfig({ ...SEARCH, flag: 'a.json' }, () => 'foreign')).toMatchObject({ kind: 'found' });
});

it('finds nothing where nothing is', () => {
  expect(
    findConfig({ ...SEARCH, cwd: resolve('/no/such'), environment: { XDG_CONFIG_HOME: resolve('/no') } }),
  ).toEqual({
    kind: 'none',
  });
});

it('looks at real files: a folder of that name is none, a file under a file is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpmux-find-'));
  try {
    mkdirSync(join(folder, 'mcpmux.json'));
    writeFileSync(join(folder, '.mcpmux'), '');
    const search = { ...SEARCH, cwd: folder, environment: { XDG_CONFIG_HOME: join(folder, 'xdg') } };
    expect(findConfig(search)).toEqual({ kind: 'none' });
    rmSync(join(folder, 'mcpmux.json'), { recursive: true });
    writeFileSync(join(folder, 'mcpmux.json'), '{}');
    expect(findConfig(search)).toMatchObject({ kind: 'found', location: { origin: 'project' } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.runIf(process.getuid?.() === 0)('sees whom a real file belongs to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpmux-find-'));
  try {
    const file = join(folder, 'mcpmux.json');
    writeFileSync(file, '{}');
    chownSync(file, 4321, 4321);
    expect(findConfig({ ...SEARCH, cwd: folder })).toMatchObject({ kind: 'foreign', location: { file } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
