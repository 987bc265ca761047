import type { Command } from 'commander';

import { collect } from '../terminal/common-flags.js';
import { command, reads, run, type Exit } from './command-builder.js';

/** Returns the command `cluster` and its subcommands. The code of a subcommand is loaded when it runs. */
export function clusterCommand(exit: Exit): Command {
  const status = command('status', 'list the servers of the cluster and their nodes');
  const nodes = command('nodes', 'list the nodes of the cluster');
  const drain = command('drain <node>', 'give the servers of a node to other nodes');
  for (const part of [status, nodes, drain])
    reads(part).option(
      '--cluster <url>',
      'a server of NATS (default: MCPMUX_CLUSTER, or the config)',
      collect,
    );
  return command('cluster', 'show the cluster of several mcpmux (docs/cluster.md), or drain a node of it')
    .addCommand(run(status, exit, async () => (await import('./cluster.js')).clusterStatus))
    .addCommand(run(nodes, exit, async () => (await import('./cluster.js')).clusterNodes))
    .addCommand(run(drain, exit, async () => (await import('./cluster.js')).clusterDrain));
}
