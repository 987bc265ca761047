import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { NODE } from './testing/built-cli.js';
import { flaws, PageBrowser, realServers } from './testing/page-browser.js';

const PROGRAM = fileURLToPath(new URL('testing/form-server.mjs', import.meta.url));

describe.skipIf(CHROMIUM === undefined)(`the forms and results of the page${NO_CHROMIUM}`, () => {
  let opened: PageBrowser;
  let page: Page;
  let client: Client;

  beforeAll(async () => {
    const forms = { command: NODE, args: [PROGRAM] };
    opened = await PageBrowser.open({ servers: { ...realServers(tmpdir()), forms } });
    ({ page } = opened);
    await opened.running('everything', 'forms');
    client = new Client({ name: 'a-client', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(opened.mux.url));
  });

  afterAll(async () => {
    await client?.close();
    await opened?.[Symbol.asyncDispose]();
  });

  /** Opens a tool with an empty form: another view forgets what was typed. */
  async function choose(tool: string): Promise<void> {
    await opened.show('Servers');
    await opened.show('Tools');
    await page.getByLabel('Search').fill(tool);
    await page.getByRole('button', { name: tool, exact: true }).click();
  }

  async function call(tool: string): Promise<void> {
    await page.getByRole('button', { name: `Call ${tool}` }).click();
  }

  async function sent(): Promise<unknown> {
    const text = page.getByRole('group', { name: 'Result' }).getByRole('group', { name: 'Text' }).first();
    await text.waitFor();
    return JSON.parse((await text.textContent()) ?? '');
  }

  /** The text that the page gives a control as its description. */
  async function described(control: Locator): Promise<string> {
    return control.evaluate((one) =>
      (one.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id: string) => one.ownerDocument.getElementById(id)?.textContent ?? '')
        .join(' '),
    );
  }

  it('the parameters of a tool are a table', async () => {
    await choose('forms__create');
    await page.locator('summary', { hasText: 'Parameters' }).click();
    const table = page.getByRole('table', { name: 'Parameters' });
    await table.getByRole('row', { name: /^title string.* required The name of the issue/ }).waitFor();
    await table.getByRole('row', { name: /^count integer, 1 to 10, default 3/ }).waitFor();
    await table.getByRole('row', { name: /^owner.id integer required/ }).waitFor();
    expect(await table.getByRole('row').count()).toBe(12);
  });

  it('a form is not sent before each field is right, and the first wrong field has its message and the focus', async () => {
    await choose('forms__create');
    await call('forms__create');
    const title = page.getByLabel(/^title/);
    expect(await title.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    expect(await title.getAttribute('aria-invalid')).toBe('true');
    expect(await described(title)).toContain('Fill in this field');
    expect(await page.getByRole('alert').textContent()).toBe('2 fields need a change.');
    expect(await flaws(page, 'Form')).toEqual([]);
    await title.fill('small');
    expect(await described(title)).toContain('does not match the pattern');
    await title.fill('A title');
    expect(await title.getAttribute('aria-invalid')).toBe('false');
    await page.getByLabel(/^more/).fill('{');
    await call('forms__create');
    expect(await described(page.getByLabel(/^more/))).toContain('is not JSON');
    expect(await page.getByRole('group', { name: 'Result' }).count()).toBe(0);
  });

  it('what is typed reaches the server with the types of its schema', async () => {
    await choose('forms__create');
    await page.getByLabel(/^title/).fill('A title');
    await page.getByLabel(/^text/).fill('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    const urgent = page.getByLabel(/^urgent/);
    expect(await urgent.evaluate((one) => (one as { indeterminate?: boolean }).indeterminate)).toBe(true);
    await urgent.click();
    await urgent.click();
    await page.getByRole('button', { name: 'Add to tags' }).click();
    await page.keyboard.type('a');
    await page.getByRole('button', { name: 'Add to tags' }).click();
    await page.keyboard.type('b');
    await page.getByRole('button', { name: 'Remove tags 1' }).click();
    await page.getByRole('button', { name: 'Add to weights' }).click();
    await page.keyboard.type('0.5');
    await page.getByLabel(/^id/).fill('7');
    await page.getByLabel(/^more/).fill('{"any": [1]}');
    await call('forms__create');
    expect(await sent()).toEqual({
      title: 'A title',
      text: 'one\ntwo',
      count: 3,
      draft: false,
      urgent: false,
      tags: ['b'],
      weights: [0.5],
      owner: { id: 7 },
      more: { any: [1] },
    });
  });

  it('an object that nobody has touched is left out, and so are its required fields', async () => {
    await choose('forms__create');
    await page.getByLabel(/^title/).fill('A title');
    await page.getByRole('button', { name: 'Add to tags' }).click();
    await page.keyboard.type('a');
    await page.keyboard.press('Enter');
    expect(await sent()).toEqual({ title: 'A title', count: 3, draft: false, tags: ['a'] });
  });

  it('a question with every kind of field that elicitation allows is answered with its types', async () => {
    await choose('forms__ask');
    await call('forms__ask');
    const question = page.getByRole('group', { name: 'Question of the server' });
    await question.getByRole('button', { name: 'Accept' }).click();
    expect(await question.getByRole('alert').textContent()).toBe('2 fields need a change.');
    expect(await flaws(page, 'Elicitation')).toEqual([]);
    await question.getByLabel(/^Full name/).fill('Ada');
    await question.getByLabel(/^mail/).fill('ada@example.com');
    await question.getByLabel(/^site/).fill('https://example.com');
    await question.getByLabel(/^day/).fill('2026-01-31');
    await question.getByLabel(/^age/).fill('36');
    await question.getByLabel(/^size/).selectOption({ label: 'm' });
    await question.getByLabel(/^old/).selectOption({ label: 'Second' });
    await question.getByLabel(/^city/).selectOption({ label: 'Tallinn' });
    await question.getByRole('checkbox', { name: 'red', exact: true }).check();
    await question.getByRole('checkbox', { name: 'Riga' }).check();
    await question.getByRole('button', { name: 'Accept' }).click();
    expect(await sent()).toEqual({
      action: 'accept',
      content: {
        name: 'Ada',
        mail: 'ada@example.com',
        site: 'https://example.com',
        day: '2026-01-31',
        time: '2026-01-31T12:00:00Z',
        age: 36,
        share: 0.5,
        agreed: true,
        size: 'm',
        old: 'b',
        city: 'tll',
        colours: ['red', 'blue'],
        cities: ['rix'],
      },
    });
  });

  it('a picture is drawn without an element that loads one, and links and structured content are text', async () => {
    await choose('everything__get-tiny-image');
    await call('everything__get-tiny-image');
    const picture = page.getByRole('group', { name: 'Result' }).getByRole('img', { name: 'image/png' });
    await expect.poll(() => picture.evaluate((one) => (one as { width?: number }).width)).toBeGreaterThan(1);
    expect(await page.locator('img').count()).toBe(0);
    expect(await flaws(page, 'Picture')).toEqual([]);
    await choose('everything__get-structured-content');
    await page.getByLabel(/^location/).selectOption({ index: 1 });
    await call('everything__get-structured-content');
    await page.getByRole('group', { name: 'Result' }).getByText('Structured content').click();
    await page.getByRole('group', { name: 'Text' }).getByText('"temperature"').last().waitFor();
    await choose('everything__get-resource-links');
    await call('everything__get-resource-links');
    await page
      .getByRole('group', { name: 'Result' })
      .getByText(/^demo:/)
      .first()
      .waitFor();
    expect(await page.locator('main a').count()).toBe(0);
  });

  it('a call in flight is the first of the list with its time so far, and its server tells what it does', async () => {
    const ended = new AbortController();
    const long = { duration: 600, steps: 600 };
    const running = client.callTool(
      { name: 'everything__trigger-long-running-operation', arguments: long },
      undefined,
      { signal: ended.signal },
    );
    const outcome = running.then(
      () => 'answered',
      () => 'cancelled',
    );
    await opened.show('Servers');
    await page.getByRole('row', { name: /^everything calling trigger-long-running-operation/ }).waitFor();
    await client.callTool({ name: 'everything__echo', arguments: { message: 'after' } });
    await opened.show('Calls');
    const rows = page.locator('tbody tr');
    await expect
      .poll(() => rows.first().textContent())
      .toMatch(/^trigger-long-running-operation.*in flight[1-9]\d* s/);
    await expect.poll(() => rows.nth(1).textContent()).toMatch(/^echo.*result/);
    ended.abort();
    expect(await outcome).toBe('cancelled');
    await expect.poll(() => rows.first().textContent()).toMatch(/^echo/);
  });

  it('has asked no other host, and the console has no error', () => {
    expect([...opened.seen.hosts]).toEqual([opened.mux.url.host]);
    expect(opened.seen.problems).toEqual([]);
  });
});
