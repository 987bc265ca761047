import type { ClientId } from '@mcpmux/clients';

/** The prefix that a client adds to tool names before its model sees them, and the length limit. */
export interface ToolNameRules {
  /** The maximum length of a tool name in characters, including the prefix. */
  readonly maxLength: number;
  /** Returns the prefix that the client adds if mcpmux's entry has this name. */
  readonly prefixFor: (entry: string) => string;
}

/** The tool name rules of each client, according to its documentation or user reports. */
export const TOOL_NAME_RULES: Readonly<Partial<Record<ClientId, ToolNameRules>>> = {
  'claude-code': { maxLength: 128, prefixFor: (entry) => `mcp__${entry}__` },
  codex: { maxLength: 64, prefixFor: (entry) => `mcp__${entry}__` },
  cursor: { maxLength: 60, prefixFor: (entry) => entry },
  gemini: { maxLength: 63, prefixFor: (entry) => `mcp_${entry}_` },
};

/** Returns the tools whose names are too long for a client in which mcpmux is registered as `entry`. */
export function toolsWithLongNames(
  { maxLength, prefixFor }: ToolNameRules,
  entry: string,
  tools: readonly string[],
): readonly string[] {
  const space = maxLength - prefixFor(entry).length;
  return tools.filter((tool) => tool.length > space);
}
