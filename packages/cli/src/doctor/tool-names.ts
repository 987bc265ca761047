import type { ClientId } from '@mcpmux/clients';

/** A client's prefix and length limit for the tool names that its model gets. */
export interface ClientToolNames {
  /** The maximum number of characters, including the prefix. */
  readonly max: number;
  /** Returns the prefix of tool names for an entry with this name. */
  readonly prefix: (entry: string) => string;
}

/** The rules of clients, according to their documentation or their users. */
export const CLIENT_TOOL_NAMES: Readonly<Partial<Record<ClientId, ClientToolNames>>> = {
  'claude-code': { max: 128, prefix: (entry) => `mcp__${entry}__` },
  codex: { max: 64, prefix: (entry) => `mcp__${entry}__` },
  cursor: { max: 60, prefix: (entry) => entry },
  gemini: { max: 63, prefix: (entry) => `mcp_${entry}_` },
};

/** Returns the tools whose names are too long for a client in which mcpmux is registered as `entry`. */
export function tooLong(
  { max, prefix }: ClientToolNames,
  entry: string,
  tools: readonly string[],
): readonly string[] {
  const space = max - prefix(entry).length;
  return tools.filter((tool) => tool.length > space);
}
