import { systemClock } from '@mcpmux/core';
import { Links, MemoryNetwork, type ServeLink } from '@mcpmux/cluster';
import { expect, it } from 'vitest';

import { drainNode } from './drain-node.js';

/** The links of the node that asks, and of a node `b` that is drained. */
function twoNodes(serve: ServeLink) {
  const network = new MemoryNetwork();
  const linksOf = (node: string, served: ServeLink): Links =>
    new Links({ cluster: network.join(), clock: systemClock, node, serve: served });
  const [asking, drained] = [linksOf('a', () => 'this node is not drained'), linksOf('b', serve)];
  return {
    asking,
    open: () => asking.size + drained.size,
    [Symbol.dispose]: () => [asking, drained].forEach((links) => links.close()),
  };
}

it('a drain leaves no link open on either node', async () => {
  using nodes = twoNodes(() => (link) => void link.end('{}\n'));
  await drainNode(nodes.asking, 'b');
  await expect.poll(nodes.open).toBe(0);
});

it.each([
  ['that refuses the link', () => 'this node serves no such link', 'this node serves no such link'],
  ['that cannot give its servers away', () => (link) => void link.destroy(new Error('no lease')), 'no lease'],
] as const satisfies readonly (readonly [string, ServeLink, string])[])(
  'a node %s is named with its reason, and leaves no link open',
  async (_, serve, reason) => {
    using nodes = twoNodes(serve);
    await expect(drainNode(nodes.asking, 'b')).rejects.toThrow(reason);
    await expect.poll(nodes.open).toBe(0);
  },
);
