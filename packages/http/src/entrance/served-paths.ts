import type { Refusal } from './refusal.js';

const AT_MCP = 'MCP is served at /mcp and /mcp/{workspace}';

/**
 * Why nothing is served at a path.
 *
 * @param isOfSse it is a path of the transport of 2024-11-05, or would be if that was served
 */
export function nothingThere(isOfSse: boolean, sse: boolean): Refusal {
  const reason =
    isOfSse && !sse
      ? 'The transport of 2024-11-05 is not served: for that, mcpmux has to be started with --sse.'
      : 'There is nothing at this path.';
  const atSse = sse ? ', its transport of 2024-11-05 at /sse and /sse/{workspace}' : '';
  return { status: 404, message: `${reason} ${AT_MCP}${atSse}.` };
}
