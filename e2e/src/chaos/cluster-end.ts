import { recordsOf } from '../testing/cluster-records.js';
import { settled, type Place } from './cluster-agreement.js';
import type { ClusterClient } from './cluster-clients.js';
import { brokenEnd } from './cluster-rules.js';
import { callOwnTool } from './own-tool.js';

const FIGURES = [
  'sessions',
  'cluster_links',
  'cluster_servers_here',
  'cluster_servers_there',
  'cluster_servers_nowhere',
];

/** Ends all sessions and removes all servers. Resolves with what is left after that. */
export async function emptied(place: Place, clients: readonly ClusterClient[]): Promise<readonly string[]> {
  const { cluster, names } = place;
  const startedAt = Date.now();
  const open = await settled(async () => {
    const left = await Promise.all(clients.map((client) => client.leave()));
    const kept = left.filter((hasLeft) => !hasLeft).length;
    return kept === 0 ? [] : [`${kept} clients cannot end their sessions`];
  }, startedAt);
  const kept = await settled(
    async () => (await Promise.all(names.map((name) => removed(place, name)))).flat(),
    startedAt,
  );
  const left = await settled(async () => {
    const nodes = [...cluster.nodes.keys()].map(async (node) => {
      const figures = await cluster.figures(node, FIGURES);
      return { node, figures };
    });
    return brokenEnd({
      nodes: await Promise.all(nodes),
      owners: [...(await recordsOf(cluster, 'owners')).keys()],
    });
  }, startedAt);
  return [...open, ...kept, ...left];
}

/** Removes a server from the cluster. Resolves with the reason why that was not done. */
async function removed({ cluster }: Place, name: string): Promise<readonly string[]> {
  const [node] = cluster.nodes.values();
  if (node === undefined) return ['no node is left'];
  const text = await callOwnTool(node, 'remove_server', { name }).then(({ text: said }) => said, String);
  return /"forgotten":true|no server named/.test(text) ? [] : [`${name} is not removed: ${text}`];
}
