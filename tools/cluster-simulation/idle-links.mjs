// What links cost that nobody uses.
import { Links } from './code.mjs';
import { delayedNetwork } from './network.mjs';
import { seeded, VirtualClock } from './virtual-time.mjs';

/** More links need more memory than a machine has: the rest of them costs the same. */
const MOST_LINKS = 5000;
const WARM_UP_MS = 3_600_000;
const MEASURED_MS = 3_600_000;

/** The links of a cluster in which each node has one to each server of the others, and their messages in a second. */
export async function idleLinks(nodeCount, serverCount, seed) {
  const clock = new VirtualClock();
  const network = delayedNetwork(clock, seeded(seed));
  const nodes = Array.from({ length: nodeCount }, (_, index) => {
    // A server tells its lists.
    const serve = () => (link) => void link.resume().write('lists');
    return new Links({ cluster: network.join(), clock, node: `n${index}`, serve });
  });
  const simulated = Math.min(serverCount, Math.max(1, Math.floor(MOST_LINKS / (nodeCount - 1))));
  let opened = 0;
  for (let server = 0; server < simulated; server += 1)
    for (const [index, links] of nodes.entries())
      if (index !== server % nodeCount)
        void links.open(`n${server % nodeCount}`, { server }).then((link) => {
          opened += 1;
          link.resume().write('a request for the lists');
        });
  const expected = simulated * (nodeCount - 1);
  await clock.until(() => opened === expected, 60_000);
  await clock.pass(WARM_UP_MS);
  const { messages } = network.delivered;
  await clock.pass(MEASURED_MS);
  const isComplete = nodes.every(({ size }) => size > 0);
  const perLink = isComplete
    ? (network.delivered.messages - messages) / expected / (MEASURED_MS / 1000)
    : Number.NaN;
  for (const links of nodes) links.close();
  const count = serverCount * (nodeCount - 1);
  return { count, simulated: expected, messagesPerSecond: perLink * count, perLink };
}
