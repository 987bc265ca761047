import { PassThrough } from 'node:stream';

import { expect, it } from 'vitest';

import type { Era } from '../server/dialect/era.js';
import { CAPABILITIES, DualClient, FRONT, getsAll } from '../testing/dual-client.js';
import { dualProgram } from '../testing/dual-program.js';
import type { Mux } from './mux-api.js';
import { createMux } from './mux.js';

/** A mux as a server of another one, over streams: each run has a connection of its own. */
async function behind(front: Mux, far: Mux): Promise<void> {
  await front.addServer('far', {
    address: 'test:far',
    advice: 'Look at the test.',
    open: () => {
      const [input, output] = [new PassThrough(), new PassThrough()];
      far.connect({ input, output });
      return Promise.resolve({ input: output, output: input });
    },
  });
}

const ORDERS: readonly (readonly [Era, Era])[] = [
  ['legacy', 'modern'],
  ['modern', 'legacy'],
];

it.each(ORDERS)(
  'a server of both eras behind two muxes gives a %s client and then a %s one what it gives each alone',
  async (...order) => {
    await using far = createMux(FRONT);
    await far.addServer('v', await dualProgram());
    await using front = createMux(FRONT);
    await behind(front, far);
    for (const era of [...order, ...order]) {
      const client = await DualClient.open(front, era, CAPABILITIES, 'far__v__');
      await getsAll(client);
    }
    expect(front.listServers()).toMatchObject([{ name: 'far', status: 'running' }]);
  },
);
