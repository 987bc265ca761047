import type { Action } from '../terminal/command-context.js';
import type { ListedTool } from '../live/server-tools.js';
import { tools, type ToolsFlags } from './tools.js';

/** Prints TypeScript declarations for all tools, the tools of one server, or the tools that match a query. */
export const types: Action<ToolsFlags> = (context, words, flags) =>
  tools(context, words, { ...flags, render: renderDeclarations });

async function renderDeclarations(found: readonly ListedTool[]): Promise<string> {
  const { declarationsOf } = await import('@mcpmux/code-mode');
  return declarationsOf(
    found.map(({ server, originalName, definition }) => ({ name: `${server}__${originalName}`, definition })),
  );
}
