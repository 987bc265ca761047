import { describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, PageBrowser } from './testing/page-browser.js';

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
});
