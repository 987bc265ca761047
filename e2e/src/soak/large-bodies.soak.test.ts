import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { fixtureServer } from '../testing/fixture-server.js';
import { ACCEPT, HttpCli, INITIALIZE } from '../testing/http-cli.js';
import { LARGE_SHAPES } from './large-shapes.js';
import { report, setting } from './soak-cli.js';

/** For each shape, and before it without any body. */
const SECONDS = setting('SOAK_SECONDS', 3);
/** Clients that send bodies at the same time. */
const CLIENTS = setting('SOAK_CLIENTS', 2);
const P99_MS = 50;
const PROBER = fileURLToPath(new URL('health-prober.mjs', import.meta.url));

interface Times {
  readonly answers: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

async function probed(prober: ChildProcess): Promise<Times> {
  const heard = once(prober, 'message');
  prober.send(SECONDS * 1000);
  const [times] = (await heard) as [number[]];
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1));
  return { answers: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** A session of the revision that has batches. */
async function sender(cli: HttpCli): Promise<(body: string) => Promise<number>> {
  const params = { ...INITIALIZE.params, protocolVersion: '2025-03-26' };
  const opened = await cli.send({ method: 'POST', headers: ACCEPT, body: { ...INITIALIZE, params } });
  const headers = { ...ACCEPT, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  await cli.send({ method: 'POST', headers, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' });
  return async (body) => (await cli.send({ method: 'POST', headers, body })).status;
}

it(`I24: while ${CLIENTS} clients send bodies of 4 MiB without a pause, the health page answers`, async () => {
  await using cli = await HttpCli.open({ args: ['--no-config'] });
  const senders = await Promise.all(Array.from({ length: CLIENTS }, () => sender(cli)));
  const added = { name: 'add_server', arguments: { name: 'e', ...fixtureServer('echo') } };
  await senders[0]?.(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/call', params: added }));
  const health = new URL('/healthz', cli.url).href;
  const prober = fork(PROBER, [health]);
  const slow: string[] = [];
  try {
    await probed(prober);
    for (const [name, body] of LARGE_SHAPES) {
      const alone = await probed(prober);
      const statuses: number[] = [];
      const sending = new AbortController();
      const posting = senders.map(async (send) => {
        while (!sending.signal.aborted) statuses.push(await send(body));
      });
      const beside = await probed(prober);
      sending.abort();
      await Promise.all(posting);
      report(`health beside ${name}`, {
        bytes: Buffer.byteLength(body),
        bodies: statuses.length,
        answers: beside.answers,
        p50: beside.p50,
        p99: beside.p99,
        max: beside.max,
        p99Alone: alone.p99,
        ratio: Number((beside.p99 / alone.p99).toFixed(1)),
        load: (loadavg()[0] ?? 0).toFixed(1),
      });
      expect([...new Set(statuses)]).toEqual([200]);
      if (beside.p99 > P99_MS) slow.push(`${name}: p99 ${beside.p99} ms, alone ${alone.p99} ms`);
    }
  } finally {
    prober.kill();
  }
  expect(slow).toEqual([]);
});
