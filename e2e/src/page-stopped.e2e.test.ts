import process from 'node:process';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { NODE } from './testing/built-cli.js';
import { flaws, PageBrowser, show } from './testing/page-browser.js';

const BURST = 20;

/** A server that writes the next twenty lines on stderr for each SIGUSR2. */
const WRITER = `
  let written = 0;
  process.stderr.write('pid ' + process.pid + '\\n');
  process.on('SIGUSR2', () => {
    for (let left = ${BURST}; left > 0; left -= 1) process.stderr.write('line ' + (written += 1) + '\\n');
  });
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id } = JSON.parse(line);
    const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'w', version: '1' } };
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  });`;

const LINES = /^line \d+$/;

describe.skipIf(CHROMIUM === undefined || process.platform === 'win32')(
  `the page of a mcpmux that is stopped${NO_CHROMIUM}`,
  () => {
    let opened: PageBrowser;
    let page: Page;

    beforeAll(async () => {
      opened = await PageBrowser.open({ servers: { writer: { command: NODE, args: ['-e', WRITER] } } });
      await opened.running('writer');
      ({ page } = opened);
    });

    afterAll(async () => {
      opened?.mux.child.kill('SIGCONT');
      await opened?.[Symbol.asyncDispose]();
    });

    it('says so, and goes on with its mcpmux: no line is lost, and none comes twice', async () => {
      await page.clock.install();
      await page.reload();
      await show(page, 'Logs');
      const write = await writer(page);
      const line = (number: number) => page.getByText(`line ${number}`, { exact: true });
      write();
      await line(1).waitFor();
      write();
      const { child } = opened.mux;
      child.kill('SIGSTOP');
      const status = page.getByRole('status');
      await page.clock.runFor(9000);
      await status.getByText('mcpmux has not answered for').waitFor();
      await status.getByText(/^(?:9|\d\d) s$/).waitFor();
      await status.getByText(`kill -CONT ${child.pid}`).waitFor();
      await status.getByText('mcpmux ui').waitFor();
      expect(await page.getByText('interrupted', { exact: true }).count()).toBe(1);
      expect(await flaws(page, 'Stopped')).toEqual([]);
      write();
      await page.clock.runFor(60_000);
      child.kill('SIGCONT');
      await page.clock.runFor(1000);
      await page.getByText('live', { exact: true }).waitFor();
      await line(3 * BURST).waitFor();
      expect(await status.getByText('mcpmux has not answered').count()).toBe(0);
      write();
      await line(4 * BURST).waitFor();
      const more = page.getByRole('button', { name: /^Show more/ });
      // At once: the button also goes by itself, once it is in view.
      while ((await more.count()) > 0) await page.evaluate(`document.querySelector('button.more')?.click()`);
      const numbers = (await page.getByText(LINES).allTextContents()).map((text) => Number(text.slice(5)));
      expect(numbers.toReversed()).toEqual(Array.from({ length: 4 * BURST }, (_, index) => index + 1));
      expect(opened.seen.problems).toEqual([]);
    });
  },
);

/** Returns the function that lets the server write a burst of lines. */
async function writer(page: Page): Promise<() => void> {
  const pid = Number((await page.getByText(/^pid \d+$/).textContent())?.slice(4));
  return () => process.kill(pid, 'SIGUSR2');
}
