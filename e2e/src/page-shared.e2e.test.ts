import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM, openBrowser, watched } from './testing/browser.js';
import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, show } from './testing/page-browser.js';
import { serversOf, SharedWindows, untilListed } from './testing/shared-windows.js';
import { textOf } from './testing/tool-response.js';

async function linkOf(shared: SharedWindows): Promise<string> {
  const env = cleanEnvironment(shared.environment);
  const child = spawn(NODE, [CLI, 'ui', '--no-open', '--json'], { env, cwd: shared.folder });
  return (JSON.parse(await text(child.stdout)) as { readonly url: string }).url;
}

it.skipIf(CHROMIUM === undefined)(
  `the page of a process that windows share shows each window, its servers and its messages${NO_CHROMIUM}`,
  async () => {
    const echo = { ...fixtureServer('echo'), mux: { shared: true } };
    await using shared = await SharedWindows.open({ echo });
    await using first = await shared.window();
    await using second = await shared.window();
    for (const window of [first, second]) await untilListed(window, 'echo__echo');
    await first.call('add_server', { name: 'mine', ...fixtureServer('echo') });
    const browser = await openBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const seen = watched(page);
      await page.goto(await linkOf(shared));
      for (const name of ['echo', 'mine'])
        await page.getByRole('row', { name: new RegExp(`^${name}\\b.*running`) }).waitFor();
      await show(page, 'Clients');
      const clients = page.locator('tbody tr');
      await expect.poll(() => clients.count()).toBe(2);
      await clients.last().getByRole('button').click();
      await page.getByText('No message since').waitFor();
      expect(textOf(await first.call('echo__echo', { message: 'of the first' }))).toBe('of the first');
      expect(textOf(await second.call('echo__echo', { message: 'of the second' }))).toBe('of the second');
      const timeline = page.getByRole('region', { name: /^Messages of/ });
      await timeline.getByText('result tools/call').first().waitFor();
      await expect.poll(() => timeline.textContent()).toContain('of the second');
      expect(await timeline.textContent()).not.toContain('of the first');
      await show(page, 'Calls');
      await expect.poll(() => page.getByRole('row', { name: /echo.*result/ }).count()).toBe(2);
      expect(await flaws(page, 'Shared')).toEqual([]);
      expect(seen.problems).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);

/** The pid of a server in the row of a table that names it and its window. */
async function pidIn(row: Locator): Promise<string> {
  return (await row.locator('[data-label="Process"]').textContent()) ?? '';
}

it.skipIf(CHROMIUM === undefined)(
  `the page of a shared process uses the servers of each window, also those of the same name${NO_CHROMIUM}`,
  async () => {
    const ours = fixtureServer('echo');
    await using shared = await SharedWindows.open({ ours });
    await using first = await shared.window();
    await using second = await shared.window();
    for (const window of [first, second]) {
      await untilListed(window, 'ours__echo');
      await window.call('add_server', { name: 'mine', ...fixtureServer('echo') });
    }
    const browser = await openBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const seen = watched(page);
      await page.goto(await linkOf(shared));
      const rows = page.getByRole('row', { name: /^mine session \d+ .*running/ });
      await expect.poll(() => rows.count()).toBe(2);
      await page.getByRole('row', { name: /^ours \S*mcpmux-shared-\S+ .*running/ }).waitFor();
      const names = await rows.locator('[data-label="Window"]').allTextContents();
      const [before, others] = [await pidIn(rows.nth(0)), await pidIn(rows.nth(1))];

      await show(page, 'Tools');
      const choice = page.getByLabel('Window');
      expect(await choice.locator('option').allTextContents()).toEqual([...names, shared.folder]);
      await choice.selectOption(names[1] ?? '');
      await page.getByRole('button', { name: 'mine__echo', exact: true }).click();
      await page.getByLabel(/^message/).fill('from the page');
      await page.getByRole('button', { name: 'Call mine__echo' }).click();
      await page.getByRole('group', { name: 'Result' }).getByText('from the page').waitFor();
      await choice.selectOption(shared.folder);
      await page.getByRole('button', { name: 'ours__echo', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'mine__echo', exact: true }).count()).toBe(0);
      expect(await flaws(page, 'Shared tools')).toEqual([]);

      await show(page, 'Logs');
      for (const pid of [before, others])
        await page
          .getByRole('listitem')
          .filter({ hasText: `pid ${pid},` })
          .filter({ hasText: 'mine' })
          .waitFor();

      await show(page, 'Servers');
      // The server of the second window started again for the page, its first client that accepts questions.
      await rows.nth(1).waitFor();
      const kept = await pidIn(rows.nth(1));
      await rows.nth(0).getByRole('button').click();
      await page.getByRole('button', { name: 'Reload', exact: true }).click();
      await page.getByText('Reloaded mine.').waitFor();
      await expect.poll(() => pidIn(rows.nth(0))).not.toBe(before);
      expect(await pidIn(rows.nth(1))).toBe(kept);
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByRole('button', { name: /^Remove mine: sure/ }).click();
      await expect.poll(() => rows.count()).toBe(1);
      expect(await pidIn(rows)).toBe(kept);
      expect((await serversOf(first)).map(({ name }) => name)).toEqual(['ours']);
      expect((await serversOf(second)).map(({ name }) => name)).toEqual(['ours', 'mine']);
      expect(await flaws(page, 'Shared servers')).toEqual([]);
      expect(seen.problems).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);
