import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { LoginFiles } from './login-files.js';

const URL_A = 'https://a.example/mcp?key=s3cret';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mcpmux-logins-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function files(): LoginFiles {
  return new LoginFiles({
    environment: { XDG_STATE_HOME: home, LOCALAPPDATA: home },
    home,
    platform: process.platform,
  });
}

it('a login is kept by its url, also for another process, until it is forgotten', async () => {
  await files().save(URL_A, { token: 'one' });
  await files().save('https://b.example/mcp', { token: 'two' });
  expect(await files().load(URL_A)).toEqual({ token: 'one' });
  expect(await files().forget(URL_A)).toBe(true);
  expect(await files().load(URL_A)).toBeUndefined();
  expect(await files().forget(URL_A)).toBe(false);
  expect(await files().load('https://b.example/mcp')).toEqual({ token: 'two' });
});

it.skipIf(process.platform === 'win32')(
  'fault H3: only its owner can read it, and its name tells nothing',
  async () => {
    const file = files().fileOf(URL_A);
    await files().save(URL_A, { token: 'one' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(file)).join()).toMatch(/^[\da-f]{32}\.json$/);
  },
);

it('a file that holds no login is none', async () => {
  await files().save(URL_A, { token: 'one' });
  writeFileSync(files().fileOf(URL_A), '{"token":');
  expect(await files().load(URL_A)).toBeUndefined();
});

it('changes by several processes at once are all kept, and a login that is not there is not made', async () => {
  await files().save(URL_A, { count: 0 });
  const increase = (): Promise<void> =>
    files().change(URL_A, (login) => ({ count: Number(login['count']) + 1 }));
  await Promise.all(Array.from({ length: 5 }, increase));
  expect(await files().load(URL_A)).toEqual({ count: 5 });
  expect(readdirSync(dirname(files().fileOf(URL_A)))).toHaveLength(1);
  await files().forget(URL_A);
  await increase();
  expect(await files().load(URL_A)).toBeUndefined();
});

it('a login that is forgotten while its tokens are written stays forgotten', async () => {
  await files().save(URL_A, { token: 'one' });
  let isForgotten: unknown;
  await files().change(URL_A, () => {
    isForgotten = files().forget(URL_A);
    return { token: 'two' };
  });
  expect(await isForgotten).toBe(true);
  expect(await files().load(URL_A)).toBeUndefined();
});

it('to forget a login where none was saved leaves no trace', async () => {
  expect(await files().forget(URL_A)).toBe(false);
  expect(readdirSync(home)).toEqual([]);
});
