import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import { expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM, openBrowser, watched } from './testing/browser.js';
import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, show } from './testing/page-browser.js';
import { SharedWindows, untilListed } from './testing/shared-windows.js';
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
