import process from 'node:process';

import { hasNatsServer } from '@mcpmux/testing/nats-server';
import { assert, it } from 'vitest';

import { clusterRun } from './cluster-run.js';

const { CHAOS_SEED, CLUSTER_SERVERS = '10', CLUSTER_CLIENTS = '12', CLUSTER_EVENTS = '8' } = process.env;
const SEEDS = [Number(CHAOS_SEED ?? 1)];

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
    const told = [`${violations.length} violations:`, ...violations.slice(0, 8), 'events:', ...history];
    assert(violations.length === 0, told.join('\n'));
  },
);
