import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, PageBrowser, screenshot } from './testing/page-browser.js';

describe.skipIf(CHROMIUM === undefined)(
  `three tasks of a person who has not seen the page${NO_CHROMIUM}`,
  () => {
    const client = new Client({ name: 'a-client', version: '1' });
    let opened: PageBrowser;
    let page: Page;

    beforeAll(async () => {
      opened = await PageBrowser.open({
        servers: {
          broken: fixtureServer('exit-on-start'),
          echo: fixtureServer('echo'),
          faulty: fixtureServer('faulty'),
          progress: fixtureServer('progress'),
        },
        // The page is not open yet.
        before: async (mux) => {
          await client.connect(new StreamableHTTPClientTransport(mux.url));
          await client.listTools();
          await client.callTool({ name: 'echo__echo', arguments: { message: 'one' } });
          await client.callTool({ name: 'echo__slow_echo', arguments: { message: 'slow', delay_ms: 700 } });
          await client.callTool({ name: 'faulty__exit', arguments: {} }).catch(() => undefined);
          for (let call = 0; call < 20; call += 1)
            await client.callTool({ name: 'echo__echo', arguments: { message: `${call}` } });
        },
      });
      ({ page } = opened);
      await opened.running('echo', 'progress');
      await page.evaluate(
        `addEventListener('click', ({ isTrusted }) => (window.clicks += isTrusted ? 1 : 0))`,
      );
    });

    afterAll(async () => {
      await client.close();
      await opened?.[Symbol.asyncDispose]();
    });

    beforeEach(async () => {
      await opened.show('Servers');
      await page.evaluate('window.clicks = 0');
    });

    function clicks(): Promise<number> {
      return page.evaluate<number>('window.clicks');
    }

    function rows(name: string | RegExp): Locator {
      return page.getByRole('row', { name });
    }

    async function view(name: string): Promise<void> {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    }

    it('the reason of a crash is in the row of its server, and its last lines are one click away', async () => {
      await rows(/^broken exited with code 3: fatal: the configuration has no .token. .*crashed/).waitFor();
      await page
        .getByRole('link', { name: /failed/ })
        .first()
        .click();
      await page
        .getByRole('region', { name: 'broken' })
        .getByRole('group', { name: 'Last lines of broken' })
        .waitFor();
      expect(await clicks()).toBe(1);
      await screenshot(page, 'task-crash');
    });

    it('the slowest call of the last ten minutes is two clicks away, although it ended before the page was open', async () => {
      await view('Calls');
      await page.getByRole('button', { name: 'Slowest in 10 min' }).click();
      expect(await page.locator('tbody tr').first().textContent()).toMatch(/^slow_echo/);
      expect(await clicks()).toBe(2);
      await screenshot(page, 'task-slowest');
      expect(await flaws(page, 'Slowest')).toEqual([]);
    });

    it('a server is added from a pasted block, and its tool called, with six clicks', async () => {
      await view('Add a server');
      expect(await page.getByLabel(/pasted block/).getAttribute('placeholder')).toContain('"mcpServers"');
      const block = JSON.stringify({ mcpServers: { pasted: fixtureServer('env-dump') } });
      await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(block)});
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    })()`);
      await page.getByRole('button', { name: 'Show the change' }).click();
      await page.getByRole('button', { name: 'Write it' }).click();
      await page.getByRole('link', { name: 'Try the tools of pasted' }).click();
      await page
        .locator('button.link', { hasText: /^pasted__/ })
        .first()
        .click();
      await page.getByRole('button', { name: /^Call pasted__/ }).click();
      await page.getByRole('group', { name: 'Result' }).waitFor();
      expect(await clicks()).toBe(6);
      await screenshot(page, 'task-added');
    });

    it('each number leads to its list', async () => {
      const row = rows(/^echo/);
      await row.locator('[data-label="Calls"] a').click();
      await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor();
      await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(19);
      await view('Servers');
      await rows(/^faulty/)
        .locator('[data-label="Failed"] a')
        .click();
      await rows(/^exit /).waitFor();
      expect(await page.locator('tbody tr').count()).toBe(1);
      await view('Servers');
      await row.locator('[data-label="Tools"] a').click();
      await expect.poll(() => page.locator('.names li').count()).toBe(2);
      await view('Servers');
      await page.locator('.tiles').getByText('Failed calls').waitFor();
      await page.locator('.tiles a.bad, .tiles .bad a').last().click();
      await rows(/^exit /).waitFor();
      await view('Servers');
      await row.getByRole('button').click();
      const panel = page.getByRole('region', { name: 'echo', exact: true });
      await panel.getByRole('group', { name: 'Last log lines of echo' }).waitFor();
      await panel.getByRole('link', { name: 'echo__slow_echo' }).click();
      await page.getByRole('region', { name: 'echo__slow_echo' }).waitFor();
    });

    it('a running call shows its time in its button', async () => {
      await view('Tools');
      await page.getByLabel('Search').fill('slow_echo');
      await page.getByRole('button', { name: 'echo__slow_echo', exact: true }).click();
      await page.getByLabel(/^message/).fill('late');
      await page.getByLabel(/^delay_ms/).fill('3000');
      await page.getByRole('button', { name: 'Call echo__slow_echo' }).click();
      const button = page.locator('form.schema button.primary');
      await expect.poll(() => button.textContent()).toMatch(/^Calling for [1-3] s/);
      await page.getByRole('button', { name: 'Call echo__slow_echo' }).waitFor();
      expect(await page.getByRole('group', { name: 'Result' }).textContent()).toContain('late');
    });

    it('the page says which mcpmux it is: its clients, folder, config and process', async () => {
      const identity = (await page.locator('.identity').textContent()) ?? '';
      for (const fact of ['a-client', process.cwd(), 'mcpmux.json', `process ${opened.mux.child.pid}`])
        expect(identity).toContain(fact);
      expect(await page.title()).toContain('e2e');
    });

    it('on a phone a server is its name, its state, its tools and the failure', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      const card = rows(/broken/);
      const shown = await card
        .locator('td')
        .evaluateAll((cells) =>
          (cells as unknown as { checkVisibility(): boolean; dataset: { label: string } }[])
            .filter((cell) => cell.checkVisibility())
            .map(({ dataset }) => dataset.label),
        );
      expect(shown).toEqual(['Server', 'State', 'Tools']);
      await screenshot(page, 'phone');
      await page.setViewportSize({ width: 1280, height: 900 });
    });
  },
);
