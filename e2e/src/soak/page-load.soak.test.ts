import process from 'node:process';

import type { MuxEventMap, NumberedEvent, ServerStatus } from '@mcpmux/core';
import { createMux } from '@mcpmux/core';
import { createDashboard } from '@mcpmux/dashboard';
import { createHttpFront } from '@mcpmux/http';
import type { CDPSession, Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM, openBrowser, watched } from '../testing/browser.js';

const SERVERS = 200;
const TOOLS_EACH = 50;
const CALLS_PER_SECOND = 5000;
const SECONDS = 60;
const TURNS_PER_SECOND = 50;
const MAX_INTERACTION_MS = 100;
const MAX_HEAP_BYTES = 150 * 1024 * 1024;

type Start = MuxEventMap['call:start'];
type End = MuxEventMap['call:end'];

/** Stands in for a mux with many servers, tools and calls, so that the page alone is measured. */
class BusyMux {
  readonly instanceId = 'busy';
  private readonly starts = new Set<(event: Start) => void>();
  private readonly ends = new Set<(event: End) => void>();
  private calls = 0;
  private readonly timer = setInterval(() => this.turn(), 1000 / TURNS_PER_SECOND);
  private readonly tools = Array.from({ length: SERVERS * TOOLS_EACH }, (_, index) => ({
    name: `server${index % SERVERS}__tool_${index}`,
    description: `Does the thing with the number ${index}, and tells how it went. `.repeat(3),
    inputSchema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } },
  }));

  on(type: string, listener: (event: never) => void): () => void {
    const all = (type === 'call:start' ? this.starts : this.ends) as Set<(event: never) => void>;
    all.add(listener);
    return () => all.delete(listener);
  }

  async *events(): AsyncGenerator<NumberedEvent, undefined> {
    for (let sequence = 1; ; sequence += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      const server = `server${sequence % SERVERS}`;
      const line = `line ${sequence} of a server that writes a lot`;
      yield { type: 'server:stderr', sequence, time: Date.now(), server, line };
    }
  }

  listServers(): readonly ServerStatus[] {
    return Array.from({ length: SERVERS }, (_, index) => ({
      name: `server${index}`,
      command: 'node',
      args: ['server.js', String(index)],
      status: 'running',
      tools: Array.from({ length: TOOLS_EACH }, (__, tool) => `server${index}__tool_${tool}`),
      uptime_seconds: 5,
      protocol_version: '2025-11-25',
      era: 'legacy',
      restarts: 0,
      dropped_lines: 0,
    }));
  }

  listClients(): readonly [] {
    return [];
  }

  handle(
    message: Uint8Array,
    _: object,
    reply: (line: Uint8Array, isResponse: boolean) => void,
  ): Promise<void> {
    const { id, method, params } = JSON.parse(Buffer.from(message).toString()) as {
      readonly id: unknown;
      readonly method: string;
      readonly params: { readonly cursor?: string };
    };
    const from = Number(params.cursor ?? 0);
    const page = { tools: this.tools.slice(from, from + 1000), nextCursor: String(from + 1000) };
    const isLast = from + 1000 >= this.tools.length;
    const result = method === 'tools/list' ? { ...page, ...(isLast && { nextCursor: undefined }) } : {};
    reply(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result })), true);
    return Promise.resolve();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private turn(): void {
    for (let index = 0; index < CALLS_PER_SECOND / TURNS_PER_SECOND; index += 1) {
      this.calls += 1;
      const call = this.calls;
      const about = { server: `server${call % SERVERS}`, tool: `tool_${call % TOOLS_EACH}`, call };
      const details = index < 4 ? { session: 1, client: 'load 1', bytes: 200, arguments: '{"a":"x"}' } : {};
      for (const listener of this.starts) listener({ ...about, ...details });
      for (const listener of this.ends)
        listener({
          ...about,
          ms: 3,
          ending: 'result',
          ...(index < 4 && { bytes: 300, result: '{"content":[]}' }),
        });
    }
  }
}

/** The longest time that the page did not answer to the user during an action, in milliseconds. */
async function longest(page: Page, action: () => Promise<unknown>): Promise<number> {
  await page.evaluate(`window.longest = 0; window.watch?.disconnect();
    window.watch = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration);
    });
    window.watch.observe({ type: 'event', durationThreshold: 16 });
    window.watch.observe({ type: 'longtask' });`);
  await action();
  await new Promise((resolve) => setTimeout(resolve, 500));
  return page.evaluate<number>('window.longest');
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}

it.skipIf(CHROMIUM === undefined)(
  `200 servers, 10,000 tools and 5,000 calls a second: the page answers in time, and its memory is bounded${NO_CHROMIUM}`,
  { timeout: 300_000 },
  async () => {
    const busy = new BusyMux();
    await using mux = createMux();
    const mounted = createDashboard(busy as never, { about: { version: '1' } });
    await using front = createHttpFront(mux, { mounted, mountedOnly: true });
    const { origin } = new URL(await front.listen());
    const browser = await openBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const seen = watched(page);
      await page.goto(mounted.link(origin));
      await page.getByRole('button', { name: 'server199', exact: true }).waitFor();
      const session = await page.context().newCDPSession(page);
      const times: Record<string, number> = {};
      const show = (name: string) =>
        page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      times['servers'] = await longest(page, () =>
        page.getByRole('button', { name: 'server7', exact: true }).click(),
      );
      times['calls'] = await longest(page, () => show('Calls'));
      times['filter calls'] = await longest(page, () => page.getByLabel('Filter').fill('server7'));
      await show('Tools');
      await page.getByText('10000 of 10000').waitFor();
      times['search tools'] = await longest(page, () =>
        page.getByLabel('Search').pressSequentially('number 77'),
      );
      times['logs'] = await longest(page, () => show('Logs'));
      const before = await heapOf(session);
      await show('Calls');
      await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
      const after = await heapOf(session);
      process.stdout.write(`${JSON.stringify({ times, before, after })}\n`);
      expect(Math.max(...Object.values(times))).toBeLessThan(MAX_INTERACTION_MS);
      expect(after).toBeLessThan(MAX_HEAP_BYTES);
      expect(seen.problems).toEqual([]);
    } finally {
      busy.close();
      await browser.close();
    }
  },
);
