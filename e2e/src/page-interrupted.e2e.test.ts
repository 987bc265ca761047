import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM, watched } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, PageBrowser, show } from './testing/page-browser.js';

const OVERVIEW = '**/ui/api/overview';
const EVENTS = '**/ui/api/events*';

describe.skipIf(CHROMIUM === undefined)(`the page when something goes wrong${NO_CHROMIUM}`, () => {
  let opened: PageBrowser;

  beforeAll(async () => {
    opened = await PageBrowser.open({ servers: { echo: fixtureServer('echo') } });
    await opened.running('echo');
  });

  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
  });

  function link(): string {
    return /at (\S+\/ui\/#\S+)/.exec(opened.mux.stderr)?.[1] ?? '';
  }

  it('a link that was used opens the page again in the browser that has used it', async () => {
    const again = await opened.context.newPage();
    await again.goto(link());
    await again.getByRole('row', { name: /^echo\b.*running/ }).waitFor();
    expect(again.url()).toMatch(/\/ui\/#\/servers$/);
    await again.close();
  });

  it('a first press on Remove counts for some seconds, and while the button has the focus', async () => {
    const tab = await opened.context.newPage();
    await tab.clock.install();
    await tab.goto(`${opened.mux.url.origin}/ui/`);
    await tab.getByRole('button', { name: 'echo', exact: true }).click();
    const [remove, sure] = ['Remove', 'Remove echo: sure?'].map((name) =>
      tab.getByRole('button', { name, exact: true }),
    );
    await remove?.click();
    await sure?.waitFor();
    await tab.clock.runFor(6000);
    await remove?.waitFor();
    await remove?.click();
    await sure?.waitFor();
    await tab.keyboard.press('Tab');
    await remove?.waitFor();
    expect(await readFile(join(opened.folder, 'mcpmux.json'), 'utf8')).toContain('echo');
    await tab.close();
  });

  it('a view that cannot be drawn says why, and the other views go on', async () => {
    const hostile = await opened.context.newPage();
    const seen = watched(hostile);
    await hostile.route(OVERVIEW, async (route) => {
      const response = await route.fetch();
      const overview = (await response.json()) as { readonly mcpmux: object };
      await route.fulfill({ response, json: { ...overview, mcpmux: { ...overview.mcpmux, limits: null } } });
    });
    await hostile.goto(`${opened.mux.url.origin}/ui/#/health`);
    const alert = hostile.getByRole('alert');
    await alert.getByText('This view could not be shown: ').waitFor();
    expect(await flaws(hostile, 'Failed view')).toEqual([]);
    await alert.getByRole('link', { name: 'Servers' }).click();
    await hostile.getByRole('row', { name: /^echo\b.*running/ }).waitFor();
    expect(await alert.count()).toBe(0);
    await show(hostile, 'Health');
    await alert.waitFor();
    // An answer that is being changed is answered first.
    await hostile.unrouteAll({ behavior: 'wait' });
    await show(hostile, 'Servers');
    await hostile.getByRole('row', { name: /^echo\b.*running/ }).waitFor();
    expect(seen.problems).toEqual([]);
    await hostile.close();
  });

  it('a page that has lost its mcpmux says so, then the next step, and comes back by itself', async () => {
    const lost = await opened.context.newPage();
    await lost.clock.install();
    await lost.route(EVENTS, (route) => route.abort());
    await lost.goto(`${opened.mux.url.origin}/ui/`);
    const status = lost.getByRole('status');
    await status.getByText('mcpmux has not answered for').waitFor();
    await lost.clock.runFor(10_000);
    await status.getByText('mcpmux ui').waitFor();
    expect(await lost.getByText('interrupted', { exact: true }).count()).toBe(1);
    await lost.unroute(EVENTS);
    await lost.clock.runFor(10_000);
    await lost.getByText('live', { exact: true }).waitFor();
    expect(await status.getByText('mcpmux has not answered for').count()).toBe(0);
    await lost.close();
  });
});
