import { expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { SERVERS } from './testing/busy-mux.js';
import { BusyPage } from './testing/busy-page.js';

/** The servers of a list; a filter finds the others. */
const LISTED = 100;

it.skipIf(CHROMIUM === undefined)(
  `a list of 100 servers is drawn as far as the user scrolls, or presses the button at its end${NO_CHROMIUM}`,
  async () => {
    await using opened = await BusyPage.open();
    const { page, link, seen } = opened;
    await page.goto(link);
    const rows = page.getByRole('table', { name: 'Servers' }).locator('tbody tr');
    const more = page.getByRole('button', { name: /^Show more \(\d+ left\)$/ });
    await more.waitFor();
    const first = await rows.count();
    expect(first).toBeLessThan(LISTED);
    await more.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count()).toBeGreaterThan(first);
    while ((await more.count()) > 0) await page.keyboard.press('End');
    await page.getByText(`${LISTED} of ${SERVERS}`).waitFor();
    expect(await rows.count()).toBe(LISTED);
    expect(seen.problems).toEqual([]);
  },
);
