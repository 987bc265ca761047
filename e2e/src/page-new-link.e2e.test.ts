import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { PageBrowser } from './testing/page-browser.js';

const run = promisify(execFile);

/** A further link to the page of a mcpmux. */
async function newLink(pid: number | undefined, ...flags: readonly string[]): Promise<string> {
  const args = [CLI, 'ui', '--pid', String(pid), '--no-open', '--json', ...flags];
  const { stdout } = await run(NODE, args, { env: cleanEnvironment() });
  return (JSON.parse(stdout) as { readonly url: string }).url;
}

it.skipIf(CHROMIUM === undefined)(
  `a new link that is pasted into the tab of the page logs in, and leaves no token in the address${NO_CHROMIUM}`,
  async () => {
    await using opened = await PageBrowser.open({ servers: { echo: fixtureServer('echo') } });
    const { page } = opened;
    await opened.running('echo');
    const { pid } = opened.mux.child;
    // The part after # is new, and the browser loads nothing by itself.
    await page.goto(await newLink(pid, '--read-only'));
    await page.getByText('live, reading only').waitFor();
    await opened.running('echo');
    expect(page.url()).toMatch(/\/ui\/#\/servers$/);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'This page is closed' }).waitFor();
    await page.goto(await newLink(pid));
    await page.getByText('live', { exact: true }).waitFor();
    await opened.running('echo');
    expect(page.url()).toMatch(/\/ui\/#\/servers$/);
    await page.goBack();
    expect(page.url()).not.toMatch(/#[\w-]{43}/);
  },
);
