import { connectNats } from '@mcpmux/cluster-nats';
import { messageOf, systemClock } from '@mcpmux/core';
import {
  ClusterError,
  clusterBuckets,
  Directory,
  LEASE_MS,
  Links,
  type Cluster,
  type ClusterErrorCode,
} from '@mcpmux/cluster';

import { ExitCode } from '../base/exit-code.js';
import { drainNode } from '../cluster/drain-node.js';
import { clusterOptions, type ClusterFlags, type ClusterOptions } from '../cluster/cluster-options.js';
import { findSilentNodes } from '../cluster/silent-nodes.js';
import { loadConfig } from '@mcpmux/config';
import { inColumns } from '../terminal/columns.js';
import { printResult, printNote, type Action, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { configToRead, type ConfigFlags } from '../config/config-choice.js';

type ClusterCommandFlags = ConfigFlags & ClusterFlags;

/** Lists the servers of the cluster and their nodes. */
export const printClusterStatus: Action<ClusterCommandFlags> = (context, _words, flags) =>
  withCluster(context, flags, async (cluster) => {
    const { directory, silent } = await readClusterDirectory(cluster);
    const nodes = directory.nodes();
    const servers = [...directory.servers].map(([name, { record }]) => {
      const owner = directory.owners.get(name);
      const isReachable = owner !== undefined && nodes.has(owner.node) && !silent.has(owner.node);
      const { host, labels = [], failover, singleton } = record;
      return {
        name,
        node: isReachable ? owner.name : null,
        silent: owner !== undefined && silent.has(owner.node) ? owner.name : undefined,
        epoch: owner?.epoch ?? null,
        host,
        labels,
        failover,
        singleton,
      };
    });
    const rows = servers.map(({ name, node, epoch, silent: silentNode }) => [
      name,
      node ?? 'nowhere',
      `epoch ${epoch ?? '-'}`,
      silentNode === undefined ? '' : `its node ${silentNode} gives no sign of life`,
    ]);
    printResult(context, servers, inColumns(rows, context.streams.columns));
    if (servers.length === 0)
      printNote(context, 'The cluster has no servers. A node gives it those of its config.');
    return servers.every(({ node }) => node !== null) ? ExitCode.Ok : ExitCode.Unreachable;
  });

/** Lists the nodes of the cluster. */
export const printClusterNodes: Action<ClusterCommandFlags> = (context, _words, flags) =>
  withCluster(context, flags, async (cluster) => {
    const { directory, silent } = await readClusterDirectory(cluster);
    const nodes = [...directory.nodes().values()].map(({ id, record }) => {
      const liveStatus = record.isDraining ? 'drained' : 'running';
      return Object.assign({ id, status: silent.has(id) ? 'silent' : liveStatus }, record);
    });
    const rows = nodes.map(({ id, name, servers, capacity, labels, status, version }) => [
      name,
      id,
      `${servers}/${capacity} servers`,
      version,
      status === 'running' ? '' : status,
      labels.join(','),
    ]);
    printResult(context, nodes, inColumns(rows, context.streams.columns));
    if (nodes.length === 0) printNote(context, `The cluster has no nodes. Start one: ${START_COMMAND}`);
    return ExitCode.Ok;
  });

/** Drains a node: it transfers its servers to other nodes and receives no new ones, but keeps running. */
export const drainClusterNode: Action<ClusterCommandFlags> = (context, [name = ''], flags) =>
  withCluster(context, flags, async (cluster, { id: node }) => {
    const { directory, silent } = await readClusterDirectory(cluster);
    const matchingNodes = [...directory.nodes().values()].filter(
      ({ id, record }) => id === name || record.name === name,
    );
    if (matchingNodes.length === 0)
      throw new CommandError('SERVER_NOT_FOUND', `the cluster has no node ${name}.`, {
        next: 'mcpmux cluster nodes lists them',
      });
    const reachableIds = matchingNodes.filter(({ id }) => !silent.has(id)).map(({ id }) => id);
    if (reachableIds.length === 0)
      throw new CommandError('NOT_RUNNING', `node ${name} gives no sign of life, so it cannot be drained.`, {
        next: 'nothing: other nodes run its servers 10 seconds after its last sign of life; mcpmux cluster status lists them',
      });
    const links = new Links({ cluster, clock: systemClock, node, serve: () => 'this is a command' });
    try {
      for (const id of reachableIds) await drainNode(links, id);
    } catch (error) {
      throw new CommandError('NOT_RUNNING', `node ${name} is not drained: ${messageOf(error)}`, {
        next: 'mcpmux cluster nodes lists the nodes that run; then try again',
      });
    } finally {
      links.close();
    }
    printNote(context, `${name} has given away the servers that another node may run. It can be ended now.`);
    printResult(context, reachableIds, '');
    return ExitCode.Ok;
  });

/** Returns the cluster's servers and nodes, and the ids of the nodes that have stopped sending heartbeats. */
async function readClusterDirectory(cluster: Cluster) {
  const directory = new Directory(systemClock, LEASE_MS, () => undefined);
  await directory.follow(await clusterBuckets(cluster));
  const silent = await findSilentNodes(directory);
  directory.close();
  return { directory, silent };
}

async function withCluster(
  context: CommandContext,
  flags: ClusterCommandFlags,
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
    const cluster = await connectNats({ ...options.nats, isReader: true });
    try {
      return await work(cluster, options);
    } finally {
      await cluster.close();
    }
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    throw new CommandError('NOT_RUNNING', error.message, { next: ADVICE[error.code] ?? DEFAULT_NEXT_STEP });
  }
}

const START_COMMAND = 'mcpmux serve --http 8080 --cluster URL';
const DEFAULT_NEXT_STEP = 'check the URL and the credentials, and that the server of NATS runs';
/** The suggested next step, by cluster error code. */
const ADVICE: Readonly<Partial<Record<ClusterErrorCode, string>>> = {
  NOBODY: `check the "name" of the cluster and the account of NATS, or start a node: ${START_COMMAND}`,
  REFUSED: 'check the user, the password and the files of credentials',
};
