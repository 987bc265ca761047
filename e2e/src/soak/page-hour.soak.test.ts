import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import process from 'node:process';

import type { Dashboard } from '@mcpmux/dashboard';
import { expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from '../testing/browser.js';
import { SERVERS } from '../testing/busy-mux.js';
import { BusyPage } from '../testing/busy-page.js';
import { heapOf } from '../testing/page-measures.js';

/** A page gets four lines a second. */
const LINES = 4 * 60 * 60;
/** Most records of calls in a line, and as many lines of stderr as one server may log in a quarter of a second. */
const CALLS_A_LINE = 100;
const EVENTS_A_LINE = 25;
const MAX_HEAP_BYTES = 150 * 1024 * 1024;

function lineOf(index: number): string {
  const first = index * CALLS_A_LINE;
  const calls = Array.from({ length: CALLS_A_LINE }, (_, at) => {
    const server = `server${at % SERVERS}`;
    const record = {
      call: first + at,
      time: Date.now(),
      server,
      tool: `tool_${at}`,
      client: 'load 1',
      session: 1,
    };
    return { ...record, sent: 200, received: 300, ms: 3, ending: 'result', hasContent: true };
  });
  const events = Array.from({ length: EVENTS_A_LINE }, (_, at) => {
    const sequence = index * EVENTS_A_LINE + at + 1;
    const line = `line ${sequence} of a server that writes a lot`;
    return { type: 'server:stderr', sequence, time: Date.now(), server: `server${at}`, line };
  });
  const at = { event: (index + 1) * EVENTS_A_LINE };
  return `${JSON.stringify({ events, calls, missed: 0, unlisted: 0, at })}\n`;
}

/** Sends the lines of an hour as fast as the page reads them. */
async function replay(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  for (let index = 0; index < LINES; index += 1)
    if (!response.write(lineOf(index))) await once(response, 'drain');
}

function replaying(dashboard: Dashboard): Dashboard {
  return {
    ...dashboard,
    serve: (request, response) => {
      const isStream = request.url?.startsWith('/ui/api/events') === true;
      if (isStream) void replay(response);
      else dashboard.serve(request, response);
    },
  };
}

it.skipIf(CHROMIUM === undefined)(
  `an hour of calls and events leaves the memory of the page bounded${NO_CHROMIUM}`,
  { timeout: 900_000 },
  async () => {
    await using opened = await BusyPage.open(replaying);
    const { page, link, seen } = opened;
    const session = await page.context().newCDPSession(page);
    const begun = performance.now();
    const heaps: number[] = [];
    const measure = setInterval(() => void heapOf(session).then((bytes) => heaps.push(bytes)), 5000);
    await page.goto(link);
    await page.getByRole('navigation').getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByLabel('Filter').fill(`tool_${CALLS_A_LINE - 1}`);
    await page.getByRole('navigation').getByRole('link', { name: 'Logs', exact: true }).click();
    await page.getByText(`line ${LINES * EVENTS_A_LINE} of`).waitFor({ timeout: 800_000 });
    clearInterval(measure);
    const after = await heapOf(session);
    const seconds = Math.round((performance.now() - begun) / 1000);
    const events = LINES * (CALLS_A_LINE + EVENTS_A_LINE);
    process.stdout.write(`${JSON.stringify({ events, seconds, most: Math.max(...heaps, after), after })}\n`);
    expect(Math.max(...heaps, after)).toBeLessThan(MAX_HEAP_BYTES);
    expect(seen.problems).toEqual([]);
  },
);
