import { isShown } from '../catalog/exposed-definition.js';
import { toolEntry } from '../catalog/list-entries.js';
import type { CatalogSnapshot } from '../catalog/catalog.js';
import type { Upstream } from '../upstream/upstream.js';
import type { ToolDiff } from './tool-diff.js';

/**
 * The answer to `add_server` and `reload_server`: the definitions of the server's tools, the bytes of `tools/list`.
 * JSON text.
 *
 * @param changes after a reload: how the tools differ from those before
 */
export function serverToolsJson(
  upstream: Upstream,
  { tools, resources }: CatalogSnapshot,
  changes?: ToolDiff,
): string {
  const aliases = resources.aliasesOf(upstream);
  const entries = tools.entries
    .filter((tool) => tool.upstream === upstream && isShown(tool))
    .map((tool) => toolEntry(tool, aliases).toString('utf8'));
  const members = [
    `"name":${JSON.stringify(upstream.name)}`,
    `"status":"running"`,
    `"tools":[${entries.join(',')}]`,
  ];
  const instructions = upstream.identity?.instructions;
  if (instructions !== undefined) members.push(`"instructions":${JSON.stringify(instructions)}`);
  if (changes !== undefined) members.push(`"changes":${JSON.stringify(changes)}`);
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
