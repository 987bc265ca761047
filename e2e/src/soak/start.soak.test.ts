import { expect, it } from 'vitest';

import { fixtureServer } from '../testing/fixture-server.js';
import { RawCli } from '../testing/raw-cli.js';
import { report, setting } from './soak-cli.js';

const SERVERS = setting('SOAK_SERVERS', 64);
const MAX_SECONDS = 30;

it(`fault A15: ${SERVERS} servers that are added at once all run, and meanwhile every ping is answered`, async () => {
  await using cli = new RawCli({ args: ['--log-level', 'warn'] });
  await cli.initialize();
  const start = performance.now();
  const added = Promise.all(
    Array.from({ length: SERVERS }, (_, index) =>
      cli.call('add_server', { name: `s${index}`, ...fixtureServer('faulty') }),
    ),
  );
  const progress = { isDone: false };
  void added.then(() => (progress.isDone = true));
  const pings: number[] = [];
  while (!progress.isDone) {
    const asked = performance.now();
    await cli.request('ping');
    pings.push(performance.now() - asked);
  }
  const seconds = (performance.now() - start) / 1000;
  const failed = (await added).filter(({ result }) => result?.['isError'] === true);
  const sorted = pings.toSorted((a, b) => a - b);
  report('start', {
    servers: SERVERS,
    seconds: Math.round(seconds * 10) / 10,
    failed: failed.length,
    pings: pings.length,
    pingP99Ms: Math.round(sorted[Math.floor(pings.length * 0.99)] ?? 0),
    slowestPingMs: Math.round(sorted.at(-1) ?? 0),
  });
  expect(failed).toEqual([]);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});
