import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, PageBrowser, tabTo } from './testing/page-browser.js';

const FIXTURE = new URL('../../packages/cli/src/testing/registry-fixture.json', import.meta.url);
const KEYRING = fileURLToPath(new URL('testing/keyring-in-file.cjs', import.meta.url));
const SECRET = 'hunter2hunter2';

/** A program that writes the token that it gets, and is a server then. */
function npx(file: string): string {
  const { command, args } = fixtureServer('echo');
  return `#!/bin/sh\nprintf %s "$FILES_TOKEN" > '${file}'\nexec '${command}' '${args.join("' '")}'\n`;
}

describe.skipIf(CHROMIUM === undefined)(`the registry on the page${NO_CHROMIUM}`, () => {
  const requests: string[] = [];
  let state: string;
  let registry: Server;
  let opened: PageBrowser;
  let page: Page;

  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), 'mcpmux-state-'));
    const { pages } = JSON.parse(await readFile(FIXTURE, 'utf8')) as {
      readonly pages: Readonly<Record<string, object>>;
    };
    registry = createServer(({ url = '' }, response) => {
      requests.push(url);
      const cursor = new URL(url, 'http://registry').searchParams.get('cursor') ?? '';
      response.setHeader('content-type', 'application/json').end(JSON.stringify(pages[cursor]));
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    const { port } = registry.address() as AddressInfo;
    await writeFile(join(state, 'npx'), npx(join(state, 'given')), { mode: 0o755 });
    const env = {
      MCPMUX_REGISTRY: `http://127.0.0.1:${port}`,
      XDG_STATE_HOME: state,
      PATH: [state, process.env['PATH'] ?? ''].join(delimiter),
      NAPI_RS_NATIVE_LIBRARY_PATH: KEYRING,
      KEYRING_FILE: join(state, 'keyring.json'),
    };
    opened = await PageBrowser.open({ servers: {}, env });
    ({ page } = opened);
  });

  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    registry?.close();
    await rm(state, { recursive: true, force: true });
  });

  async function search(words: string): Promise<void> {
    await page.getByLabel('Search the registry').fill(words);
    await page.keyboard.press('Enter');
  }

  it('servers of all pages of the registry are found, with what keeps some from being used', async () => {
    await opened.show('Add a server');
    await search('files');
    await page.getByText('5 found.').waitFor();
    expect(requests).toHaveLength(2);
    const deprecated = page.getByRole('listitem').filter({ hasText: 'com.example/old-files' });
    expect(await deprecated.textContent()).toContain('deprecated use io.github.example/mcp-server-files');
    const odd = page.getByRole('listitem').filter({ hasText: 'com.example/odd-files' });
    expect(await odd.textContent()).toContain('packages of the type floppy are not supported');
    expect(await odd.getByRole('button').count()).toBe(0);
    expect(await page.getByText('gone-files').count()).toBe(0);
    expect(await flaws(page, 'Registry')).toEqual([]);
  });

  it('the values of a choice are asked for and fill the form, with the keyboard alone', async () => {
    await tabTo(page, 'Use npm @example/files (needs FILES_TOKEN, FOLDER)');
    await page.keyboard.press('Enter');
    const asked = page.getByRole('form', { name: 'Values for io.github.example/mcp-server-files' });
    expect(await asked.getByLabel('Name here').inputValue()).toBe('files');
    expect(await asked.getByLabel('FILES_TOKEN').getAttribute('type')).toBe('password');
    expect(await flaws(page, 'Values')).toEqual([]);
    await asked.getByLabel('FOLDER').fill('/notes');
    await tabTo(page, 'Fill in the form');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('files');
    await tabTo(page, 'Show the change');
    await page.keyboard.press('Enter');
    const change = page.getByRole('group', { name: 'Change to the config' });
    await expect.poll(() => change.textContent()).toContain('"FILES_TOKEN": "${FILES_TOKEN}"');
    expect(await change.textContent()).toContain('"/notes"');
    await tabTo(page, 'Cancel');
    await page.keyboard.press('Enter');
    await change.waitFor({ state: 'detached' });
  });

  it('a secret is in no text of the page, and the entry refers to it by name', async () => {
    await page.getByRole('button', { name: 'Use npm @example/files' }).click();
    const asked = page.getByRole('form', { name: 'Values for io.github.example/mcp-server-files' });
    await asked.getByLabel('FILES_TOKEN').fill(SECRET);
    await asked.getByLabel('FOLDER').fill('/notes');
    await asked.getByRole('button', { name: 'Fill in the form' }).click();
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show the change' }).click();
    const change = page.getByRole('group', { name: 'Change to the config' });
    await expect.poll(() => change.textContent()).toContain('"FILES_TOKEN": "${secret:files.FILES_TOKEN}"');
    expect(await page.content()).not.toContain(SECRET);
    expect(existsSync(join(state, 'keyring.json'))).toBe(false);
  });

  it('a secret is in the keyring once the change is written, not in the config, and the server gets it', async () => {
    await page.getByRole('button', { name: 'Write it' }).click();
    await page.getByText('Added files to').waitFor();
    const keyring = await readFile(join(state, 'keyring.json'), 'utf8');
    expect(JSON.parse(keyring)).toEqual({ 'mcpmux/files.FILES_TOKEN': SECRET });
    const config = await readFile(join(opened.folder, 'mcpmux.json'), 'utf8');
    expect(config).toContain('"FILES_TOKEN": "${secret:files.FILES_TOKEN}"');
    expect(config).not.toContain(SECRET);
    await opened.show('Servers');
    await opened.running('files');
    expect(await readFile(join(state, 'given'), 'utf8')).toBe(SECRET);
    await page.getByRole('button', { name: 'files', exact: true }).click();
    await page.getByRole('region', { name: 'files' }).getByText('Command', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(SECRET);
    expect(opened.mux.stderr).not.toContain(SECRET);
    await opened.show('Add a server');
  });

  it('a registry that is down is answered for by what was stored, and the page says so', async () => {
    registry.close();
    registry.closeAllConnections();
    await search('company');
    await page.getByText('The registry cannot be reached; this is what it answered at').waitFor();
    await page.getByText('com.example/remote-files').waitFor();
    expect(opened.seen.problems).toEqual([]);
  });
});
