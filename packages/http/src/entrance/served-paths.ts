import type { Refusal } from './refusal.js';

const MCP_PATHS_TEXT = 'MCP is served at /mcp and /mcp/{workspace}';

/**
 * Returns the error response for a path at which nothing is served.
 *
 * @param isSsePath true if the path belongs to the 2024-11-05 transport, even if that transport is disabled
 */
export function notFoundRefusal(isSsePath: boolean, sse: boolean): Refusal {
  const reason =
    isSsePath && !sse
      ? 'The transport of 2024-11-05 is not served. To serve it, start mcpmux with --sse.'
      : 'Nothing is served at this path.';
  const atSse = sse ? ', its transport of 2024-11-05 at /sse and /sse/{workspace}' : '';
  return { status: 404, message: `${reason} ${MCP_PATHS_TEXT}${atSse}.` };
}
