import { recordsOf } from '../testing/cluster-records.js';
import { ACCEPT } from '../testing/http-cli.js';
import { settled, type Place } from './cluster-agreement.js';
import { MODERN, type ClusterClient } from './cluster-clients.js';
import { brokenEnd } from './cluster-rules.js';

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
  const params = { name: 'remove_server', arguments: { name }, _meta: MODERN };
  const headers = {
    ...ACCEPT,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'remove_server',
  };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const answer = await node?.send({ method: 'POST', headers, body }).catch(String);
  const text = typeof answer === 'object' ? answer.text : String(answer);
  return /"forgotten":true|SERVER_NOT_FOUND|no server named/.test(text)
    ? []
    : [`${name} is not removed: ${text}`];
}
