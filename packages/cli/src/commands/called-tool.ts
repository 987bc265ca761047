import type { LoadedConfig } from '@mcpmux/config';

import { liveServers } from '../live/live-servers.js';
import type { CommandContext } from '../terminal/command-context.js';
import { CommandError, usageError } from '../terminal/command-error.js';
import { withSpinner } from '../terminal/spinner.js';
import type { ListFlags } from './list.js';
import { loadServers } from './load-servers.js';
import { listedTools } from '../live/server-tools.js';
import { isUrl, urlConfig } from '../config/url-config.js';

/** The tool named on the command line, and the words after its name. */
export interface CalledTool {
  readonly config: LoadedConfig;
  readonly server: string;
  readonly tool: string;
  readonly argumentWords: readonly string[];
}

/**
 * Resolves `SERVER.TOOL`, `SERVER TOOL`, `URL TOOL`, or the name of a tool that only one server has.
 *
 * @throws CommandError USAGE for anything else
 */
export async function resolveCalledTool(
  context: CommandContext,
  [target = '', ...argumentWords]: readonly string[],
  flags: ListFlags,
): Promise<CalledTool> {
  const [next, ...others] = argumentWords;
  const isNextTool = next !== undefined && !next.includes('=');
  if (isUrl(target)) {
    if (!isNextTool)
      throw usageError('the name of the tool is missing.', `mcpmux tools ${target} lists the tools`);
    const { config, name } = urlConfig(target);
    return { config, server: name, tool: next, argumentWords: others };
  }
  const { config } = loadServers(context, flags);
  if (isNextTool && config.servers.some(({ name }) => name === target))
    return { config, server: target, tool: next, argumentWords: others };
  const { server, tool } = /^(?<server>.+?)(?:__|\.|\/)(?<tool>.+)$/s.exec(target)?.groups ?? {};
  if (server !== undefined && tool !== undefined) return { config, server, tool, argumentWords };
  return { config, ...(await findServerWithTool(context, config, target, flags)), argumentWords };
}

/** Finds the only server with a tool of this name. Starts only those servers that have no saved tool list. */
async function findServerWithTool(
  context: CommandContext,
  config: LoadedConfig,
  tool: string,
  flags: ListFlags,
): Promise<{ readonly server: string; readonly tool: string }> {
  const isServer = config.servers.some(({ name }) => name === tool);
  const options = { ...flags, environment: context.environment, toStart: 'unknown' } as const;
  if (isServer) throw toolNotFound(tool);
  await using live = await withSpinner(context, 'looking for the tool', liveServers(config, options));
  const owners = new Map(live.states.map((state) => [state.name, state.tools]));
  const found = listedTools(await live.connection.listAll('tools/list', 'tools'), owners).filter(
    ({ originalName }) => originalName === tool,
  );
  const [only, ...more] = found;
  if (only === undefined) throw toolNotFound(tool);
  if (more.length === 0) return { server: only.server, tool };
  throw new CommandError('USAGE', `several servers have a tool "${tool}".`, {
    next: `choose one: ${found.map(({ server }) => `${server}.${tool}`).join(', ')}`,
  });
}

function toolNotFound(target: string): CommandError {
  return usageError(`"${target}" is not a tool of a server.`, 'write SERVER.TOOL; mcpmux tools lists them');
}
