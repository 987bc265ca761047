import { tmpdir } from 'node:os';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, PageBrowser, realServers } from './testing/page-browser.js';

describe.skipIf(CHROMIUM === undefined)(`the page for reading only${NO_CHROMIUM}`, () => {
  let opened: PageBrowser;
  let page: Page;

  beforeAll(async () => {
    const off = { ...fixtureServer('echo'), disabled: true };
    opened = await PageBrowser.open({
      servers: { ...realServers(tmpdir()), off },
      args: ['--ui', 'read-only'],
    });
    ({ page } = opened);
    await opened.running('everything');
  });

  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
  });

  function buttons(): Promise<readonly string[]> {
    return page.getByRole('main').getByRole('button').allTextContents();
  }

  it('shows a server, and has no button that changes a server', async () => {
    await page.getByText('live, reading only').waitFor();
    await page.getByRole('button', { name: 'broken', exact: true }).click();
    await page.getByRole('region', { name: 'broken' }).getByText('exited with code').first().waitFor();
    await page.getByRole('heading', { name: 'In the config, not started' }).waitFor();
    expect(await buttons()).toEqual(['everything', 'filesystem', 'broken', 'Close']);
    expect(await flaws(page, 'Reading only')).toEqual([]);
  });

  it('shows definitions, and has no button that uses an entry', async () => {
    await opened.show('Tools');
    for (const kind of ['Prompts', 'Resources', 'Tools']) {
      await page.getByRole('button', { name: kind, exact: true }).click();
      await page
        .locator('li button.link', { hasText: kind === 'Resources' ? 'demo:' : 'everything__' })
        .first()
        .click();
      await page.getByText('Definition', { exact: true }).waitFor();
      expect((await buttons()).filter((name) => /^(?:Call|Get|Read) /.test(name))).toEqual([]);
    }
    expect(await flaws(page, 'Reading only, a tool')).toEqual([]);
  });

  it('adds no server, and says so', async () => {
    await opened.show('Add a server');
    await page.getByText('This link opened the page for reading only.').waitFor();
    expect(await buttons()).toEqual([]);
    expect(await flaws(page, 'Reading only, add')).toEqual([]);
  });

  it('cannot change anything by a request of its own', async () => {
    expect(opened.seen.problems).toEqual([]);
    const posted = `Promise.all(['reload', 'remove', 'config', 'registry'].map((path) =>
      fetch('/ui/api/' + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-mcpmux-page': localStorage.getItem('mcpmux-page-key') },
        body: JSON.stringify({ name: 'everything', kind: 'remove' }),
      }).then(({ status }) => status)))`;
    expect(await page.evaluate(posted)).toEqual([403, 403, 403, 403]);
  });
});
