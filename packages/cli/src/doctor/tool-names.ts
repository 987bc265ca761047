import type { ClientId } from '@mcpmux/clients';

/** How a client makes the name of a tool that its model sees, and how long that may be. */
export interface ClientToolNames {
  /** In characters. */
  readonly max: number;
  /** What it puts before the name, for an entry of this name. */
  readonly prefix: (entry: string) => string;
}

/** As the makers of clients document it, or their users have found. */
export const CLIENT_TOOL_NAMES: Readonly<Partial<Record<ClientId, ClientToolNames>>> = {
  'claude-code': { max: 128, prefix: (entry) => `mcp__${entry}__` },
  codex: { max: 64, prefix: (entry) => `mcp__${entry}__` },
  cursor: { max: 60, prefix: (entry) => entry },
  gemini: { max: 63, prefix: (entry) => `mcp_${entry}_` },
};

/** The tools whose name is too long for a client that has mcpmux under this name. */
export function tooLong(
  { max, prefix }: ClientToolNames,
  entry: string,
  tools: readonly string[],
): readonly string[] {
  const space = max - prefix(entry).length;
  return tools.filter((tool) => tool.length > space);
}
