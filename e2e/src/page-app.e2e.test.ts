import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM, openBrowser, watched } from './testing/browser.js';
import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flawsOf, screenshot, SCHEMES } from './testing/page-browser.js';

const MARKUP = `<img src=x onerror="window.ran=1">`;
const UI = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
/** What a host has to allow a page that names no other host: text of the specification of MCP Apps, 2026-01-26. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; media-src 'self' data:; connect-src 'none'";
/** A host of MCP Apps, as small as one can be: `call` is what it does for the page. */
const HOST = `<!doctype html><title>host</title><body style="margin:0"><script>
  window.heard = [];
  addEventListener('message', async ({ data, source }) => {
    window.heard.push(data.method ?? 'response');
    const answer = (result) => source.postMessage({ jsonrpc: '2.0', id: data.id, result }, '*');
    if (data.method === 'ui/initialize')
      answer({ protocolVersion: '2026-01-26', hostInfo: { name: 'host', version: '1' },
        hostCapabilities: { serverTools: {} }, hostContext: { theme: 'light' } });
    if (data.method === 'ui/notifications/initialized')
      source.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: await call('list_servers') }, '*');
    if (data.method === 'tools/call') answer(await call(data.params.name));
  });
</script><iframe src="/app" sandbox="allow-scripts" style="width:100%;height:800px;border:0"></iframe>`;

/** What is wrong with the page in both schemes of its host, on a narrow and on a wide screen. */
async function flawsIn(page: Page, frame: Frame): Promise<readonly string[]> {
  const found: string[] = [];
  for (const theme of SCHEMES) {
    const changed = { jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params: { theme } };
    await page.evaluate(`frames[0].postMessage(${JSON.stringify(changed)}, '*')`);
    await frame.waitForFunction(`document.documentElement.style.colorScheme === '${theme}'`);
    for (const width of [320, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      await frame.waitForFunction(`innerWidth === ${width}`);
      found.push(...(await flawsOf(frame, `${theme} ${width}`)));
    }
  }
  return found;
}

/** As a chat shows it: light, and as high as it is. */
async function asChat(page: Page, frame: Frame): Promise<void> {
  const changed = {
    jsonrpc: '2.0',
    method: 'ui/notifications/host-context-changed',
    params: { theme: 'light' },
  };
  await page.evaluate(`frames[0].postMessage(${JSON.stringify(changed)}, '*')`);
  await frame.waitForFunction(`document.documentElement.style.colorScheme === 'light'`);
  await page.setViewportSize({ width: 1280, height: 320 });
  await frame.waitForFunction('innerWidth === 1280');
}

/** The page in a sandboxed frame of a host that has it from mcpmux. */
async function shown(page: Page, html: string, client: Client): Promise<Frame> {
  await page.exposeFunction('call', (name: string) => client.callTool({ name, arguments: {} }));
  const host = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (url === '/app') response.setHeader('content-security-policy', POLICY);
    response.end(url === '/app' ? html : HOST);
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  host.unref();
  await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  page.once('close', () => host.close());
  const [frame] = page.frames().slice(1);
  if (frame === undefined) throw new Error('there is no frame');
  return frame;
}

it.skipIf(CHROMIUM === undefined)(
  `a client that shows MCP Apps gets the servers as a page, in a sandbox, up to date on demand${NO_CHROMIUM}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcpmux-app-'));
    const config = join(folder, 'mcpmux.json');
    const failing = {
      command: NODE,
      args: ['-e', `console.error(${JSON.stringify(MARKUP)}); process.exit(3)`],
    };
    await writeFile(
      config,
      JSON.stringify({
        mcpServers: {
          echo: fixtureServer('echo'),
          progress: fixtureServer('progress'),
          broken: failing,
          [MARKUP]: failing,
        },
      }),
    );
    const client = new Client({ name: 'apps', version: '1' }, { capabilities: { extensions: UI } });
    const args = [CLI, 'serve', '--config', config];
    await client.connect(
      new StdioClientTransport({ command: NODE, args, env: cleanEnvironment(), stderr: 'ignore' }),
    );
    const browser = await openBrowser();
    try {
      const { tools } = await client.listTools();
      const listServers = tools.find(({ name }) => name === 'list_servers');
      expect(listServers).toMatchObject({ _meta: { ui: { resourceUri: 'ui://mcpmux/overview' } } });
      const { contents } = await client.readResource({ uri: 'ui://mcpmux/overview' });
      expect(contents).toMatchObject([{ mimeType: 'text/html;profile=mcp-app' }]);
      const html = String(contents[0] && 'text' in contents[0] && contents[0].text);
      expect(html).not.toMatch(/(?:src|href)="/);
      const page = await browser.newPage({ colorScheme: 'dark', viewport: { width: 1280, height: 900 } });
      const seen = watched(page);
      const frame = await shown(page, html, client);
      await frame.getByRole('row', { name: /^echo.*running/ }).waitFor();
      await frame.getByRole('button', { name: MARKUP }).click();
      await frame.getByRole('region', { name: MARKUP }).getByText('exited with code 3').waitFor();
      expect(await frame.evaluate('document.querySelectorAll("img").length')).toBe(0);
      // The browser prefers dark, the host is light.
      expect(await frame.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        'rgb(255, 255, 255)',
      );
      expect(await flawsIn(page, frame)).toEqual([]);
      await client.callTool({ name: 'remove_server', arguments: { name: MARKUP } });
      await frame.getByRole('button', { name: 'Refresh' }).click();
      await expect.poll(() => frame.getByRole('button', { name: MARKUP }).count()).toBe(0);
      await asChat(page, frame);
      await screenshot(page, 'Chat-light-1280');
      expect(await page.evaluate('window.heard')).toContain('ui/notifications/size-changed');
      expect([...seen.hosts]).toEqual([new URL(page.url()).host]);
      expect(seen.problems).toEqual([]);
    } finally {
      await browser.close();
      await client.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
