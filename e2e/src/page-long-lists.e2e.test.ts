import { createMux } from '@mcpmux/core';
import { createDashboard } from '@mcpmux/dashboard';
import { createHttpFront } from '@mcpmux/http';
import { expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM, openBrowser, watched } from './testing/browser.js';
import { BusyMux, SERVERS } from './testing/busy-mux.js';

/** The servers of a list; a filter finds the others. */
const LISTED = 100;

it.skipIf(CHROMIUM === undefined)(
  `a list of 100 servers is drawn as far as the user scrolls, or presses the button at its end${NO_CHROMIUM}`,
  async () => {
    const busy = new BusyMux();
    await using mux = createMux();
    const mounted = createDashboard(busy as never, { about: { version: '1' }, callsOf: busy.callsOf });
    await using front = createHttpFront(mux, { mounted, mountedOnly: true });
    const { origin } = new URL(await front.listen());
    const browser = await openBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const seen = watched(page);
      await page.goto(mounted.link(origin));
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
    } finally {
      busy.close();
      await browser.close();
    }
  },
);
