import type { Refusal } from './refusal.js';

const AT_MCP = 'MCP is served at /mcp and /mcp/{workspace}';

/**
 * The refusal for a path at which nothing is served.
 *
 * @param isOfSse the path belongs to the transport of 2024-11-05, whether or not that transport is served
 */
export function nothingThere(isOfSse: boolean, sse: boolean): Refusal {
  const reason =
    isOfSse && !sse
      ? 'The transport of 2024-11-05 is not served. To serve it, start mcpmux with --sse.'
      : 'Nothing is served at this path.';
  const atSse = sse ? ', its transport of 2024-11-05 at /sse and /sse/{workspace}' : '';
  return { status: 404, message: `${reason} ${AT_MCP}${atSse}.` };
}
