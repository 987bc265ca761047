import { existsSync, mkdtempSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { parseAnnouncement } from './announcement.js';
import {
  instanceFolder,
  removeFolderIfEmpty,
  makePrivateFolder,
  socketPath,
  type FolderContext,
} from './instance-folder.js';

const user = process.getuid?.();
const PLACES: FolderContext = { environment: {}, platform: 'linux', temporaryFolder: '/tmp', user: 1000 };
const HERE: FolderContext = { ...PLACES, user };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpmux-run-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [{ MCPMUX_RUNTIME_DIR: '/own', XDG_RUNTIME_DIR: '/run/user/1000' }, '/own'],
  [{ XDG_RUNTIME_DIR: '/run/user/1000' }, join('/run/user/1000/mcpmux')],
  [{ XDG_RUNTIME_DIR: 'relative' }, join('/tmp/mcpmux-1000')],
  [{}, join('/tmp/mcpmux-1000')],
])('with %j instances announce themselves in %s', (environment, expected) => {
  expect(instanceFolder({ ...PLACES, environment })).toBe(expected);
});

it.skipIf(user === undefined)('the folder is made for this user alone', () => {
  const own = join(folder, 'a', 'mcpmux');
  makePrivateFolder(own, HERE);
  makePrivateFolder(own, HERE);
  expect(statSync(own).mode & 0o777).toBe(0o700);
});

it.skipIf(user === undefined)('the last one takes the folder away, unless the user has named it', () => {
  const own = join(folder, 'mcpmux');
  makePrivateFolder(own, HERE);
  writeFileSync(join(own, '1.json'), '');
  removeFolderIfEmpty(own, HERE);
  expect(existsSync(own)).toBe(true);
  rmSync(join(own, '1.json'));
  removeFolderIfEmpty(own, { ...HERE, environment: { MCPMUX_RUNTIME_DIR: own } });
  expect(existsSync(own)).toBe(true);
  removeFolderIfEmpty(own, HERE);
  removeFolderIfEmpty(own, HERE);
  expect(existsSync(own)).toBe(false);
});

it.skipIf(user === undefined)('a folder that others can enter is not used', () => {
  const open = join(folder, 'open');
  mkdirSync(open, { mode: 0o755 });
  expect(() => makePrivateFolder(open, HERE)).toThrow('this user alone');
});

it.skipIf(user === undefined)('a link that somebody has laid there is not followed', () => {
  const link = join(folder, 'link');
  symlinkSync(folder, link);
  expect(() => makePrivateFolder(link, HERE)).toThrow('this user alone');
});

it('a folder of another user is not used', () => {
  const own = join(folder, 'own');
  mkdirSync(own, { mode: 0o700 });
  expect(() => makePrivateFolder(own, { ...HERE, user: 4711 })).toThrow('this user alone');
});

it('a path that is too long for a socket is told', () => {
  expect(() => socketPath(`/${'x'.repeat(120)}`, 'id', 'linux')).toThrow('set MCPMUX_RUNTIME_DIR');
  expect(socketPath('/run', 'id', 'win32')).toBe('\\\\.\\pipe\\mcpmux-id');
});

it('an announcement of something else counts for nothing', () => {
  const announcement = { id: 'a', pid: 1, socket: '/s', version: '0', started: 0, cwd: '/' };
  expect(parseAnnouncement(JSON.stringify(announcement))).toEqual(announcement);
  for (const text of ['', '{', '{}', JSON.stringify({ ...announcement, pid: -1 })]) {
    expect(parseAnnouncement(text)).toBeUndefined();
  }
});
