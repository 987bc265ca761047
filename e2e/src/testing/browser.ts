import { existsSync } from 'node:fs';
import process from 'node:process';

import { chromium, type Browser, type Page } from 'playwright-core';

import PLACES from '../../../tools/browsers.json' with { type: 'json' };

/** The Chromium of this machine; undefined where there is none. */
export const CHROMIUM = [process.env['CHROMIUM'] ?? '', ...PLACES].find((place) => existsSync(place));

/** The end of a test's title where it cannot run. */
export const NO_CHROMIUM = CHROMIUM === undefined ? ' (skipped: no Chromium on this machine)' : '';

/** Starts the browser. */
export function openBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  return chromium.launch({ executablePath: CHROMIUM ?? '', headless: true, args });
}

/** The requests, messages of the console and errors of a page that must not occur. */
export function watched(page: Page): { readonly problems: string[]; readonly hosts: ReadonlySet<string> } {
  const problems: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('dialog', (dialog) => {
    problems.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  return { problems, hosts };
}
