import { afterEach, describe, expect, it } from 'vitest';

import type { Era } from '../server/dialect/era.js';
import { DualClient, FRONT, getsAll, statusOf } from '../testing/dual-client.js';
import { DualServers, type Where } from '../testing/dual-program.js';
import type { MuxOptions } from './mux-options.js';
import { createMux } from './mux.js';

const servers = new DualServers();

afterEach(() => servers[Symbol.asyncDispose]());

describe.each<Where>(['over stdio', 'at a url'])('a server of both eras, %s', (where) => {
  it.each<Era>(['legacy', 'modern'])(
    'gives a %s client of its own all that it gives it alone',
    async (era) => {
      await using mux = createMux();
      const client = await DualClient.open(mux, era);
      await mux.addServer('v', await servers.configOf(where));
      await getsAll(client);
      expect(await client.call('era')).toBe(era);
      expect(statusOf(mux).second_run).toBeUndefined();
    },
  );

  it.each<Era>(['legacy', 'modern'])(
    'gives a %s client of a front all that it gives it alone',
    async (era) => {
      await using mux = createMux(FRONT);
      await mux.addServer('v', await servers.configOf(where));
      const client = await DualClient.open(mux, era);
      await getsAll(client);
      expect(await client.call('era')).toBe(era);
    },
  );

  it.each<readonly [Era, Era, string, MuxOptions]>([
    ['legacy', 'modern', 'mux', {}],
    ['modern', 'legacy', 'mux', {}],
    ['legacy', 'modern', 'front', FRONT],
    ['modern', 'legacy', 'front', FRONT],
  ])('gives a %s client, and then a %s one of the same %s, what it gives each alone', async (...given) => {
    const [first, second, , options] = given;
    await using mux = createMux(options);
    const one = await DualClient.open(mux, first);
    await mux.addServer('v', await servers.configOf(where));
    await getsAll(one);
    const other = await DualClient.open(mux, second);
    await getsAll(other);
    await getsAll(one);
    // The bridge for the modern client of a program that runs in the legacy era loses nothing here.
    const hasOneRun = where === 'over stdio' && first === 'legacy';
    const ofSecondRun = options === FRONT ? 'legacy' : second;
    expect(statusOf(mux).second_run?.era).toBe(hasOneRun ? undefined : ofSecondRun);
  });
});
