import { hasBubblewrap } from '@mcpmux/testing/bubblewrap';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { median } from './testing/median.js';
import { RawCli } from './testing/raw-cli.js';

const PAIRS = 21;
const MOST_MS = 30;
const filesystem = { allowRead: [realpathSync(fileURLToPath(new URL('../..', import.meta.url)))] };

it.skipIf(!hasBubblewrap)(
  'a start under bubblewrap takes at most 30 ms longer',
  { timeout: 120_000 },
  async () => {
    await using mcpmux = new RawCli({ args: ['--log-level', 'error', '--no-config'] });
    await mcpmux.initialize();
    const startMs = async (name: string, sandbox: object): Promise<number> => {
      const begin = performance.now();
      await mcpmux.call('add_server', { name, ...fixtureServer('echo'), ...sandbox });
      const took = performance.now() - begin;
      await mcpmux.call('remove_server', { name });
      return took;
    };
    const confined = { sandbox: { filesystem } };
    // The first start tests bubblewrap.
    await startMs('first', confined);
    const differences: number[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const alone = await startMs(`a${pair}`, {});
      const inside = await startMs(`b${pair}`, confined);
      differences.push(inside - alone);
    }
    expect(median(differences)).toBeLessThan(MOST_MS);
  },
);
