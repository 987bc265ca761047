import type { Action } from '../terminal/command-context.js';
import type { ListedTool } from '../live/server-tools.js';
import { tools, type ToolsFlags } from './tools.js';

/** Prints TypeScript declarations of all tools, of one server's tools, or of the tools that a query finds. */
export const types: Action<ToolsFlags> = (context, words, flags) =>
  tools(context, words, { ...flags, written: declarations });

async function declarations(found: readonly ListedTool[]): Promise<string> {
  const { declarationsOf } = await import('@mcpmux/code-mode');
  return declarationsOf(
    found.map(({ server, originalName, definition }) => ({ name: `${server}__${originalName}`, definition })),
  );
}
