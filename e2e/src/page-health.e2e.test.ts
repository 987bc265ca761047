import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, PageBrowser } from './testing/page-browser.js';

describe.skipIf(CHROMIUM === undefined)(`the view Health${NO_CHROMIUM}`, () => {
  let opened: PageBrowser;

  beforeAll(async () => {
    opened = await PageBrowser.open({
      servers: {
        echo: { ...fixtureServer('echo'), mux: { health: { intervalMs: 100 } } },
        unchecked: fixtureServer('echo'),
        broken: fixtureServer('exit-on-start'),
      },
    });
    await opened.running('echo', 'unchecked');
  });

  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
  });

  it('tells when each running server has answered its last ping, as the details of a server do', async () => {
    const { page } = opened;
    await opened.show('Health');
    const checks = page.getByRole('region', { name: 'Pings of servers' });
    await checks.getByText(/^last answered \d+ s ago$/).waitFor();
    expect(await checks.getByRole('term').allTextContents()).toEqual(['echo']);
    await checks.getByText('1 of 2 running servers have no health check.').waitFor();
    expect(await flaws(page, 'Pings')).toEqual([]);
    await opened.show('Servers');
    await page.getByRole('button', { name: 'echo', exact: true }).click();
    await page
      .getByRole('region', { name: 'echo' })
      .getByText(/^last answered \d+ s ago$/)
      .waitFor();
  });
});
