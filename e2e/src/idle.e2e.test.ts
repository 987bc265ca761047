import { readFileSync } from 'node:fs';
import process from 'node:process';

import { expect, it, vi } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

const WATCHED_MS = 3000;

/** How often the main thread of a process has gone to sleep so far. */
function sleepsOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]);
}

it.runIf(process.platform === 'linux')(
  'J4: a mcpmux that no client calls wakes up at most once a second',
  async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { one: fixtureServer('echo'), two: fixtureServer('echo') } });
    await using cli = new RawCli({ env: person.environment });
    const clientInfo = { name: 'idle', version: '1' };
    await cli.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    cli.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    await cli.request('tools/list');
    const { pid = 0 } = cli.child;
    // What belongs to the start ends within some seconds.
    await vi.waitFor(
      async () => {
        const before = sleepsOf(pid);
        await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
        expect(sleepsOf(pid) - before).toBeLessThanOrEqual(WATCHED_MS / 1000);
      },
      { timeout: 30_000 },
    );
  },
  40_000,
);
