import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Keyboard } from './testing/keyboard.js';
import { flaws, PageBrowser } from './testing/page-browser.js';

const TARGET = 'A command, a url, or a pasted block of mcpServers';

describe.skipIf(CHROMIUM === undefined)(`the page with the keyboard alone${NO_CHROMIUM}`, () => {
  const echo = fixtureServer('echo');
  let opened: PageBrowser;
  let page: Page;
  let keyboard: Keyboard;
  let client: Client;

  beforeAll(async () => {
    const off = { ...echo, disabled: true };
    opened = await PageBrowser.open({
      servers: { asking: fixtureServer('modern-asking'), echo, off, spare: echo },
    });
    ({ page } = opened);
    keyboard = new Keyboard(page);
    await opened.running('asking', 'echo', 'spare');
    client = new Client({ name: 'a-client', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(opened.mux.url));
  });

  afterAll(async () => {
    await client?.close();
    await opened?.[Symbol.asyncDispose]();
  });

  /** The servers in the file of the config. */
  async function written(): Promise<Readonly<Record<string, unknown>>> {
    const text = await readFile(join(opened.folder, 'mcpmux.json'), 'utf8');
    return (JSON.parse(text) as { readonly mcpServers: Readonly<Record<string, unknown>> }).mcpServers;
  }

  /** The names of the servers whose tools a client has. */
  async function used(): Promise<readonly string[]> {
    const { tools } = await client.listTools();
    return [
      ...new Set(tools.flatMap(({ name }) => (name.includes('__') ? [name.split('__', 1)[0] ?? ''] : []))),
    ];
  }

  async function view(name: string): Promise<void> {
    await keyboard.use(name);
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    expect(await keyboard.focus()).toBe(name);
  }

  /** The change that is shown has the focus, and is written from there. Gives the message about it. */
  async function write(): Promise<string> {
    await page.getByRole('group', { name: 'Change to the config' }).waitFor();
    expect(await keyboard.focus()).toBe('Change to the config');
    await keyboard.use('Write it');
    const message = page.getByRole('status').filter({ hasText: 'mcpmux.json' });
    return (await message.textContent()) ?? '';
  }

  async function pidOf(server: string): Promise<number> {
    const row = page.getByRole('row', { name: new RegExp(`^${server}\\b`) });
    return Number(await row.locator('[data-label="Process"]').textContent());
  }

  it('views are switched, and the focus stays on the link, or is at the content if the link goes away', async () => {
    await view('Health');
    await view('Calls');
    await keyboard.use('Try a tool');
    await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor();
    expect(await keyboard.focus()).toBe('main');
    await view('Servers');
  });

  it('the details of a server are opened, used and closed, and the focus is on the server again', async () => {
    await keyboard.use('echo');
    const details = page.getByRole('region', { name: 'echo' });
    await details.waitFor();
    await keyboard.use('Reload');
    await page.getByText('Reloaded echo.').waitFor();
    expect(await keyboard.focus()).toBe('Reload');
    await keyboard.use('Close');
    await details.waitFor({ state: 'detached' });
    expect(await keyboard.focus()).toBe('echo');
  });

  it('a server is disabled in the config, and its process ends', async () => {
    const pid = await pidOf('echo');
    await keyboard.press('Enter');
    await keyboard.use('Disable');
    expect(await write()).toContain('Disabled echo in');
    await page.getByRole('button', { name: 'Enable echo' }).waitFor();
    expect(await written()).toMatchObject({ echo: { ...echo, disabled: true } });
    expect(await used()).toEqual(['asking', 'spare']);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    // The button that had the focus has gone with the details.
    expect(await keyboard.focus()).toBe('Enable off');
  });

  it('a server is enabled in the config, and runs', async () => {
    await keyboard.use('Enable off');
    expect(await write()).toContain('Enabled off in');
    await opened.running('off');
    expect((await written())['off']).not.toHaveProperty('disabled', true);
    expect(await used()).toContain('off');
    expect(await keyboard.focus()).toBe('Enable echo');
  });

  it('a server is removed from the config after a second press, and its process ends', async () => {
    const pid = await pidOf('spare');
    await keyboard.use('spare');
    await keyboard.use('Remove');
    expect(await keyboard.focus()).toBe('Remove spare: sure?');
    expect(await written()).toHaveProperty('spare');
    await page.locator('[aria-disabled=true]').waitFor({ state: 'detached' });
    await keyboard.press('Enter');
    await page.getByRole('group', { name: 'Change to the config' }).waitFor();
    expect(await flaws(page, 'Remove')).toEqual([]);
    expect(await write()).toContain('Removed spare from');
    await page.getByRole('row', { name: /^spare/ }).waitFor({ state: 'detached' });
    expect(Object.keys(await written())).toEqual(['asking', 'echo', 'off']);
    expect(await used()).toEqual(['asking', 'off']);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await keyboard.focus()).toBe('Enable echo');
  });

  it('servers are added from a command and from a pasted block', async () => {
    await view('Add a server');
    await keyboard.fill('Name', 'typed');
    await keyboard.fill(TARGET, [echo.command, ...echo.args].join(' '));
    await keyboard.use('Show the change');
    expect(await write()).toContain('Added typed to');
    expect(await keyboard.focus()).toBe('Show the change');
    await keyboard.fill(TARGET, JSON.stringify({ mcpServers: { pasted: echo, second: echo } }));
    await keyboard.use('Show the change');
    await page.getByRole('group', { name: 'Change to the config' }).waitFor();
    await keyboard.use('Cancel');
    expect(await keyboard.focus()).toBe('Show the change');
    await keyboard.press('Enter');
    expect(await write()).toContain('Added pasted, second to');
    expect(await written()).toMatchObject({ typed: echo, pasted: echo, second: echo });
    await view('Servers');
    await opened.running('typed', 'pasted', 'second');
  });

  it('a tool is called, and the question of its server is answered', async () => {
    await view('Tools');
    await keyboard.fill('Search', 'asking__form');
    await keyboard.use('asking__form');
    await keyboard.use('Call asking__form');
    const question = page.getByRole('group', { name: 'Question of the server' });
    await question.waitFor();
    await keyboard.to('name');
    await page.keyboard.type('Ada');
    await keyboard.press('Enter');
    const result = page.getByRole('group', { name: 'Result' });
    await result.getByText('"name": "Ada"').waitFor();
    expect(await keyboard.focus()).toBe('Call asking__form');
    await keyboard.press('Enter');
    await question.waitFor();
    await keyboard.use('Decline');
    await result.getByText('"action": "decline"').waitFor();
    expect(await keyboard.focus()).toBe('Call asking__form');
    await keyboard.use('Close');
    expect(await keyboard.focus()).toBe('asking__form');
  });

  it('calls are filtered, and a call is opened and closed while the filter hides it', async () => {
    await view('Calls');
    await keyboard.fill('Filter', 'nothing-has-this-name');
    await page.getByText('No call matches the filter.').waitFor();
    await keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('form');
    await page.locator('tbody tr').first().waitFor();
    await keyboard.use('form');
    await page.getByRole('group', { name: 'Arguments' }).waitFor();
    await keyboard.fill('Filter', 'nothing-has-this-name');
    await page.getByText('No call matches the filter.').waitFor();
    await keyboard.use('Close');
    await page.getByRole('group', { name: 'Arguments' }).waitFor({ state: 'detached' });
    // The call that the panel was opened from is not in the list. The focus is where it was before the panel.
    expect(await keyboard.focus()).toBe('Pause');
  });

  it('nothing covers the focus on a narrow screen, in either direction', async () => {
    await page.setViewportSize({ width: 320, height: 480 });
    await view('Tools');
    await keyboard.fill('Search', 'asking__f');
    await keyboard.use('asking__form');
    await keyboard.to('Skip to the content');
    await keyboard.to('Call asking__form', 'Shift+Tab');
    await keyboard.to('Skip to the content', 'Shift+Tab');
    expect(await keyboard.focus()).toBe('Skip to the content');
  });

  it.each([
    ['that goes away gives it back to the last control of the content', false, 'Search'],
    ['that the user has left by a click gives nothing back when it goes away', true, 'nothing'],
  ])('a control with the focus %s', async (_, isLeft, expected) => {
    await keyboard.to('Search');
    await page.evaluate(`(() => {
      window.added = document.querySelector('header').appendChild(document.createElement('button'));
      window.added.focus();
    })()`);
    if (isLeft) await page.locator('.brand').click();
    await page.evaluate('window.added.remove()');
    expect(await keyboard.focus()).toBe(expected);
  });

  it('the user logs out', async () => {
    expect(opened.seen.problems).toEqual([]);
    await keyboard.use('Log out');
    await page.getByRole('heading', { name: 'This page is closed' }).waitFor();
    expect(await opened.context.cookies()).toEqual([]);
  });
});
