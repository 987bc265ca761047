import process from 'node:process';

import { hasNatsServer } from '@mcpmux/testing/nats-server';
import { assert, it } from 'vitest';

import { DECK } from './cluster-faults.js';
import { clusterRun } from './cluster-run.js';

const {
  CHAOS_SEED = '1',
  CLUSTER_SERVERS = '10',
  CLUSTER_CLIENTS = '12',
  CLUSTER_EVENTS = DECK.length,
} = process.env;
/** `CHAOS_SEED=1,2,3` runs three. */
const SEEDS = CHAOS_SEED.split(',').map(Number);

it.runIf(hasNatsServer && process.platform === 'linux').each(SEEDS)(
  'seed %i: a cluster of three nodes on three servers of NATS breaks no invariant, and leaves nothing',
  async (seed) => {
    const size = {
      servers: Number(CLUSTER_SERVERS),
      clients: Number(CLUSTER_CLIENTS),
      events: Number(CLUSTER_EVENTS),
    };
    const { violations, history, figures } = await clusterRun({ seed, ...size });
    process.stderr.write(`cluster chaos ${JSON.stringify({ seed, ...size, ...figures })}\n`);
    const reported = [`${violations.length} violations:`, ...some(violations), 'events:', ...history];
    assert(violations.length === 0, reported.join('\n'));
  },
);

/** The first of each kind: a cluster that has lost its way has hundreds. */
function some(violations: readonly string[]): readonly string[] {
  const count = new Map<string, number>();
  return violations.filter((one) => {
    const kind = one.replaceAll(/\w*\d+/g, '').slice(0, 40);
    count.set(kind, (count.get(kind) ?? 0) + 1);
    return (count.get(kind) ?? 0) <= 3;
  });
}
