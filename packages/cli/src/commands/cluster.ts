import { connectNats } from '@mcpmux/cluster-nats';
import { systemClock } from '@mcpmux/core';
import { ClusterError, clusterBuckets, Directory, Links, type Cluster } from '@mcpmux/core/cluster';

import { ExitCode } from '../base/exit-code.js';
import { drainNode } from '../cluster/drain-node.js';
import { clusterOptions, type ClusterFlags, type ClusterOptions } from '../cluster/cluster-options.js';
import { loadConfig } from '@mcpmux/config';
import { inColumns } from '../terminal/columns.js';
import { printResult, tell, type Action, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { configToRead, type ConfigFlags } from './config-choice.js';

type Flags = ConfigFlags & ClusterFlags;

/** How long a node must be silent to count as gone here: this command has heard nothing before. */
const FRESH_MS = 60_000;

/** Lists the servers of the cluster and their nodes. */
export const clusterStatus: Action<Flags> = (context, _words, flags) =>
  withCluster(context, flags, async (cluster) => {
    const directory = await read(cluster);
    const nodes = directory.nodes();
    const servers = [...directory.servers].map(([name, { record }]) => {
      const owner = directory.owners.get(name);
      const isThere = owner !== undefined && nodes.has(owner.node);
      const { host, labels = [], failover, singleton } = record;
      return {
        name,
        node: isThere ? owner.name : null,
        epoch: owner?.epoch ?? null,
        host,
        labels,
        failover,
        singleton,
      };
    });
    const rows = servers.map(({ name, node, epoch }) => [name, node ?? 'nowhere', `epoch ${epoch ?? '-'}`]);
    printResult(context, servers, inColumns(rows, context.streams.columns));
    if (servers.length === 0)
      tell(context, 'The cluster has no servers. A node gives it those of its config.');
    return servers.every(({ node }) => node !== null) ? ExitCode.Ok : ExitCode.Unreachable;
  });

/** Lists the nodes of the cluster. */
export const clusterNodes: Action<Flags> = (context, _words, flags) =>
  withCluster(context, flags, async (cluster) => {
    const directory = await read(cluster);
    const nodes = [...directory.nodes().values()].map(({ id, record }) => Object.assign({ id }, record));
    const rows = nodes.map(({ id, name, servers, capacity, labels, isDraining, version }) => [
      name,
      id,
      `${servers}/${capacity} servers`,
      version,
      isDraining ? 'drained' : '',
      labels.join(','),
    ]);
    printResult(context, nodes, inColumns(rows, context.streams.columns));
    if (nodes.length === 0)
      tell(context, 'The cluster has no nodes. Start one: mcpmux serve --http 8080 --cluster URL');
    return ExitCode.Ok;
  });

/** Has a node give its servers to other nodes. The node runs on and gets no more. */
export const clusterDrain: Action<Flags> = (context, [name = ''], flags) =>
  withCluster(context, flags, async (cluster, { id: node }) => {
    const directory = await read(cluster);
    const found = [...directory.nodes().values()].filter(
      ({ id, record }) => id === name || record.name === name,
    );
    if (found.length === 0)
      throw new CommandError('SERVER_NOT_FOUND', `the cluster has no node ${name}.`, {
        next: 'mcpmux cluster nodes lists them',
      });
    const links = new Links({ cluster, clock: systemClock, node, serve: () => 'this is a command' });
    for (const { id } of found) await drainNode(links, id);
    links.close();
    tell(context, `${name} has given away the servers that another node may run. It can be ended now.`);
    printResult(
      context,
      found.map(({ id }) => id),
      '',
    );
    return ExitCode.Ok;
  });

async function read(cluster: Cluster): Promise<Directory> {
  const directory = new Directory(systemClock, FRESH_MS, () => undefined);
  await directory.follow(await clusterBuckets(cluster));
  directory.close();
  return directory;
}

async function withCluster(
  context: CommandContext,
  flags: Flags,
  work: (cluster: Cluster, options: ClusterOptions) => Promise<number>,
): Promise<number> {
  const location = configToRead(context, flags);
  const settings = location && loadConfig(location, context).cluster;
  const { environment } = context;
  const options = clusterOptions({ flags, settings, environment, file: location?.file });
  if (options === undefined)
    throw new CommandError('CLUSTER_UNKNOWN', 'no cluster is named.', {
      next: 'pass --cluster nats://HOST, or set MCPMUX_CLUSTER or "cluster" in the config',
    });
  try {
    const cluster = await connectNats(options.nats);
    try {
      return await work(cluster, options);
    } finally {
      await cluster.close();
    }
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    throw new CommandError('NOT_RUNNING', error.message, { next: 'check the URL and the credentials' });
  }
}
