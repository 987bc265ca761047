import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { everythingAtUrl } from './testing/everything-at-url.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, focused, PageBrowser, realServers, show, tabTo } from './testing/page-browser.js';
import type { ProgramAtUrl } from './testing/program-at-url.js';

describe.skipIf(CHROMIUM === undefined)(`the page in a browser${NO_CHROMIUM}`, () => {
  let remote: ProgramAtUrl;
  let opened: PageBrowser;
  let page: Page;

  beforeAll(async () => {
    remote = await everythingAtUrl('streamableHttp');
    opened = await PageBrowser.open({
      servers: {
        ...realServers(tmpdir()),
        'at-url': { type: 'http', url: remote.url },
        echo: fixtureServer('echo'),
        asking: fixtureServer('modern-asking'),
        off: { ...fixtureServer('echo'), disabled: true },
      },
    });
    ({ page } = opened);
    await opened.running('everything', 'filesystem', 'at-url', 'echo');
  });

  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await remote?.[Symbol.asyncDispose]();
  });

  it('the token of the link is no longer in the address, and no script can read the cookie', async () => {
    expect(page.url()).toMatch(/\/ui\/#\/servers$/);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await opened.context.cookies()).toMatchObject([
      { httpOnly: true, sameSite: 'Strict', path: '/ui' },
    ]);
  });

  it('a server that has crashed is listed with its reason and its stderr', async () => {
    await page.getByRole('button', { name: 'broken', exact: true }).click();
    const panel = page.getByRole('region', { name: 'broken' });
    await panel.getByText(/exited with code/).waitFor();
    expect(await panel.getByRole('group').textContent()).not.toBe('');
    await page.getByRole('row', { name: /^broken .*exited with code.*crashed/ }).waitFor();
    await page.getByText('1 failed').waitFor();
    expect(await flaws(page, 'Server')).toEqual([]);
    await panel.getByRole('button', { name: 'Close' }).click();
    expect(await panel.count()).toBe(0);
  });

  it('a running server is listed with its process, memory and era', async () => {
    const row = page.getByRole('row', { name: /^everything/ });
    await expect.poll(() => row.textContent()).toMatch(/legacy 2025-11-25.*MB/);
  });

  it('a call is made with a form and listed live with its arguments and result', async () => {
    await show(page, 'Tools');
    await page.getByLabel('Search').fill('echo__echo');
    await page.getByRole('button', { name: 'echo__echo', exact: true }).click();
    await page.getByLabel(/^message/).fill('seen on the page');
    await page.getByRole('button', { name: 'Call echo__echo' }).click();
    await page.getByRole('group', { name: 'Result' }).getByText('seen on the page').waitFor();
    await show(page, 'Calls');
    await page
      .getByRole('row', { name: /echo.*result/ })
      .getByRole('button', { name: 'echo' })
      .click();
    await page.getByRole('group', { name: 'Arguments' }).getByText('seen on the page').waitFor();
    const result = page.getByRole('group', { name: 'Result' });
    await expect.poll(() => result.textContent()).toContain('seen on the page');
  });

  it('a question of a server is answered on the page', async () => {
    await show(page, 'Tools');
    await page.getByLabel('Search').fill('asking__');
    await page.getByRole('button', { name: 'asking__form', exact: true }).click();
    await page.getByRole('button', { name: 'Call asking__form' }).click();
    const question = page.getByRole('group', { name: 'Question of the server' });
    await question.getByLabel(/^name/).fill('Ada');
    await question.getByRole('button', { name: 'Accept' }).click();
    const result = page.getByRole('group', { name: 'Result' });
    await expect.poll(() => result.textContent()).toContain('"name": "Ada"');
  });

  it('is used with the keyboard alone', async () => {
    await show(page, 'Servers');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('✖ 1 failed');
    await tabTo(page, 'everything');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'everything' }).waitFor();
    while ((await focused(page)) !== 'Reload') await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Reloaded everything.').waitFor();
  });

  it('a change to the config is shown before it is written, and applied', async () => {
    await show(page, 'Add a server');
    await page.getByLabel('Name').fill('second');
    await page.getByLabel(/pasted block/).fill(JSON.stringify(fixtureServer('echo')));
    await page.getByRole('button', { name: 'Show the change' }).click();
    await page.getByRole('group', { name: 'Change to the config' }).getByText('"second"').waitFor();
    await page.getByRole('button', { name: 'Write it' }).click();
    await page.getByText('Added second to').waitFor();
    await show(page, 'Servers');
    await page.getByRole('row', { name: /^second.*running/ }).waitFor();
    await page.getByRole('button', { name: 'Enable off' }).click();
    await page.getByRole('button', { name: 'Write it' }).click();
    await expect.poll(() => page.getByRole('row', { name: /^off.*running/ }).count()).toBe(1);
    expect(await readFile(join(opened.folder, 'mcpmux.json'), 'utf8')).toContain('"second"');
  });

  it('has asked no other host, and the console has no error', () => {
    expect([...opened.seen.hosts]).toEqual([opened.mux.url.host]);
    expect(opened.seen.problems).toEqual([]);
  });
});
