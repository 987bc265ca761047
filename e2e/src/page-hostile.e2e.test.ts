import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM, openBrowser, watched } from './testing/browser.js';
import { NODE } from './testing/built-cli.js';
import { HttpCli } from './testing/http-cli.js';

const SERVER = `<img src=x onerror="window.ran=1">`;
const PROGRAM = fileURLToPath(new URL('testing/scripting-server.mjs', import.meta.url));
const HTML_OF_SERVERS = `document.querySelectorAll('img, iframe, script:not([src]), a[href^="javascript"]').length`;

describe.skipIf(CHROMIUM === undefined)(`the page with hostile servers and pages${NO_CHROMIUM}`, () => {
  let folder: string;
  let mux: HttpCli;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let seen: ReturnType<typeof watched>;
  let evil: Server;
  let client: Client;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcpmux-page-'));
    const config = join(folder, 'mcpmux.json');
    const crashing = {
      command: NODE,
      args: ['-e', `console.error(${JSON.stringify(SERVER)}); process.exit(3)`],
    };
    const mcpServers = { [SERVER]: { command: NODE, args: [PROGRAM] }, '<b>crashing</b>': crashing };
    await writeFile(config, JSON.stringify({ mcpServers }));
    [mux, browser] = await Promise.all([HttpCli.open({ args: ['--ui', '--config', config] }), openBrowser()]);
    await mux.until(() => mux.stderr.includes('/ui/#'));
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    seen = watched(page);
    await page.goto(link());
    await page.locator('td').getByText('running').waitFor();
    client = new Client({ name: SERVER, version: SERVER });
    await client.connect(new StreamableHTTPClientTransport(mux.url));
    evil = createServer((_, response) => {
      const frame = `<iframe src="${mux.url.origin}/ui/"></iframe>`;
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>${frame}`);
    }).listen(0, '127.0.0.1');
    await once(evil, 'listening');
  });

  afterAll(async () => {
    evil?.close();
    await client?.close();
    await browser?.close();
    await mux?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  function link(): string {
    return /at (\S+\/ui\/#\S+)/.exec(mux.stderr)?.[1] ?? '';
  }

  async function show(view: string): Promise<void> {
    await page.getByRole('navigation').getByRole('link', { name: view, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: view, exact: true }).waitFor();
  }

  it('HTML and script in every field of a server stay text', async () => {
    for (const button of await page.locator('td button.link').all()) await button.click();
    expect(await page.evaluate(HTML_OF_SERVERS)).toBe(0);
    await show('Tools');
    for (const kind of ['Prompts', 'Resources', 'Templates', 'Tools']) {
      await page.getByRole('button', { name: kind, exact: true }).click();
      await page.locator('li button.link').last().click();
      expect(await page.evaluate(HTML_OF_SERVERS)).toBe(0);
    }
    await page.getByText('Definition', { exact: true }).click();
    await page.getByRole('button', { name: /^Call/ }).click();
    await page.getByText('The tool has failed').waitFor();
    await page.locator('li button.link', { hasText: '__ask_' }).click();
    await page.getByRole('button', { name: /^Call .*__ask_/ }).click();
    await page.getByText('This address is not opened').waitFor();
    expect(await page.evaluate(HTML_OF_SERVERS)).toBe(0);
    await page.getByRole('button', { name: 'Decline' }).click();
    for (const view of ['Calls', 'Logs', 'Clients', 'Health']) {
      await show(view);
      if (view === 'Calls') await page.locator('td button.link').first().click();
      expect(await page.evaluate(HTML_OF_SERVERS)).toBe(0);
    }
    await show('Clients');
    await page.locator('td button.link').first().click();
    await page.getByText('No message since').waitFor();
    await client.listTools();
    await page.locator('.timeline summary').first().click();
    await page.locator('.timeline').getByText('onerror').first().waitFor();
    expect(await page.evaluate(HTML_OF_SERVERS)).toBe(0);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(seen.problems).toEqual([]);
    expect([...seen.hosts]).toEqual([mux.url.host]);
  });

  it('a link that was used opens nothing in another browser', async () => {
    await using other = await browser.newContext();
    const replayed = await other.newPage();
    await replayed.goto(link());
    await replayed.getByRole('alert').waitFor();
    expect(await replayed.getByRole('alert').textContent()).toContain('used already');
    expect(await other.cookies()).toEqual([]);
  });

  it('another page of this machine cannot frame the page, nor read its data with the cookies of the browser', async () => {
    const { port } = evil.address() as AddressInfo;
    const other = await context.newPage();
    await other.goto(`http://127.0.0.1:${port}/`);
    const [frame] = other.frames().slice(1);
    expect(await frame?.content()).not.toContain('/ui/page.js');
    const read = `fetch('${mux.url.origin}/ui/api/overview', { credentials: 'include' })
      .then((answer) => answer.text(), () => 'refused')`;
    expect(await other.evaluate(read)).toBe('refused');
    const posted = `fetch('${mux.url.origin}/ui/api/remove', { method: 'POST', mode: 'no-cors',
      credentials: 'include', body: JSON.stringify({ name: ${JSON.stringify(SERVER)} }) }).then(() => 'sent')`;
    expect(await other.evaluate(posted)).toBe('sent');
    await show('Servers');
    await page.locator('td').getByText('running').waitFor();
  });
});
