import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';

import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';

import { openBrowser, watched } from './browser.js';
import { installedServer, NODE } from './built-cli.js';
import { fixtureServer } from './fixture-server.js';
import { HttpCli } from './http-cli.js';

export const VIEWS = ['Servers', 'Calls', 'Tools', 'Logs', 'Clients', 'Add a server', 'Health'] as const;
export type View = (typeof VIEWS)[number] | 'Cluster';
/** Phones, tablets on both sides of the width where tables become cards, and screens. */
export const WIDTHS = [320, 760, 768, 1280, 1600] as const;
const ENDS: readonly number[] = [WIDTHS[0], WIDTHS[4]];
export const SCHEMES = ['light', 'dark'] as const;

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Where screenshots go, if somebody wants them. */
const SHOTS = process.env['PAGE_SCREENSHOTS'];

/** What a page is opened for. */
export interface PageBrowserOptions {
  /** The servers of the config; without it mcpmux serves no config. */
  readonly servers?: Readonly<Record<string, object>>;
  /** The guards of the config. */
  readonly guards?: object;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What happens before the page is opened. */
  readonly before?: (mux: HttpCli) => Promise<unknown>;
}

/** A mcpmux that serves its page, and a browser that has opened the link. */
export class PageBrowser implements AsyncDisposable {
  private constructor(
    /** What the page has done that it must not do. */
    readonly seen: ReturnType<typeof watched>,
    private readonly parts: Pick<PageBrowser, 'folder' | 'mux' | 'browser' | 'context' | 'page'>,
  ) {}

  get folder(): string {
    return this.parts.folder;
  }

  get mux(): HttpCli {
    return this.parts.mux;
  }

  get browser(): Browser {
    return this.parts.browser;
  }

  get context(): BrowserContext {
    return this.parts.context;
  }

  get page(): Page {
    return this.parts.page;
  }

  /** The link that mcpmux has printed, which the page was opened with. */
  get link(): string {
    return /at (\S+\/ui\/#\S+)/.exec(this.mux.stderr)?.[1] ?? '';
  }

  static async open({
    servers,
    guards,
    args = [],
    env = {},
    before,
  }: PageBrowserOptions): Promise<PageBrowser> {
    const folder = await mkdtemp(join(tmpdir(), 'mcpmux-page-'));
    const config = join(folder, 'mcpmux.json');
    await writeFile(config, JSON.stringify({ mcpServers: servers, guards }, undefined, 2));
    const all = ['--ui', ...(servers === undefined ? ['--no-config'] : ['--config', config]), ...args];
    const [mux, browser] = await Promise.all([HttpCli.open({ args: all, env }), openBrowser()]);
    await mux.until(() => mux.stderr.includes('/ui/#'));
    await before?.(mux);
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const opened = new PageBrowser(watched(page), { folder, mux, browser, context, page });
    await page.goto(opened.link);
    return opened;
  }

  async running(...names: readonly string[]): Promise<void> {
    for (const name of names)
      await this.page.getByRole('row', { name: new RegExp(`^${name}\\b.*running`) }).waitFor();
  }

  async show(view: View): Promise<void> {
    await show(this.page, view);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.parts.browser.close();
    await this.mux[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The real servers that the page is tested with. */
export function realServers(folder: string): Readonly<Record<string, object>> {
  const [everything, filesystem] = ['everything', 'filesystem'].map((name) =>
    installedServer(`@modelcontextprotocol/server-${name}`),
  );
  const [broken = ''] = fixtureServer('exit-on-start').args;
  return {
    everything: { command: NODE, args: [everything, 'stdio'] },
    filesystem: { command: NODE, args: [filesystem, folder] },
    // The page shows the command: a picture of it tells nothing of the machine.
    broken: { command: NODE, args: [basename(broken)], cwd: dirname(broken) },
  };
}

export async function show(page: Page, view: View): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: view, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: view, exact: true }).waitFor();
}

/** What is wrong with the page as it stands: sideways scrolling at any width, violations in either scheme. */
export async function flaws(page: Page, name: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    // Both schemes have one layout: in the second one, the widths between matter to pictures alone.
    const isFirst = colorScheme === SCHEMES[0];
    for (const width of isFirst || SHOTS !== undefined ? WIDTHS : ENDS) {
      await page.setViewportSize({ width, height: 900 });
      if (await scrolls(page)) found.push(`${name} scrolls sideways at ${width}`);
      await screenshot(page, `${name}-${colorScheme}-${width}`);
      if (ENDS.includes(width))
        found.push(...(await violations(page)).map((one) => `${name} ${colorScheme} ${width}: ${one}`));
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
}

/** The widths at which the page scrolls sideways as it stands. */
export async function sideways(page: Page): Promise<readonly number[]> {
  const found: number[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    if (await scrolls(page)) found.push(width);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
}

/** Makes a picture of the page, if somebody wants one. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** What is wrong with a frame as it stands. */
export async function flawsOf(frame: Frame, name: string): Promise<readonly string[]> {
  const scrolled = (await scrolls(frame)) ? ['it scrolls sideways'] : [];
  return [...scrolled, ...(await violations(frame))].map((one) => `${name}: ${one}`);
}

function scrolls(page: Page | Frame): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
}

async function violations(page: Page | Frame): Promise<readonly string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') {
    // The policy of the page allows no script of others: the debugger adds this one.
    await page.evaluate(await readFile(AXE, 'utf8'));
  }
  const run = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 100)).join(' | ')))`;
  return page.evaluate<readonly string[]>(run);
}

/** The text of what the keyboard would use now. */
export function focused(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement.textContent');
}

/** Presses Tab until that element has the focus. */
export async function tabTo(page: Page, text: string): Promise<void> {
  for (let step = 0; step < 200; step += 1) {
    await page.keyboard.press('Tab');
    const label = `(document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent).trim()`;
    if ((await page.evaluate(label)) === text) return;
  }
  throw new Error(`The keyboard does not reach ${text}`);
}
