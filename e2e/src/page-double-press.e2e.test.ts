import { expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { PageBrowser } from './testing/page-browser.js';

it.skipIf(CHROMIUM === undefined)(
  `a double click and a held key on Remove ask, and do not act${NO_CHROMIUM}`,
  async () => {
    await using opened = await PageBrowser.open({ servers: { echo: fixtureServer('echo') } });
    await opened.running('echo');
    const page = await opened.context.newPage();
    const changes: unknown[] = [];
    await page.route('**/ui/api/config', async (route) => {
      changes.push(route.request().postDataJSON());
      await route.fallback();
    });
    await page.clock.install();
    await page.goto(`${opened.mux.url.origin}/ui/`);
    await page.getByRole('button', { name: 'echo', exact: true }).click();
    const remove = page.getByRole('button', { name: 'Remove', exact: true });
    const sure = page.getByRole('button', { name: 'Remove echo: sure?' });
    await remove.waitFor();
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1000);
    await remove.dblclick();
    await sure.waitFor();
    expect(await sure.getAttribute('aria-disabled')).toBe('true');
    expect(changes).toEqual([]);
    await page.clock.runFor(1000);
    expect(await sure.getAttribute('aria-disabled')).toBe('false');
    await page.keyboard.press('Tab');
    await remove.focus();
    await page.keyboard.down('Enter');
    await sure.waitFor();
    await page.clock.runFor(1000);
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    expect(await sure.count()).toBe(1);
    expect(changes).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Change to the config' }).waitFor();
    expect(changes).toMatchObject([{ kind: 'remove', name: 'echo', dryRun: true }]);
  },
);
