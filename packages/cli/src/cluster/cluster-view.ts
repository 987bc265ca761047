import type { ClusterMember, NodeView, ServerLocation, PlacementRules } from '@mcpmux/cluster';
import type { ClusterShown, ClusterView, NodeShown, PlacedServer } from '@mcpmux/dashboard';

import { drainNode } from './drain-node.js';

/**
 * Returns the cluster as the page displays it, with the function that drains a node.
 *
 * @param self the id of this node
 * @param member returns undefined until this node begins to join
 */
export function clusterView(
  self: string,
  isConnected: () => boolean,
  member: () => ClusterMember | undefined,
): ClusterView {
  return {
    read: () => ({ self, isConnected: isConnected(), ...nodesAndServers(member()) }),
    drain: async (node) => {
      const joinedMember = member();
      if (joinedMember === undefined) throw new Error('This node has not joined the cluster yet.');
      await (node === self ? joinedMember.drain() : drainNode(joinedMember.links, node));
    },
  };
}

function nodesAndServers(member: ClusterMember | undefined): Pick<ClusterShown, 'nodes' | 'servers'> {
  if (member === undefined) return { nodes: [], servers: [] };
  const { directory, places } = member.node;
  const nodes = [...directory.nodes().values()].map((node) =>
    describeNode(node, ownedServerCount(member, node.id)),
  );
  const servers = [...places].map(([name, place]) => describeServer(name, place, member.node.record.name));
  const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
    one.name.localeCompare(other.name);
  return { nodes: nodes.toSorted(byName), servers: servers.toSorted(byName) };
}

/** Counts a node's servers in the directory, because the count in the node's record may be a few seconds old. */
function ownedServerCount({ node: { directory } }: ClusterMember, id: string): number {
  return [...directory.owners.values()].filter(({ node }) => node === id).length;
}

function describeNode({ id, record, isAlive }: NodeView, servers: number): NodeShown {
  const { name, version, started, labels, capacity, isDraining } = record;
  const aliveStatus = isDraining ? 'drained' : 'running';
  return { id, name, version, started, labels, servers, capacity, status: isAlive ? aliveStatus : 'silent' };
}

function describeServer(name: string, place: ServerLocation, self: string): PlacedServer {
  if (place.kind === 'gone') return { name };
  const placement = describePlacement(place.record);
  const common = { name, ...(placement !== '' && { placement }) };
  switch (place.kind) {
    case 'here':
      return { ...common, node: self, epoch: place.epoch };
    case 'there':
      return { ...common, node: place.name, epoch: place.epoch };
    case 'nowhere':
      return { ...common, reason: place.reason };
  }
}

function describePlacement({ host, labels = [], failover, singleton }: PlacementRules): string {
  const rules = [
    ...(host === undefined ? [] : [`node ${host}`]),
    ...(labels.length === 0 ? [] : [`labels ${labels.join(', ')}`]),
    ...(failover === undefined ? [] : [`failover ${failover}`]),
    ...(singleton === true ? ['singleton'] : []),
  ];
  return rules.join('; ');
}
