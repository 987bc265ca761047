import { expect, it } from 'vitest';
import { textOf } from '@mcpmux/core/testing/mux-rig';

import { ClusterRig } from './testing/cluster-rig.js';
import { MemoryNetwork } from './memory-network.js';

/** The messages that a number of calls needs in a cluster of so many nodes. */
async function messagesFor(nodes: number, calls: number): Promise<number> {
  const network = new MemoryNetwork();
  await using rig = await ClusterRig.open(() => Promise.resolve(network.join()));
  for (let index = 0; index < nodes; index += 1) await rig.node(`n${index}`);
  const owner = await rig.server('echo');
  const client = await rig.client(rig.otherThan(owner));
  await client.call('echo__echo', { message: 'first' });
  const before = network.delivered.messages;
  for (let count = 0; count < calls; count += 1)
    expect(textOf((await client.call('echo__echo', { message: 'm' })).result)).toBe('m');
  return network.delivered.messages - before;
}

it('a call needs one message there and one back, however many nodes there are', async () => {
  const [few, many] = [await messagesFor(2, 50), await messagesFor(8, 50)];
  // A few signs of life of links may come between.
  expect(few).toBeGreaterThanOrEqual(100);
  expect(few).toBeLessThan(120);
  expect(many).toBeLessThan(120);
});
