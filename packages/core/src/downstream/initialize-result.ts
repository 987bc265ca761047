import { LEGACY_VERSIONS, type Implementation } from '../upstream/handshake.js';

/** Short, because several clients cut instructions at 2 KB and servers' own are to follow. */
const INSTRUCTIONS = [
  'mcpmux puts any number of MCP servers behind this one connection. Their tools are named {server}__{tool}.',
  'Change the set of servers while you work: add_server starts one and returns its tools, reload_server restarts one',
  'after its program has changed, remove_server stops one, list_servers shows state, tools and last errors.',
].join('\n');

/**
 * The InitializeResult (2025-11-25 and earlier revisions). It waits for no server: capabilities are a superset,
 * because servers come later and capabilities cannot be changed.
 *
 * @param requested the client's `protocolVersion`; an unknown one is answered with the newest that mcpmux speaks
 */
export function initializeResultJson(requested: unknown, serverInfo: Implementation): string {
  const protocolVersion = LEGACY_VERSIONS.find((known) => known === requested) ?? LEGACY_VERSIONS[0];
  return JSON.stringify({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo,
    instructions: INSTRUCTIONS,
  });
}
