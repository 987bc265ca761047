import type { Cluster, ClusterMember, ServerLocation } from '@mcpmux/cluster';

/** Returns a node's metrics about its cluster. */
export function clusterMetrics(
  { isConnected }: Pick<Cluster, 'isConnected'>,
  member: ClusterMember | undefined,
): { readonly name: string; readonly help: string; readonly value: number }[] {
  const places = [...(member?.node.places.values() ?? [])];
  const countOf = (kind: ServerLocation['kind']): number =>
    places.filter((place) => place.kind === kind).length;
  const aliveNodes = [...(member?.node.directory.nodes().values() ?? [])].filter(({ isAlive }) => isAlive);
  const figures: readonly (readonly [string, string, number])[] = [
    ['connected', '1 while the cluster is reached.', Number(isConnected)],
    ['nodes', 'Nodes that are there.', aliveNodes.length],
    ['servers_here', 'Servers of the cluster on this node.', countOf('here')],
    ['servers_there', 'Servers of the cluster on other nodes.', countOf('there')],
    ['servers_nowhere', 'Servers that no node runs.', countOf('nowhere')],
    ['links', 'Open links to other nodes.', member?.links.size ?? 0],
  ];
  return figures.map(([name, help, value]) => ({ name: `mcpmux_cluster_${name}`, help, value }));
}
