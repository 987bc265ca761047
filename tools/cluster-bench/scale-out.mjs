import { join } from 'node:path';
import process from 'node:process';

import { call, IN_FLIGHT, measure, median, names, until } from './calls.mjs';
import { root } from './rig.mjs';

const SERVERS = 6;
const NODES = ['a', 'b', 'c'];
/** Of each node and its servers: three nodes leave enough of two cores for NATS and the clients. */
const CORES = 0.3;
const WARM_UP = 200;
const ROUNDS = 3;

/**
 * The calls in a second that clusters of one, two and three nodes answer: the same six CPU-bound servers, spread over the
 * nodes, and clients that use all fronts. Each node has a part of a core.
 */
export async function scaleOut(rig, nats, calls) {
  const rates = [];
  for (let count = 1; count <= NODES.length; count += 1) {
    const started = rig.children.length;
    const config = rig.config(`scale${count}`, servers(count));
    const urls = [];
    for (const name of NODES.slice(0, count)) urls.push(await rig.node(name, nats, config, CORES));
    for (const url of urls)
      await until(
        async () => (await names(url)).filter((name) => name.endsWith('__compute')).length === SERVERS,
      );
    let next = 0;
    const work = () => {
      next += 1;
      return call(urls[next % urls.length], `cpu${next % SERVERS}__compute`, {});
    };
    await measure(work, Math.min(WARM_UP, calls), IN_FLIGHT);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push((await measure(work, calls / ROUNDS, IN_FLIGHT)).rate);
    rates.push(median(rounds));
    await rig.end(started);
  }
  return rates;
}

function servers(nodes) {
  const args = [join(root, 'tools/cluster-bench/cpu-server.mjs')];
  const entry = (index) => ({
    command: process.execPath,
    args,
    mux: { cluster: { host: NODES[index % nodes] } },
  });
  return Object.fromEntries(Array.from({ length: SERVERS }, (_, index) => [`cpu${index}`, entry(index)]));
}
