import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import type { ServerConfig } from '@mcpmux/core';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { RememberedCatalog, rememberedCatalogFile } from './remembered-catalog.js';

const LISTS = { tools: ['{"name":"find"}'] };
const CONFIG: ServerConfig = { command: 'npx', args: ['x'], env: { TOKEN: 'hunter2' } };

let file = '';
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'mcpmux-state-')), 'deep', 'catalog.json');
});
afterEach(() => rmSync(resolve(file, '..', '..'), { recursive: true, force: true }));

function kept(config = CONFIG, lists: typeof LISTS | undefined = LISTS): RememberedCatalog {
  new RememberedCatalog(file).saveLists(new Map([['a', config]]), () => lists);
  return new RememberedCatalog(file);
}

it.skipIf(process.platform === 'win32')('what a server lists is there for this user alone', () => {
  kept();
  expect(statSync(file).mode & 0o077).toBe(0);
});

it('what a server lists is there in the next run, without values', () => {
  expect(kept().recall('a', CONFIG)).toEqual(LISTS);
  expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
});

it('another value of a variable leaves a server what it is', () => {
  expect(kept().recall('a', { ...CONFIG, env: { TOKEN: 'another' } })).toEqual(LISTS);
});

it.each<[string, ServerConfig]>([
  ['another command', { ...CONFIG, command: 'uvx' }],
  ['other arguments', { ...CONFIG, args: ['y'] }],
  ['another folder', { ...CONFIG, cwd: '/elsewhere' }],
  ['other variables', { ...CONFIG, env: {} }],
])('%s make it another one', (_, config) => {
  expect(kept().recall('a', config)).toBeUndefined();
});

it('of a server that does not run now, what it listed last is kept', () => {
  kept();
  new RememberedCatalog(file).saveLists(new Map([['a', CONFIG]]), () => undefined);
  expect(new RememberedCatalog(file).recall('a', CONFIG)).toEqual(LISTS);
});

it('a server that is gone is forgotten', () => {
  kept().saveLists(new Map(), () => undefined);
  expect(new RememberedCatalog(file).recall('a', CONFIG)).toBeUndefined();
});

it.each(['', '{', '[]', '{"version":2,"servers":{}}', '{"version":1,"servers":{"a":{"of":1}}}'])(
  'a file that says %j is as good as none',
  (text) => {
    kept();
    writeFileSync(file, text);
    expect(new RememberedCatalog(file).recall('a', CONFIG)).toBeUndefined();
  },
);

it.each<[NodeJS.Platform, Record<string, string>, string]>([
  ['linux', {}, '/home/ann/.local/state/mcpmux/catalogs'],
  ['darwin', { XDG_STATE_HOME: '/state' }, '/state/mcpmux/catalogs'],
  ['linux', { XDG_STATE_HOME: 'relative' }, '/home/ann/.local/state/mcpmux/catalogs'],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/mcpmux/catalogs'],
])('on %s with %j it is kept in %s', (platform, environment, folder) => {
  const places = { platform, environment, home: '/home/ann' };
  const one = rememberedCatalogFile('/home/ann/mcpmux.json', places);
  expect(resolve(one, '..')).toBe(resolve(folder));
  expect(rememberedCatalogFile('/home/ann/other.json', places)).not.toBe(one);
});
