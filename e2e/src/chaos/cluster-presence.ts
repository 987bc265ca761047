import type { HttpCli } from '../testing/http-cli.js';
import type { Presence } from './cluster-agent.js';
import { callOwnTool } from './own-tool.js';

/** The servers that a node lists. */
export interface NodeList {
  readonly node: string;
  readonly servers: readonly string[];
}

/** All nodes list the servers that agents were told to be there, and none that was removed. */
export function brokenPresence(
  presence: ReadonlyMap<string, Presence>,
  lists: readonly NodeList[],
): readonly string[] {
  return [...presence].flatMap(([server, expected]) => {
    const having = lists.filter(({ servers }) => servers.includes(server)).map(({ node }) => node);
    const isAgreed = having.length === 0 || having.length === lists.length;
    if (!isAgreed) return [`${server} is on ${having.join(', ')} of ${lists.length} nodes`];
    if (expected === 'there' && having.length === 0) return [`${server} was added, and no node has it`];
    if (expected === 'absent' && having.length > 0) return [`${server} was removed, and all nodes have it`];
    return [];
  });
}

/** The lists of all nodes. */
export async function listsOf(nodes: ReadonlyMap<string, HttpCli>): Promise<readonly NodeList[]> {
  return Promise.all([...nodes].map(async ([node, cli]) => ({ node, servers: await serversOf(cli) })));
}

async function serversOf(node: HttpCli): Promise<readonly string[]> {
  const { structured } = await callOwnTool(node, 'list_servers', {});
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the output schema of the tool
  const { servers } = structured as { readonly servers: readonly { readonly name: string }[] };
  return servers.map(({ name }) => name);
}
