import type { Limits } from '../limits.js';
import type { Connection } from './connection.js';
import { OwnRequestError } from './own-request.js';
import { readToolPage, type ToolDefinition } from './tool-definition.js';

/** All tools of one server, and what was wrong with its list. */
export interface ToolListing {
  readonly tools: readonly ToolDefinition[];
  /** Each a sentence for `list_servers`; the list is used all the same. */
  readonly warnings: readonly string[];
}

/**
 * Reads every page of a server's tools.
 *
 * Ends at a page without a cursor, at a cursor that was there before, or at a limit: a server that never stops paging
 * loses the rest of its tools, not all of them.
 *
 * @param pageTimeoutMs how long each page may take
 * @throws OwnRequestError when a page is refused, malformed or late
 */
export async function listTools(
  connection: Connection,
  limits: Limits,
  pageTimeoutMs: () => number,
): Promise<ToolListing> {
  const tools = new Map<string, ToolDefinition>();
  const warnings = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const { line, result } = await connection.request('tools/list', { cursor }, pageTimeoutMs());
    const read = readToolPage(line, result);
    if (read === undefined) throw new OwnRequestError('tools/list has no array "tools" in its result', false);
    if (read.skipped > 0) warnings.add('tools without a name were left out');
    for (const tool of read.tools) {
      if (tools.has(tool.localName))
        warnings.add(`tool ${JSON.stringify(tool.localName)} is listed twice; the first one counts`);
      else tools.set(tool.localName, tool);
    }
    if (tools.size > limits.maxToolsPerServer) {
      warnings.add(`only the first ${limits.maxToolsPerServer} tools are used`);
      break;
    }
    cursor = read.nextCursor;
    if (cursor === undefined) break;
    const stop = cursors.has(cursor)
      ? 'the pages of tools/list lead back to an earlier one; the rest was not read'
      : reachedLimit(page, limits);
    if (stop !== undefined) {
      warnings.add(stop);
      break;
    }
    cursors.add(cursor);
  }
  return { tools: [...tools.values()].slice(0, limits.maxToolsPerServer), warnings: [...warnings] };
}

function reachedLimit(page: number, { maxListPages }: Limits): string | undefined {
  if (page < maxListPages) return undefined;
  return `tools/list did not end after ${page} pages; the rest was not read`;
}
