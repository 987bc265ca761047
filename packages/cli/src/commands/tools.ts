import type { LoadedConfig } from '@mcpmux/config';
import { didYouMean } from '@mcpmux/config/find';

import { ExitCode } from '../base/exit-code.js';
import { liveServers } from '../live/live-servers.js';
import { isBroken, type LiveOptions, type LiveServers } from '../live/outcome.js';
import { inColumns, printable } from '../terminal/columns.js';
import { printResult, printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { CommandError, usageError } from '../terminal/command-error.js';
import { withSpinner } from '../terminal/spinner.js';
import type { ListFlags } from './list.js';
import { loadServers } from './load-servers.js';
import { serverNotSelectedError } from '../config/named-server.js';
import { costData, costText, toolCosts, type ToolCost } from './tool-costs.js';
import { isUrl, urlConfig } from '../config/url-config.js';
import {
  descriptionLines,
  listedTools,
  MAX_QUERY_LENGTH,
  toolSignature,
  type ListedTool,
} from '../live/server-tools.js';

/** Flags of `mcpmux tools`. */
export interface ToolsFlags extends ListFlags {
  readonly schema?: boolean;
  /** Prints whole descriptions instead of their first sentences. */
  readonly full?: boolean;
  /** Prints only the names of the tools. */
  readonly names?: boolean;
  /** Prints the token counts of the definitions. */
  readonly cost?: boolean;
  /** Returns the text to print instead of the list. Only `mcpmux types` sets this. */
  readonly render?: (matches: readonly ListedTool[]) => Promise<string>;
}

/** Lists all tools, the tools of one server, or the tools that match a query. */
export const tools: Action<ToolsFlags> = async (context, [word], flags) => {
  const { config, query, only } = resolveQuery(context, word, flags);
  await using live = await startServersForTools(context, config, flags, only);
  const [first] = live.outcomes;
  if (only !== undefined && first?.kind === 'not_selected')
    throw serverNotSelectedError(first.name, first.reason);
  if (only !== undefined && first?.kind === 'disabled') {
    const next = `mcpmux enable ${first.name}`;
    throw new CommandError('SERVER_DISABLED', `the server "${first.name}" is disabled.`, { next });
  }
  // A word that is not in the config may still name a server that an agent added to the running mcpmux.
  const isServer = only !== undefined || live.states.some(({ name }) => name === query);
  const isChosen = ({ name }: { readonly name: string }): boolean =>
    flags.profile === undefined || config.servers.some((server) => server.name === name);
  const states = live.states.filter((state) => (!isServer || state.name === query) && isChosen(state));
  const owners = new Map(states.map((state) => [state.name, state.tools]));
  const all = listedTools(await live.connection.listAll('tools/list', 'tools'), owners);
  const matches = isServer || query === undefined ? all : await searchTools(all, query, live.connection);
  const names = [...config.servers.map(({ name }) => name), ...all.map(({ originalName }) => originalName)];
  requireMatches(query, matches, live, names);
  if (flags.render !== undefined) {
    const declarations = await flags.render(matches);
    printResult(context, { declarations }, declarations);
  } else if (flags.cost === true) printCosts(context, toolCosts(matches, config, { profile: flags.profile }));
  else
    printResult(
      context,
      matches.map(toolData),
      flags.names === true ? callableNames(matches) : toolsText(context, matches, flags),
    );
  reportOutcomes(context, live, matches);
  return ExitCode.Ok;
};

/** Returns the config and the query. `only` contains the server if the word is a URL or a configured server's name. */
function resolveQuery(context: CommandContext, word: string | undefined, flags: ToolsFlags) {
  const atUrl = isUrl(word) ? urlConfig(word) : undefined;
  const query = atUrl?.name ?? word;
  const { config } = atUrl ?? loadServers(context, flags);
  const isServer = query !== undefined && config.servers.some(({ name }) => name === query);
  return { config, query, only: isServer ? [query] : undefined };
}

/**
 * Connects to the mcpmux that serves the config. Without one, or with `--fresh`, starts the servers in this process:
 * those without saved tools, or all servers with `--fresh` or `--timeout`.
 */
function startServersForTools(
  context: CommandContext,
  config: LoadedConfig,
  flags: ToolsFlags,
  onlyServers: readonly string[] | undefined,
): Promise<LiveServers> {
  const toStart = flags.fresh === true || flags.timeout !== undefined ? 'all' : 'unknown';
  let count = 0;
  let progress = 'starting servers';
  const onOutcome: LiveOptions['onOutcome'] = (_, all) => {
    count += 1;
    progress = `starting servers: ${count} of ${all}`;
  };
  const options = {
    ...flags,
    environment: context.environment,
    only: onlyServers,
    toStart,
    onOutcome,
  } as const;
  return withSpinner(context, () => progress, liveServers(config, options));
}

function printCosts(context: CommandContext, costs: readonly ToolCost[]): void {
  printResult(context, costData(costs), costText(costs, context.streams.columns));
  printNote(context, 'Estimated from the size. The tokens of a model differ by up to 15 percent.');
}

function reportOutcomes(
  context: CommandContext,
  { outcomes }: LiveServers,
  matches: readonly ListedTool[],
): void {
  for (const { name, kind } of outcomes) {
    if (isBroken(kind))
      printNote(context, `${name} ${NO_TOOLS_REASONS[kind] ?? 'does not run'}. Next: mcpmux doctor ${name}`);
  }
  if (matches.length === 0) printNote(context, 'No server has a tool.');
  if (outcomes.some(({ kind }) => kind === 'remembered')) printNote(context, LAST_RUNS_NOTE);
}

/** The reason why a server has no tools, keyed by outcome kind. */
const NO_TOOLS_REASONS: Readonly<Record<string, string>> = {
  failed: 'has a configuration that cannot be used',
  not_loaded: 'is not in the running mcpmux',
};

const LAST_RUNS_NOTE =
  'These are the tools of the last runs. To start the servers and ask them: mcpmux tools --fresh';

/** Returns one tool name per line, in the form that `mcpmux call` accepts. */
function callableNames(matches: readonly ListedTool[]): string {
  return matches.map(({ server, originalName }) => printable(`${server}.${originalName}`)).join('\n');
}

/** Throws an error if no tool matches the query, or if there are no tools because a server did not start. */
function requireMatches(
  query: string | undefined,
  matches: readonly ListedTool[],
  { outcomes, states }: LiveServers,
  names: readonly string[],
): void {
  if (matches.length > 0) return;
  const broken = outcomes.filter(({ kind }) => isBroken(kind)).map(({ name }) => name);
  const [first] = broken;
  const isServer = query === undefined || [...outcomes, ...states].some(({ name }) => name === query);
  const unmatched = isServer ? '' : `no server and no tool matches "${query}".${didYouMean(query, names)}`;
  if (first !== undefined) {
    const message = `${isServer ? 'there are no tools:' : unmatched} ${broken.join(', ')} did not start.`;
    throw new CommandError('START_FAILED', message, { next: `mcpmux doctor ${first}` });
  }
  // A running server without tools is not an error.
  if (!isServer) throw new CommandError('TOOL_NOT_FOUND', unmatched, { next: 'mcpmux tools lists all' });
}

/** Searches the tools with `search_tools`, as agents do. */
async function searchTools(
  allTools: readonly ListedTool[],
  query: string,
  connection: LiveServers['connection'],
): Promise<readonly ListedTool[]> {
  if (query.length > MAX_QUERY_LENGTH)
    throw usageError(
      `the query has ${query.length} characters; ${MAX_QUERY_LENGTH} are the limit.`,
      'mcpmux tools WORDS, or mcpmux tools SERVER',
    );
  const answer = await connection.callOwnTool('search_tools', { query, detail: 'name', limit: 50 });
  const hits: readonly unknown[] = Array.isArray(answer['tools']) ? answer['tools'] : [];
  return hits.flatMap((hit) => {
    const name: unknown = typeof hit === 'object' && hit !== null && 'name' in hit ? hit.name : hit;
    return allTools.filter((tool) => tool.name === name);
  });
}

function toolData({ name, server, originalName, definition }: ListedTool): object {
  return { ...definition, name, server, original_name: originalName };
}

function toolsText({ streams }: CommandContext, matches: readonly ListedTool[], flags: ToolsFlags): string {
  const { bold, dim } = streams.outColours;
  const lines: string[] = [];
  let server: string | undefined;
  for (const tool of matches) {
    if (tool.server !== server) lines.push(...(lines.length > 0 ? [''] : []), bold(tool.server));
    ({ server } = tool);
    lines.push(`  ${printable(toolSignature(tool))}`);
    const { description, inputSchema } = tool.definition;
    const descriptionRows = typeof description === 'string' ? descriptionLines(description, flags.full) : [];
    const columns = flags.full === true ? Number.POSITIVE_INFINITY : streams.columns;
    lines.push(...descriptionRows.map((line) => inColumns([[`    ${dim(printable(line))}`]], columns)));
    if (flags.schema === true) lines.push(`    ${JSON.stringify(inputSchema)}`);
  }
  return lines.join('\n');
}
