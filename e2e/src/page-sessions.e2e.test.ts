import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { tmpdir } from 'node:os';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, PageBrowser, realServers, tabTo, VIEWS } from './testing/page-browser.js';

const SECRET = 'behind-the-moon';
/** The controls that can be seen and were not reached. */
const UNREACHED = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((one) => one.checkVisibility() && !window.reached.has(one)).map(({ outerHTML }) => outerHTML)`;
/** Enters what has the focus. Gives the end of the page, or a control that does not show its focus. */
const ENTER_FOCUSED = `(() => {
  const one = document.activeElement;
  if (one === document.body) return 'end';
  window.reached.add(one);
  return getComputedStyle(one).outlineStyle === 'none' ? one.outerHTML : 'seen';
})()`;

describe.skipIf(CHROMIUM === undefined)(`the page beside a client${NO_CHROMIUM}`, () => {
  let opened: PageBrowser;
  let page: Page;
  let client: Client;

  beforeAll(async () => {
    opened = await PageBrowser.open({
      args: ['--pin-tools', 'block'],
      servers: {
        ...realServers(tmpdir()),
        echo: { ...fixtureServer('echo'), env: { PLACE: SECRET } },
        asking: fixtureServer('modern-asking'),
        turning: fixtureServer('changing-definition'),
        searched: { ...fixtureServer('paged'), mux: { exposure: 'search' } },
      },
    });
    ({ page } = opened);
    await opened.running('everything', 'filesystem', 'echo', 'asking', 'turning', 'searched');
    client = new Client({ name: 'a-client', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(opened.mux.url));
  });

  afterAll(async () => {
    await client?.close();
    await opened?.[Symbol.asyncDispose]();
  });

  function region(name: string | RegExp): Locator {
    return page.getByRole('region', { name });
  }

  async function chooseTool(name: string): Promise<void> {
    await opened.show('Servers');
    await opened.show('Tools');
    await page.getByLabel('Search').fill(name);
    await page.getByRole('button', { name, exact: true }).click();
  }

  it('the messages of a client are listed in both directions, without secrets, while somebody looks', async () => {
    await opened.show('Clients');
    await page.getByRole('button', { name: 'a-client 1' }).click();
    await page.getByText('No message since').waitFor();
    await client.callTool({ name: 'echo__echo', arguments: { message: `it is ${SECRET}` } });
    const timeline = region('Messages of a-client 1');
    const request = timeline.locator('li.client', { hasText: 'request tools/call' });
    const result = timeline.locator('li.mcpmux', { hasText: 'result tools/call' });
    await request.getByText('from the client').click();
    await expect.poll(() => request.getByRole('group').last().textContent()).toContain('echo__echo');
    await result.waitFor();
    expect(await timeline.textContent()).not.toContain(SECRET);
    expect(await flaws(page, 'Timeline')).toEqual([]);
    await timeline.getByRole('button', { name: 'Pause' }).click();
    await client.listTools();
    await timeline.getByRole('button', { name: 'Pause' }).click();
    await timeline.locator('li', { hasText: 'result tools/list' }).waitFor();
    await timeline.getByRole('button', { name: 'Close' }).click();
    expect(await timeline.count()).toBe(0);
  });

  it('a changed definition is shown as a diff, and used again once it is approved', async () => {
    await client.callTool({ name: 'turning__turn', arguments: { description: 'Says hello, and more' } });
    await opened.show('Tools');
    const changed = region('Changed definitions');
    await changed.getByText('turning: greet').click();
    const diff = changed.getByRole('group', { name: 'Change to greet' });
    await expect.poll(() => diff.locator('.minus').textContent()).toContain('"Says hello"');
    expect(await diff.locator('.plus').textContent()).toContain('"Says hello, and more"');
    expect(await flaws(page, 'Diff')).toEqual([]);
    await changed.getByRole('button', { name: 'Reload and approve turning' }).click();
    await page.getByLabel('Search').fill('turning__');
    await page.getByRole('button', { name: 'turning__greet', exact: true }).waitFor();
  });

  it('a tool that is in no list of clients is marked as hidden', async () => {
    await opened.show('Tools');
    await page.getByLabel('Search').fill('searched__');
    await expect
      .poll(() => page.locator('li', { hasText: 'searched__' }).first().textContent())
      .toContain('hidden');
    await page.getByLabel('Search').fill('echo__');
    expect(await page.locator('li', { hasText: 'echo__echo' }).textContent()).not.toContain('hidden');
  });

  it('a request for a completion is answered on the page', async () => {
    await chooseTool('asking__sample');
    await page.getByRole('button', { name: 'Call asking__sample' }).click();
    const asked = page.getByRole('group', { name: 'The server asks for a completion' });
    await asked.getByLabel('The answer of the model').fill('Very well');
    await asked.getByRole('button', { name: 'Answer' }).click();
    const result = page.getByRole('group', { name: 'Result' });
    await expect.poll(() => result.textContent()).toContain('"text": "Very well"');
  });

  it.each([
    ['form', 'Decline', '"action": "decline"'],
    ['form', 'Cancel', '"action": "cancel"'],
    ['url', 'Decline', '"action": "decline"'],
    ['url', 'Cancel', '"action": "cancel"'],
  ])('a question of the mode %s can be answered by %s', async (mode, button, answer) => {
    await chooseTool(`asking__${mode}`);
    await page.getByRole('button', { name: `Call asking__${mode}` }).click();
    const question = page.getByRole('group', {
      name: /^Question of the server|^The server asks you to visit/,
    });
    await question.getByRole('button', { name: button }).click();
    await expect.poll(() => page.getByRole('group', { name: 'Result' }).textContent()).toContain(answer);
  });

  it('an address that a server asks to visit is shown, and opened in a new tab once the user wants it', async () => {
    await chooseTool('asking__url');
    await page.getByRole('button', { name: 'Call asking__url' }).click();
    const question = page.getByRole('group', { name: 'The server asks you to visit a page' });
    await question.getByText('https://a.example/A?b=1').waitFor();
    expect(await flaws(page, 'Question')).toEqual([]);
    const opening = page.waitForEvent('popup');
    await question.getByRole('link', { name: 'Open a.example in a new tab' }).click();
    const visited = await opening;
    expect(await visited.evaluate('window.opener')).toBeNull();
    await visited.close();
    await expect
      .poll(() => page.getByRole('group', { name: 'Result' }).textContent())
      .toContain('"action": "accept"');
  });

  it('a prompt is got with its arguments, and one that asks gets its answer', async () => {
    await opened.show('Tools');
    await page.getByLabel('Search').fill('');
    await page.getByRole('button', { name: 'Prompts' }).click();
    await page.getByRole('button', { name: 'everything__args-prompt' }).click();
    await page.getByLabel(/^city/).fill('Riga');
    await page.getByRole('button', { name: 'Get the prompt' }).click();
    const result = page.getByRole('group', { name: 'Result' });
    await expect.poll(() => result.textContent()).toContain('Riga');
    await page.getByRole('button', { name: 'asking__asks' }).click();
    await page.getByRole('button', { name: 'Get the prompt' }).click();
    const question = page.getByRole('group', { name: 'Question of the server' });
    await question.getByLabel(/^name/).fill('Ada');
    await page.keyboard.press('Enter');
    await expect.poll(() => result.textContent()).toContain('Ada');
  });

  it('a resource is read', async () => {
    await opened.show('Tools');
    await page.getByRole('button', { name: 'Resources' }).click();
    await page.locator('li button.link').first().click();
    await page.getByRole('button', { name: 'Read the resource' }).click();
    const result = page.getByRole('group', { name: 'Result' });
    await result.getByText(/^\w+:\/\/\S+ · \w+\/\w+$/).waitFor();
    await expect.poll(() => result.getByRole('group', { name: 'Text' }).textContent()).toMatch(/\S/);
  });

  it('every control of every view is reached with the keyboard alone, and shows the focus', async () => {
    for (const view of VIEWS) {
      await opened.show(view);
      if (view === 'Tools') await page.locator('li button.link').first().waitFor();
      await page.evaluate('document.activeElement.blur(); window.reached = new Set()');
      const seen: unknown[] = [];
      // The focus begins behind the link that was clicked.
      while (seen.length < 300 && seen.filter((one) => one === 'end').length < 2) {
        await page.keyboard.press('Tab');
        seen.push(await page.evaluate(ENTER_FOCUSED));
      }
      expect({ view, unreached: await page.evaluate(UNREACHED) }).toEqual({ view, unreached: [] });
      expect([...new Set(seen)]).toEqual(['seen', 'end']);
    }
  });

  it('is used with the keyboard alone on every view that does something', async () => {
    await opened.show('Clients');
    await tabTo(page, 'a-client 1');
    await page.keyboard.press('Enter');
    await page.getByText('No message since').waitFor();
    await client.callTool({ name: 'echo__echo', arguments: { message: 'by keyboard' } });
    const timeline = region('Messages of a-client 1');
    await timeline.locator('li.mcpmux').first().waitFor();
    await tabTo(page, 'Close');
    await page.keyboard.press('Enter');
    expect(await timeline.count()).toBe(0);
    await opened.show('Calls');
    await tabTo(page, 'echo');
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Arguments' }).waitFor();
    expect(await flaws(page, 'Call')).toEqual([]);
    await opened.show('Tools');
    await page.reload();
    await tabTo(page, 'Search');
    await page.keyboard.type('echo__echo');
    await tabTo(page, 'echo__echo');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Call echo__echo');
    await page.keyboard.press('Enter');
    await page.getByText('Fill in this field').waitFor();
    // The focus is in the field that was left empty.
    await page.keyboard.type('by keyboard');
    await page.keyboard.press('Enter');
    await page.getByText(/has failed|Answered/).waitFor();
    expect(await flaws(page, 'Tool')).toEqual([]);
    await opened.show('Logs');
    await page.getByLabel('Kind').focus();
    await page.keyboard.type('stderr');
    await expect.poll(() => page.locator('ol.log li.event').count()).toBe(0);
    await opened.show('Add a server');
    await tabTo(page, 'Name');
    await page.keyboard.type('typed');
    await page.keyboard.press('Tab');
    await page.keyboard.type('npx -y nothing-of-this-name');
    await tabTo(page, 'Show the change');
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Change to the config' }).getByText('"typed"').waitFor();
    expect(await flaws(page, 'Change')).toEqual([]);
  });

  it('has asked no other host, and the console has no error', () => {
    expect([...opened.seen.hosts]).toEqual([opened.mux.url.host]);
    expect(opened.seen.problems).toEqual([]);
  });
});
