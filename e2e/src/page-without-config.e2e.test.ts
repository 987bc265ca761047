import { describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, PageBrowser } from './testing/page-browser.js';

const SECRET = 'hunter2hunter2';
const FOUND = {
  name: 'com.example/found',
  local: 'found',
  description: '',
  version: '1.0.0',
  status: 'active',
  problems: [],
  sources: [
    { label: 'npm found', inputs: [{ id: 'TOKEN', description: '', isRequired: true, isSecret: true }] },
  ],
};

describe.skipIf(CHROMIUM === undefined)(`the page of a mcpmux without a config${NO_CHROMIUM}`, () => {
  it('adds servers until mcpmux ends, and says what it cannot add', async () => {
    await using opened = await PageBrowser.open({});
    const { page } = opened;
    await opened.show('Add a server');
    const target = page.getByLabel('A command, a url, or a pasted block of mcpServers');
    const add = page.getByRole('button', { name: 'Add until mcpmux ends' });
    const entry = fixtureServer('echo');
    await target.fill(JSON.stringify({ mcpServers: { echo: { ...entry, mux: { lazy: true } } } }));
    await add.click();
    await page.getByText('echo: mux needs a config, and this mcpmux serves none.').waitFor();
    await target.fill(`{
      // a block as an editor has it
      "mcpServers": { "echo": ${JSON.stringify(entry)}, },
    }`);
    await add.click();
    await page.getByText('Added echo until this mcpmux ends.').waitFor();
    expect(await flaws(page, 'Add without a config')).toEqual([]);
    await opened.show('Servers');
    await opened.running('echo');
    expect(opened.seen.problems).toEqual([]);
  });

  it('a server of the registry gets its secret, which is stored nowhere', async () => {
    await using opened = await PageBrowser.open({});
    const { page } = opened;
    await page.getByText('No server is registered.').waitFor();
    await page.getByText('serves no config').waitFor();
    const added: string[] = [];
    await page.route('**/ui/api/mcp*', async (route) => {
      const body = route.request().postData() ?? '';
      if (body.includes('add_server')) added.push(body);
      await route.fallback();
    });
    await page.route('**/ui/api/registry*', async (route) => {
      if (route.request().method() === 'GET') return route.fulfill({ json: { servers: [FOUND] } });
      const entry = { ...fixtureServer('echo'), env: { TOKEN: '${secret:found.TOKEN}' } };
      await route.fulfill({ json: { entry } });
    });
    await page.getByRole('main').getByRole('link', { name: 'Add a server' }).click();
    await page.getByLabel('Search the registry').fill('found');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Use npm found' }).click();
    const asked = page.getByRole('form', { name: 'Values for com.example/found' });
    const token = asked.getByLabel('TOKEN (required), not stored');
    await asked.getByRole('button', { name: 'Fill in the form' }).click();
    expect(await token.evaluate((one) => one.matches(':invalid:focus'))).toBe(true);
    await token.fill(SECRET);
    await asked.getByRole('button', { name: 'Fill in the form' }).click();
    await asked.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(SECRET);
    await page.getByRole('button', { name: 'Add until mcpmux ends' }).click();
    await page.getByText('Added found until this mcpmux ends.').waitFor();
    expect(added).toHaveLength(1);
    expect(added[0]).toContain(JSON.stringify({ TOKEN: SECRET }));
    await opened.show('Servers');
    await opened.running('found');
    expect(opened.seen.problems).toEqual([]);
  });
});
