import process from 'node:process';

import { expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from '../testing/browser.js';
import { BusyPage } from '../testing/busy-page.js';
import { heapOf, longest, untilDrawn } from '../testing/page-measures.js';

const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 60);
const MAX_INTERACTION_MS = 100;
/** From a click on a server until its details are drawn whole. */
const MAX_DETAILS_MS = 200;
const MAX_HEAP_BYTES = 150 * 1024 * 1024;

it.skipIf(CHROMIUM === undefined)(
  `200 servers, 10,000 tools and 5,000 calls a second: the page answers in time, and its memory is bounded${NO_CHROMIUM}`,
  { timeout: 300_000 },
  async () => {
    await using opened = await BusyPage.open();
    const { page, link, seen } = opened;
    await page.goto(link);
    await page.getByRole('button', { name: 'server10', exact: true }).waitFor();
    const session = await page.context().newCDPSession(page);
    const times: Record<string, number> = {};
    const show = (name: string) =>
      page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    const server7 = page.getByRole('button', { name: 'server7', exact: true });
    let details = Infinity;
    times['servers'] = await longest(page, async () => {
      details = await untilDrawn(page, '.side .codes', () => server7.click());
    });
    times['close'] = await longest(page, () => page.getByRole('button', { name: 'Close' }).click());
    times['servers again'] = await longest(page, () => server7.click());
    times['filter servers'] = await longest(page, () => page.getByLabel('Filter').fill('server199'));
    await page.getByRole('button', { name: 'server199', exact: true }).waitFor();
    times['all servers'] = await longest(page, () => page.getByLabel('Filter').fill(''));
    const more = page.getByRole('button', { name: /^Show more/ });
    while ((await more.count()) > 0) await page.mouse.wheel(0, 5000);
    const last = page.getByRole('table', { name: 'Servers' }).getByRole('button').last();
    times['the last server'] = await longest(page, () => last.click());
    times['calls'] = await longest(page, () => show('Calls'));
    times['filter calls'] = await longest(page, () => page.getByLabel('Filter').fill('server7'));
    await show('Tools');
    await page.getByText('10000 of 10000').waitFor();
    times['search tools'] = await longest(page, () =>
      page.getByLabel('Search').pressSequentially('number 77'),
    );
    times['logs'] = await longest(page, () => show('Logs'));
    await show('Clients');
    times['messages'] = await longest(page, () => page.getByRole('button', { name: 'load 1' }).click());
    times['a message'] = await longest(page, () => page.locator('.timeline summary').first().click());
    const before = await heapOf(session);
    await show('Calls');
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
    const after = await heapOf(session);
    process.stdout.write(`${JSON.stringify({ times, details, before, after })}\n`);
    expect(Math.max(...Object.values(times))).toBeLessThan(MAX_INTERACTION_MS);
    expect(details).toBeLessThan(MAX_DETAILS_MS);
    expect(after).toBeLessThan(MAX_HEAP_BYTES);
    expect(seen.problems).toEqual([]);
  },
);
