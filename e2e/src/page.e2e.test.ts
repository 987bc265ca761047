import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM, openBrowser, watched } from './testing/browser.js';
import { installedServer, NODE } from './testing/built-cli.js';
import { everythingAtUrl } from './testing/everything-at-url.js';
import { fixtureServer } from './testing/fixture-server.js';
import { HttpCli } from './testing/http-cli.js';
import type { ProgramAtUrl } from './testing/program-at-url.js';

const VIEWS = ['Servers', 'Calls', 'Tools', 'Logs', 'Clients', 'Add a server', 'Health'] as const;
const WIDTHS = [320, 760, 1280, 1600] as const;
const SCHEMES = ['light', 'dark'] as const;
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Where screenshots go, if somebody wants them. */
const SHOTS = process.env['PAGE_SCREENSHOTS'];

async function configIn(folder: string, url: string): Promise<string> {
  const file = join(folder, 'mcpmux.json');
  const filesystem = {
    command: NODE,
    args: [installedServer('@modelcontextprotocol/server-filesystem'), folder],
  };
  const everything = {
    command: NODE,
    args: [installedServer('@modelcontextprotocol/server-everything'), 'stdio'],
  };
  const mcpServers = {
    everything,
    filesystem,
    'at-url': { type: 'http', url },
    echo: fixtureServer('echo'),
    asking: fixtureServer('modern-asking'),
    broken: fixtureServer('exit-on-start'),
    off: { ...fixtureServer('echo'), disabled: true },
  };
  await writeFile(file, JSON.stringify({ mcpServers }, undefined, 2));
  return file;
}

describe.skipIf(CHROMIUM === undefined)(`the page in a browser${NO_CHROMIUM}`, () => {
  let folder: string;
  let remote: ProgramAtUrl;
  let mux: HttpCli;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let seen: ReturnType<typeof watched>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcpmux-page-'));
    remote = await everythingAtUrl('streamableHttp');
    const config = await configIn(folder, remote.url);
    [mux, browser] = await Promise.all([HttpCli.open({ args: ['--ui', '--config', config] }), openBrowser()]);
    await mux.until(() => mux.stderr.includes('/ui/#'));
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    seen = watched(page);
    await page.goto(/at (\S+\/ui\/#\S+)/.exec(mux.stderr)?.[1] ?? '');
    for (const name of ['everything', 'filesystem', 'at-url', 'echo'])
      await page.getByRole('row', { name: new RegExp(`^${name}\\b.*running`) }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await mux?.[Symbol.asyncDispose]();
    await remote?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  async function show(view: (typeof VIEWS)[number]): Promise<void> {
    await page.getByRole('navigation').getByRole('link', { name: view, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: view, exact: true }).waitFor();
  }

  it('the token of the link is no longer in the address, and no script can read the cookie', async () => {
    expect(page.url()).toMatch(/\/ui\/#\/servers$/);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await context.cookies()).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/ui' }]);
  });

  it('a server that has crashed is listed with its reason and its stderr', async () => {
    await page.getByRole('button', { name: 'broken', exact: true }).click();
    const panel = page.getByRole('region', { name: 'broken' });
    await panel.getByText(/exited with code/).waitFor();
    expect(await panel.getByRole('group').textContent()).not.toBe('');
    await page.getByRole('row', { name: /^broken.*crashed/ }).waitFor();
  });

  it('a running server is listed with its process, memory and era', async () => {
    const row = page.getByRole('row', { name: /^everything/ });
    await expect.poll(() => row.textContent()).toMatch(/legacy 2025-11-25.*MB/);
  });

  it('a call is made with a form and listed live with its arguments and result', async () => {
    await show('Tools');
    await page.getByLabel('Search').fill('echo__echo');
    await page.getByRole('button', { name: 'echo__echo', exact: true }).click();
    await page.getByLabel(/^message/).fill('seen on the page');
    await page.getByRole('button', { name: 'Call echo__echo' }).click();
    await page.getByRole('group', { name: 'Result' }).getByText('seen on the page').waitFor();
    await show('Calls');
    await page
      .getByRole('row', { name: /echo.*result/ })
      .getByRole('button', { name: 'echo' })
      .click();
    await page.getByRole('group', { name: 'Arguments' }).getByText('seen on the page').waitFor();
    const result = page.getByRole('group', { name: 'Result' });
    await expect.poll(() => result.textContent()).toContain('seen on the page');
  });

  it('a question of a server is answered on the page', async () => {
    await show('Tools');
    await page.getByLabel('Search').fill('asking__');
    await page.getByRole('button', { name: 'asking__form', exact: true }).click();
    await page.getByRole('button', { name: 'Call asking__form' }).click();
    const question = page.getByRole('group', { name: 'Question of the server' });
    await question.getByLabel(/^name/).fill('Ada');
    await question.getByRole('button', { name: 'Accept' }).click();
    const result = page.getByRole('group', { name: 'Result' });
    await expect.poll(() => result.textContent()).toContain('"content":{"name":"Ada"}');
  });

  it('every view at every width and in both schemes has no accessibility violation and no sideways scrolling', async () => {
    const found: unknown[] = [];
    for (const view of VIEWS) {
      await show(view);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const scrolls = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
          if (scrolls === true) found.push(`${view} scrolls sideways at ${width}`);
          if (SHOTS !== undefined)
            await page.screenshot({ path: join(SHOTS, `${view}-${colorScheme}-${width}.png`) });
        }
        found.push(...(await violations(page)).map((violation) => `${view} ${colorScheme}: ${violation}`));
      }
    }
    expect(found).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('is used with the keyboard alone', async () => {
    await show('Servers');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('everything');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'everything' }).waitFor();
    while ((await focused(page)) !== 'Reload') await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Reloaded everything.').waitFor();
  });

  it('a change of the config is shown before it is written, and applied', async () => {
    await show('Add a server');
    await page.getByLabel('Name').fill('second');
    await page.getByLabel(/pasted block/).fill(JSON.stringify(fixtureServer('echo')));
    await page.getByRole('button', { name: 'Show the change' }).click();
    await page.getByRole('group', { name: 'Change of the config' }).getByText('"second"').waitFor();
    await page.getByRole('button', { name: 'Write it' }).click();
    await page.getByText('Added second to').waitFor();
    await show('Servers');
    await page.getByRole('row', { name: /^second.*running/ }).waitFor();
    await page.getByRole('button', { name: 'Enable off' }).click();
    await page.getByRole('button', { name: 'Write it' }).click();
    await expect.poll(() => page.getByRole('row', { name: /^off.*running/ }).count()).toBe(1);
    expect(await readFile(join(folder, 'mcpmux.json'), 'utf8')).toContain('"second"');
  });

  it('has asked no other host, and the console has no error', () => {
    expect([...seen.hosts]).toEqual([mux.url.host]);
    expect(seen.problems).toEqual([]);
  });
});

async function violations(page: Page): Promise<readonly string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') {
    // The policy of the page allows no script of others: the debugger adds this one.
    await page.evaluate(await readFile(AXE, 'utf8'));
  }
  const run = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 100)).join(' | ')))`;
  return page.evaluate<readonly string[]>(run);
}

function focused(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement.textContent');
}
