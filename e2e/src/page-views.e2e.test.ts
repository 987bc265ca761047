import { tmpdir } from 'node:os';

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, PageBrowser, realServers, show, VIEWS } from './testing/page-browser.js';

describe.skipIf(CHROMIUM === undefined)(`the page in a browser${NO_CHROMIUM}`, () => {
  it('every view at every width and in both schemes has no accessibility violation and no sideways scrolling', async () => {
    await using opened = await PageBrowser.open({
      servers: {
        ...realServers(tmpdir()),
        echo: fixtureServer('echo'),
        asking: fixtureServer('modern-asking'),
        off: { ...fixtureServer('echo'), disabled: true },
      },
    });
    await opened.running('everything', 'filesystem', 'echo');
    await callFromThePage(opened.page);
    const found: unknown[] = [];
    for (const view of VIEWS) {
      await show(opened.page, view);
      found.push(...(await flaws(opened.page, view)));
    }
    expect(found).toEqual([]);
  });
});

/** So that the views of tools and calls have something to show. */
async function callFromThePage(page: Page): Promise<void> {
  await show(page, 'Tools');
  await page.getByLabel('Search').fill('echo__echo');
  await page.getByRole('button', { name: 'echo__echo', exact: true }).click();
  await page.getByLabel(/^message/).fill('seen on the page');
  await page.getByRole('button', { name: 'Call echo__echo' }).click();
  await page.getByRole('group', { name: 'Result' }).getByText('seen on the page').waitFor();
}
