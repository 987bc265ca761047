import process from 'node:process';
import { setTimeout } from 'node:timers/promises';

import { seededRandom } from '@mcpmux/testing/seeded-random';
import { describe, expect, it, vi } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { SharedWindows, untilListed } from './testing/shared-windows.js';
import { textOf } from './testing/tool-response.js';

/** The seeds choose the moments of the kills. */
describe('windows whose process is killed at random', () => {
  it.each(Array.from({ length: Number(process.env['SHARED_SEEDS'] ?? 2) }, (_, seed) => seed + 1))(
    'A13: get one answer to each request, and never that of another: seed %i',
    async (seed) => {
      await using shared = await SharedWindows.open({
        e: { ...fixtureServer('echo'), mux: { shared: true } },
      });
      const random = seededRandom(seed);
      const windows = await Promise.all(Array.from({ length: 4 }, () => shared.window()));
      await Promise.all(windows.map((window) => untilListed(window, 'e__echo')));
      const over = new AbortController();
      const outcomes = { answered: 0, crossed: 0, failed: 0 };
      const work = windows.map(async (window, at) => {
        for (let n = 0; !over.signal.aborted || n < 50; n += 1) {
          const message = `${seed} ${at} ${n}`;
          const params = { name: 'e__echo', arguments: { message } };
          const response = await window.request('tools/call', params, 5000 + n);
          const { result, error } = response;
          // A server that is starting refuses, or is not known yet.
          const isEcho = error === undefined && result?.['isError'] !== true;
          if (isEcho) outcomes[textOf(response) === message ? 'answered' : 'crossed'] += 1;
          else outcomes.failed += 1;
          if (!isEcho) await setTimeout(5);
        }
      });
      for (let kill = 0; kill < 4; kill += 1) {
        const wanted = outcomes.answered + 20;
        await vi.waitUntil(() => outcomes.answered >= wanted, { timeout: 20_000 });
        await setTimeout(random.below(300));
        for (const pid of await shared.processes()) process.kill(pid, 'SIGKILL');
      }
      await Promise.all(windows.map((window) => untilListed(window, 'e__echo')));
      over.abort();
      await Promise.all(work);
      for (const window of windows) {
        const ids = window.messages.flatMap(({ id, method }) => (method === undefined ? [id] : []));
        expect(new Set(ids).size).toBe(ids.length);
      }
      expect(outcomes.crossed).toBe(0);
      expect(outcomes.answered).toBeGreaterThan(50);
      await Promise.all(windows.map((window) => window[Symbol.asyncDispose]()));
    },
  );
});
