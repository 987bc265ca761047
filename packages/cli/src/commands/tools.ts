import { ExitCode } from '../exit-code.js';
import { liveServers } from '../live/live-servers.js';
import { printable } from '../terminal/columns.js';
import { printResult, tell, type CommandContext } from '../terminal/command-context.js';
import { withSpinner } from '../terminal/spinner.js';
import type { ListFlags } from './list.js';
import { loadServers } from './load-servers.js';
import { serverNotSelected } from './named-server.js';
import { listedTools, signature, type ListedTool } from './server-tools.js';

/** Flags of `mcpmux tools`. */
export interface ToolsFlags extends ListFlags {
  readonly schema?: boolean;
}

/** Lists tools: all, those of one server, or those that a query finds. */
export async function tools(
  context: CommandContext,
  query: string | undefined,
  flags: ToolsFlags,
): Promise<number> {
  const { config } = loadServers(context, flags);
  const only = config.servers.some(({ name }) => name === query) && query !== undefined ? [query] : undefined;
  const options = {
    environment: context.environment,
    startTimeoutMs: flags.timeout,
    only,
    fresh: flags.fresh,
  };
  await using live = await withSpinner(context, 'starting servers', liveServers(config, options));
  const [first] = live.outcomes;
  if (only !== undefined && first?.kind === 'not_selected') throw serverNotSelected(first.name, first.reason);
  const states = live.states.filter(({ name }) => only === undefined || only.includes(name));
  const owners = new Map(states.map((state) => [state.name, state.tools]));
  const all = listedTools(await live.connection.list('tools/list', 'tools'), owners);
  const found = only !== undefined || query === undefined ? all : await matching(all, query, live.connection);
  printResult(context, found.map(asData), text(context, found, flags.schema === true));
  for (const outcome of live.outcomes) {
    if (outcome.kind === 'failed')
      tell(context, `${outcome.name} did not start. Next: mcpmux doctor ${outcome.name}`);
    if (outcome.kind === 'misconfigured')
      tell(context, `${outcome.name} is misconfigured. Next: mcpmux doctor ${outcome.name}`);
  }
  const isBroken = live.outcomes.some(({ kind }) => kind === 'failed' || kind === 'misconfigured');
  if (found.length > 0) return ExitCode.Ok;
  if (isBroken) return ExitCode.Unreachable;
  tell(context, query === undefined ? 'No server has a tool.' : `No tool matches "${query}".`);
  return query === undefined ? ExitCode.Ok : ExitCode.NotFound;
}

/** The same search as agents have. */
async function matching(
  all: readonly ListedTool[],
  query: string,
  connection: {
    readonly own: (tool: string, args: Record<string, unknown>) => Promise<Readonly<Record<string, unknown>>>;
  },
): Promise<readonly ListedTool[]> {
  const answer = await connection.own('search_tools', { query, detail: 'name', limit: 50 });
  const hits: readonly unknown[] = Array.isArray(answer['tools']) ? answer['tools'] : [];
  return hits.flatMap((hit) => {
    const name: unknown = typeof hit === 'object' && hit !== null && 'name' in hit ? hit.name : hit;
    return all.filter((tool) => tool.name === name);
  });
}

function asData({ name, server, originalName, definition }: ListedTool): object {
  return { ...definition, name, server, original_name: originalName };
}

function text({ streams }: CommandContext, found: readonly ListedTool[], withSchema: boolean): string {
  const { bold, dim } = streams.outColours;
  const lines: string[] = [];
  let server: string | undefined;
  for (const tool of found) {
    if (tool.server !== server) lines.push(...(lines.length > 0 ? [''] : []), bold(tool.server));
    ({ server } = tool);
    lines.push(`  ${printable(signature(tool))}`);
    const { description, inputSchema } = tool.definition;
    if (typeof description === 'string') lines.push(`    ${dim(firstLine(description))}`);
    if (withSchema) lines.push(`    ${JSON.stringify(inputSchema)}`);
  }
  return lines.join('\n');
}

function firstLine(description: string): string {
  return printable(description.trim().split('\n', 1)[0] ?? '');
}
