import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, PageBrowser } from './testing/page-browser.js';

const HOSTILE = `<img src=x onerror="window.ran = true">\u202E`;

describe.skipIf(CHROMIUM === undefined)(`E12: calls that need an approval on the page${NO_CHROMIUM}`, () => {
  let opened: PageBrowser;
  let page: Page;
  let client: Client;

  beforeAll(async () => {
    opened = await PageBrowser.open({
      servers: { echo: fixtureServer('echo') },
      guards: { approvals: { rules: [{ servers: ['echo'] }] } },
    });
    ({ page } = opened);
    await opened.running('echo');
    client = new Client({ name: 'formless', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(opened.mux.url));
  });

  afterAll(async () => {
    await client?.close();
    await opened?.[Symbol.asyncDispose]();
  });

  function call(message: string): Promise<unknown> {
    return client.callTool({ name: 'echo__echo', arguments: { message } });
  }

  function waiting(): Locator {
    return page.getByRole('group', { name: 'Approval: echo of echo' });
  }

  async function allow(name: string): Promise<void> {
    await waiting().getByRole('button', { name, exact: true }).click();
    await waiting()
      .getByRole('button', { name: `${name}?` })
      .click();
  }

  it('are shown above each view, with the arguments as text and the number in the title', async () => {
    const answer = call(HOSTILE);
    await waiting().waitFor();
    const args = await waiting().getByRole('group', { name: 'Arguments' }).textContent();
    expect(args).toContain(String.raw`<img src=x onerror=\"window.ran = true\">\u{202e}`);
    expect(await waiting().textContent()).toContain('formless');
    await opened.show('Health');
    await waiting().waitFor();
    expect(await page.title()).toMatch(/^\(1\) Health/);
    expect(await flaws(page, 'Approvals')).toEqual([]);
    await allow('Allow this call');
    expect(await answer).toMatchObject({ content: [{ text: HOSTILE }] });
    await page.getByText('Allowed echo.').waitFor();
    await waiting().waitFor({ state: 'detached' });
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  it('do not pass by one press, and are refused by one', async () => {
    const answer = call('no');
    await waiting().waitFor();
    await waiting().getByRole('button', { name: 'Allow this call', exact: true }).click();
    await waiting().getByRole('button', { name: 'Refuse' }).click();
    expect(await answer).toMatchObject({ isError: true });
  });

  it('pass again in the session if the person says so, and other arguments do not', async () => {
    const first = call('again');
    await waiting().waitFor();
    await allow('Allow in this session');
    expect(await first).toMatchObject({ content: [{ text: 'again' }] });
    expect(await call('again')).toMatchObject({ content: [{ text: 'again' }] });
    const other = call('other');
    await waiting().waitFor();
    await waiting().getByRole('button', { name: 'Refuse' }).click();
    expect(await other).toMatchObject({ isError: true });
  });

  it('leave the page when their client cancels them', async () => {
    const cancelled = new AbortController();
    const args = { name: 'echo__echo', arguments: { message: 'gone' } };
    const answer = client.callTool(args, undefined, { signal: cancelled.signal }).catch(String);
    await waiting().waitFor();
    cancelled.abort('not needed');
    expect(await answer).toContain('not needed');
    await waiting().waitFor({ state: 'detached' });
    expect(opened.seen.problems).toEqual([]);
  });
});
