import { Lifeline } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { fixtureServer } from '../testing/fixture-server.js';
import { RawCli } from '../testing/raw-cli.js';
import { report, setting } from './soak-cli.js';

const ROUNDS = setting('SOAK_ROUNDS', 100);
const GONE_MS = 2000;

/** Five servers: those that go with their stdin, those that do not, and those with descendants in and out of their group. */
const SERVERS = [
  ['polite', 'faulty', 1],
  ['deaf', 'ignore-eof', 1],
  ['stubborn', 'ignore-sigterm', 1],
  ['family', 'tree', 3],
  ['escaped', 'setsid-escapee', 2],
] as const;
const PROCESSES = SERVERS.reduce((sum, [, , size]) => sum + size, 0);

it(`F4, F6: ${ROUNDS} times SIGKILL of mcpmux with five servers and their descendants leaves no process after 2 s`, async () => {
  await using lifeline = await Lifeline.open();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await using cli = new RawCli({ args: ['--log-level', 'warn'], env: { LIFELINE: lifeline.address } });
    await cli.initialize();
    await Promise.all(
      SERVERS.map(([name, fixture]) => cli.call('add_server', { name, ...fixtureServer(fixture) })),
    );
    await lifeline.waitForAlive(PROCESSES);
    const start = performance.now();
    cli.child.kill('SIGKILL');
    await lifeline.waitForAllGone(GONE_MS);
    times.push(performance.now() - start);
  }
  const sorted = times.toSorted((a, b) => a - b);
  report('SIGKILL', {
    rounds: ROUNDS,
    processes: PROCESSES,
    survivors: lifeline.alive.length,
    medianMs: Math.round(sorted[Math.floor(ROUNDS / 2)] ?? 0),
    slowestMs: Math.round(sorted.at(-1) ?? 0),
  });
  expect(times).toHaveLength(ROUNDS);
});
