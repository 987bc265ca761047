import { existsSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { Server } from 'node:net';
import { join } from 'node:path';

import { ConfigReconciler } from '@mcpmux/config/follow';
import { createMux, type Mux } from '@mcpmux/core';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { configInForce } from '../config/config-in-force.js';
import { StderrLogger } from '../log/stderr-logger.js';
import { ServedPage } from './served-page.js';

let mux: Mux;

beforeEach(() => {
  mux = createMux();
});

afterEach(async () => {
  await mux.close();
});

const logger = new StderrLogger('silent', 'json');
const location = (folder: string) => ({ file: join(folder, 'mcpmux.json'), origin: 'flag', folder }) as const;

function pageOf(folder: string, reconciler?: ConfigReconciler): ServedPage {
  const page = new ServedPage({
    mux,
    location: location(folder),
    logger,
    options: { limits: {} },
    applyConfig: async () => reconciler?.apply(),
    activeConfig: configInForce(() => reconciler?.applied),
  });
  onTestFinished(() => page.close());
  return page;
}

/** Opens a link as a browser does. Returns the functions that read the overview, and that change the config. */
async function opened(link: string) {
  const { origin, hash } = new URL(link);
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ token: hash.slice(1) });
  const login = await fetch(`${origin}/ui/api/login`, { method: 'POST', headers: json, body });
  const { key } = (await login.json()) as { readonly key: string };
  const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';');
  const headers = { cookie, 'x-mcpmux-page': key };
  const change = { method: 'POST', headers: { ...headers, ...json } };
  return {
    overview: async (): Promise<unknown> => (await fetch(`${origin}/ui/api/overview`, { headers })).json(),
    change: async (wanted: object): Promise<unknown> =>
      (await fetch(`${origin}/ui/api/config`, { ...change, body: JSON.stringify(wanted) })).json(),
  };
}

it('overviews tell of the config in force, and read neither its file nor the keyring', async () => {
  await using folder = await temporaryFolder();
  const servers = { far: { url: '${secret:far.URL}' }, off: { command: 'x', disabled: true } };
  const file = { mcpServers: servers, guards: { rateLimit: { perSecond: 5 } } };
  await writeFile(location(folder.path).file, JSON.stringify(file));
  const get = vi.fn<(name: string) => string>(() => 'http://127.0.0.1:1/');
  const context = { environment: {}, home: folder.path, cwd: folder.path, keyring: { get } };
  const reconciler = new ConfigReconciler(location(folder.path), { mux, logger, context });
  reconciler.apply();
  const { overview } = await opened(await pageOf(folder.path, reconciler).createLink(false));
  get.mockClear();
  await writeFile(location(folder.path).file, '{ "mcpServers": { broken');
  for (let time = 0; time < 3; time += 1)
    expect(await overview()).toMatchObject({
      mcpmux: { rules: { Guards: 'rateLimit' } },
      config: [
        { name: 'far', status: 'ready' },
        { name: 'off', status: 'disabled' },
      ],
      servers: [{ name: 'far', isOfConfig: true }],
    });
  expect(get).not.toHaveBeenCalled();
});

it('a page that could not be served once is served with the next link', async () => {
  await using folder = await temporaryFolder();
  const page = pageOf(folder.path);
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(() => {
    throw new Error('the port is taken');
  });
  onTestFinished(() => listen.mockRestore());
  await expect(page.createLink(false)).rejects.toThrow('the port is taken');
  const { overview } = await opened(await page.createLink(false));
  expect(await overview()).toMatchObject({ mayManage: true });
});

it('a refused change tells the details and the next step', async () => {
  await using folder = await temporaryFolder();
  await writeFile(location(folder.path).file, '{ "mcpServers": { broken');
  const { change } = await opened(await pageOf(folder.path).createLink(false));
  expect(await change({ kind: 'remove', name: 'x', dryRun: true })).toEqual({
    error: expect.stringMatching(
      /cannot be used[^]*\n[^]*mcpmux\.json:1[^]*\nNext: correct the config/,
    ) as string,
  });
});

it('a browser is sent to a link by a file of this user alone, which goes with the use of the link', async () => {
  await using folder = await temporaryFolder();
  vi.stubEnv('MCPMUX_RUNTIME_DIR', folder.path);
  onTestFinished(() => void vi.unstubAllEnvs());
  const page = pageOf(folder.path);
  const [one, other] = [await page.createOpeningFile(false), await page.createOpeningFile(true)];
  expect(statSync(one.file).mode & 0o777).toBe(0o600);
  expect(await readFile(one.file, 'utf8')).toContain(`content="0; url=${one.url}"`);
  await opened(one.url);
  expect([existsSync(one.file), existsSync(other.file)]).toEqual([false, true]);
  page.close();
  expect(existsSync(other.file)).toBe(false);
});

it('the file of a link that nobody opens is removed when the link is too old', async () => {
  await using folder = await temporaryFolder();
  vi.stubEnv('MCPMUX_RUNTIME_DIR', folder.path);
  onTestFinished(() => void vi.unstubAllEnvs());
  const page = pageOf(folder.path);
  await page.createLink(false);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { file } = await page.createOpeningFile(false);
  vi.advanceTimersByTime(119_999);
  expect(existsSync(file)).toBe(true);
  vi.advanceTimersByTime(1);
  expect(existsSync(file)).toBe(false);
});
