import { listEntry } from '../catalog/exposed-tool.js';
import type { CatalogSnapshot } from '../catalog/catalog.js';
import type { Upstream } from '../upstream/upstream.js';

/**
 * The answer to `add_server` and `reload_server`: the definitions of the server's tools, the bytes of `tools/list`.
 * JSON text.
 */
export function serverToolsJson(upstream: Upstream, { tools }: CatalogSnapshot): string {
  const entries = tools
    .filter((tool) => tool.upstream === upstream)
    .map((tool) => listEntry(tool).toString('utf8'));
  const members = [
    `"name":${JSON.stringify(upstream.name)}`,
    `"status":"running"`,
    `"tools":[${entries.join(',')}]`,
  ];
  if (upstream.instructions !== undefined)
    members.push(`"instructions":${JSON.stringify(upstream.instructions)}`);
  return `{${members.join(',')}}`;
}

/** The answer to `add_server` for a server that needs longer than a host lets a call take. JSON text. */
export function stillStartingJson(upstream: Upstream): string {
  return JSON.stringify({
    name: upstream.name,
    status: 'starting',
    tools: [],
    note: 'The server is still starting. Its tools will be announced; list_servers shows its state.',
  });
}
