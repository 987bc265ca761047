import type { LoadedConfig } from '@mcpmux/config';
import { didYouMean } from '@mcpmux/config/find';

import { ExitCode } from '../base/exit-code.js';
import { liveServers } from '../live/live-servers.js';
import { isBroken, type LiveOptions, type LiveServers } from '../live/outcome.js';
import { inColumns, printable } from '../terminal/columns.js';
import { printResult, printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { CommandError, usage } from '../terminal/command-error.js';
import { withSpinner } from '../terminal/spinner.js';
import type { ListFlags } from './list.js';
import { loadServers } from './load-servers.js';
import { serverNotSelected } from '../config/named-server.js';
import { costData, costText, toolCosts, type ToolCost } from './tool-costs.js';
import { isUrl, urlConfig } from '../config/url-config.js';
import {
  descriptionLines,
  listedTools,
  MAX_QUERY_LENGTH,
  signature,
  type ListedTool,
} from '../live/server-tools.js';

/** Flags of `mcpmux tools`. */
export interface ToolsFlags extends ListFlags {
  readonly schema?: boolean;
  /** Prints whole descriptions in place of their first sentences. */
  readonly full?: boolean;
  /** Prints only names. */
  readonly names?: boolean;
  /** Prints the tokens of definitions. */
  readonly cost?: boolean;
  /** Returns the text to print in place of the list. */
  readonly written?: (found: readonly ListedTool[]) => Promise<string>;
}

/** Lists all tools, one server's tools, or the tools that a query finds. */
export const tools: Action<ToolsFlags> = async (context, [word], flags) => {
  const { config, query, only } = askedFor(context, word, flags);
  await using live = await toolsOf(context, config, flags, only);
  const [first] = live.outcomes;
  if (only !== undefined && first?.kind === 'not_selected') throw serverNotSelected(first.name, first.reason);
  if (only !== undefined && first?.kind === 'disabled') {
    const next = `mcpmux enable ${first.name}`;
    throw new CommandError('SERVER_DISABLED', `the server "${first.name}" is disabled.`, { next });
  }
  // The word may also name a server that an agent added to the running mcpmux.
  const isServer = only !== undefined || live.states.some(({ name }) => name === query);
  const isChosen = ({ name }: { readonly name: string }): boolean =>
    flags.profile === undefined || config.servers.some((server) => server.name === name);
  const states = live.states.filter((state) => (!isServer || state.name === query) && isChosen(state));
  const owners = new Map(states.map((state) => [state.name, state.tools]));
  const all = listedTools(await live.connection.list('tools/list', 'tools'), owners);
  const found = isServer || query === undefined ? all : await matching(all, query, live.connection);
  const names = [...config.servers.map(({ name }) => name), ...all.map(({ originalName }) => originalName)];
  checkFound(query, found, live, names);
  if (flags.written !== undefined) {
    const declarations = await flags.written(found);
    printResult(context, { declarations }, declarations);
  } else if (flags.cost === true) printCosts(context, toolCosts(found, config, { profile: flags.profile }));
  else
    printResult(
      context,
      found.map(asData),
      flags.names === true ? namesOf(found) : text(context, found, flags),
    );
  reportOutcomes(context, live, found);
  return ExitCode.Ok;
};

/**
 * Returns the config, the words to search for, and the one server that a word names. The server is in the config or at
 * a URL.
 */
function askedFor(context: CommandContext, word: string | undefined, flags: ToolsFlags) {
  const atUrl = isUrl(word) ? urlConfig(word) : undefined;
  const query = atUrl?.name ?? word;
  const { config } = atUrl ?? loadServers(context, flags);
  const isServer = query !== undefined && config.servers.some(({ name }) => name === query);
  return { config, query, only: isServer ? [query] : undefined };
}

/** Returns running servers, and servers whose tools the last run has saved. Starts the others. */
function toolsOf(
  context: CommandContext,
  config: LoadedConfig,
  flags: ToolsFlags,
  only: readonly string[] | undefined,
): Promise<LiveServers> {
  const starts = flags.fresh === true || flags.timeout !== undefined ? 'all' : 'unknown';
  let count = 0;
  let progress = 'starting servers';
  const onOutcome: LiveOptions['onOutcome'] = (_, all) => {
    count += 1;
    progress = `starting servers: ${count} of ${all}`;
  };
  const options = { ...flags, environment: context.environment, only, starts, onOutcome } as const;
  return withSpinner(context, () => progress, liveServers(config, options));
}

function printCosts(context: CommandContext, costs: readonly ToolCost[]): void {
  printResult(context, costData(costs), costText(costs, context.streams.columns));
  printNote(context, 'Estimated from the size. The tokens of a model differ by up to 15 percent.');
}

function reportOutcomes(
  context: CommandContext,
  { outcomes }: LiveServers,
  found: readonly ListedTool[],
): void {
  for (const { name, kind } of outcomes) {
    if (isBroken(kind))
      printNote(context, `${name} ${WHY_WITHOUT_TOOLS[kind] ?? 'does not run'}. Next: mcpmux doctor ${name}`);
  }
  if (found.length === 0) printNote(context, 'No server has a tool.');
  if (outcomes.some(({ kind }) => kind === 'remembered')) printNote(context, AS_BEFORE);
}

/** The reasons by the state of the server. */
const WHY_WITHOUT_TOOLS: Readonly<Record<string, string>> = {
  failed: 'has a configuration that cannot be used',
  not_loaded: 'is not in the running mcpmux',
};

const AS_BEFORE =
  'These are the tools of the last runs. To start the servers and ask them: mcpmux tools --fresh';

/** Returns the names by which `mcpmux call` calls the tools. */
function namesOf(found: readonly ListedTool[]): string {
  return found.map(({ server, originalName }) => printable(`${server}.${originalName}`)).join('\n');
}

/** Throws if no tool was found, unless there was no query and no server has failed. */
function checkFound(
  query: string | undefined,
  found: readonly ListedTool[],
  { outcomes, states }: LiveServers,
  names: readonly string[],
): void {
  if (found.length > 0) return;
  const broken = outcomes.filter(({ kind }) => isBroken(kind)).map(({ name }) => name);
  const [first] = broken;
  const isOfServers = query === undefined || [...outcomes, ...states].some(({ name }) => name === query);
  const unmatched = isOfServers ? '' : `no server and no tool matches "${query}".${didYouMean(query, names)}`;
  if (first !== undefined) {
    const message = `${isOfServers ? 'there are no tools:' : unmatched} ${broken.join(', ')} did not start.`;
    throw new CommandError('START_FAILED', message, { next: `mcpmux doctor ${first}` });
  }
  // A running server without tools is not an error.
  if (!isOfServers) throw new CommandError('TOOL_NOT_FOUND', unmatched, { next: 'mcpmux tools lists all' });
}

/** Searches with `search_tools`, as agents do. */
async function matching(
  all: readonly ListedTool[],
  query: string,
  connection: LiveServers['connection'],
): Promise<readonly ListedTool[]> {
  if (query.length > MAX_QUERY_LENGTH)
    throw usage(
      `the query has ${query.length} characters; ${MAX_QUERY_LENGTH} are the limit.`,
      'mcpmux tools WORDS, or mcpmux tools SERVER',
    );
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

function text({ streams }: CommandContext, found: readonly ListedTool[], flags: ToolsFlags): string {
  const { bold, dim } = streams.outColours;
  const lines: string[] = [];
  let server: string | undefined;
  for (const tool of found) {
    if (tool.server !== server) lines.push(...(lines.length > 0 ? [''] : []), bold(tool.server));
    ({ server } = tool);
    lines.push(`  ${printable(signature(tool))}`);
    const { description, inputSchema } = tool.definition;
    const shown = typeof description === 'string' ? descriptionLines(description, flags.full) : [];
    const columns = flags.full === true ? Number.POSITIVE_INFINITY : streams.columns;
    lines.push(...shown.map((line) => inColumns([[`    ${dim(printable(line))}`]], columns)));
    if (flags.schema === true) lines.push(`    ${JSON.stringify(inputSchema)}`);
  }
  return lines.join('\n');
}
