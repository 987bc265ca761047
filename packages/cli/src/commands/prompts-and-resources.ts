import { isObject, type JsonObject } from '@mcpmux/clients';

import { liveServers } from '../live/live-servers.js';
import type { LiveServers } from '../live/outcome.js';
import { printable } from '../terminal/columns.js';
import { printResult, printNote, type Action, type CommandContext } from '../terminal/command-context.js';
import { withSpinner } from '../terminal/spinner.js';
import { ExitCode } from '../base/exit-code.js';
import type { ListFlags } from './list.js';
import { loadServers } from './load-servers.js';
import { serverNotFoundError } from '../config/named-server.js';
import { isUrl, urlConfig } from '../config/url-config.js';

/** `mcpmux prompts` lists the prompts of all servers, or of one server. */
export const prompts: Action<ListFlags> = async (context, [server], flags) => {
  await using live = await liveServersFor(context, server, flags, true);
  const all = await live.connection.listAll('prompts/list', 'prompts');
  const matches = all.filter(
    (prompt) => (isUrl(server) || isOfServer(prompt, server)) && isOfProfile(prompt, live, flags),
  );
  printResult(context, matches, matches.map((prompt) => promptText(context, prompt)).join('\n'));
  if (matches.length === 0) printNote(context, 'No server has a prompt.');
  return ExitCode.Ok;
};

/** `mcpmux resources` lists the resources and resource templates of all servers, or of one server at a URL. */
export const resources: Action<ListFlags> = async (context, [server], flags) => {
  await using live = await liveServersFor(context, server, flags, true);
  const matches = [
    ...(await live.connection.listAll('resources/list', 'resources')),
    ...(await live.connection.listAll('resources/templates/list', 'resourceTemplates')),
  ];
  printResult(context, matches, matches.map((resource) => resourceText(context, resource)).join('\n'));
  if (matches.length === 0) printNote(context, 'No server has a resource.');
  return ExitCode.Ok;
};

/**
 * Connects to the mcpmux that serves the config, or starts the servers that have no saved lists. With `--fresh`,
 * always starts all servers.
 *
 * @param requiresKnownServer true to accept only known server names and URLs, false for any prefix of exposed names
 * @throws CommandError SERVER_NOT_FOUND
 */
export async function liveServersFor(
  context: CommandContext,
  server: string | undefined,
  flags: ListFlags,
  requiresKnownServer = false,
): Promise<LiveServers> {
  const atUrl = isUrl(server) ? urlConfig(server) : undefined;
  const { config } = atUrl ?? loadServers(context, flags);
  const isConfigured = server !== undefined && config.servers.some(({ name }) => name === server);
  const toStart = flags.fresh === true ? 'all' : 'unknown';
  const only = isConfigured ? [server] : undefined;
  const options = { ...flags, environment: context.environment, only, toStart } as const;
  const isUnknown = requiresKnownServer && server !== undefined && atUrl === undefined && !isConfigured;
  const live = await withSpinner(context, 'starting servers', liveServers(config, options));
  if (!isUnknown || live.states.some(({ name }) => name === server)) return live;
  await live[Symbol.asyncDispose]();
  throw serverNotFoundError(server, config.servers, `in ${config.file}`);
}

/** True if no profile is selected, or if the prompt's server is in the profile. */
function isOfProfile(prompt: JsonObject, { outcomes }: LiveServers, { profile }: ListFlags): boolean {
  return profile === undefined || outcomes.some(({ name }) => isOfServer(prompt, name));
}

function isOfServer({ name }: JsonObject, server: string | undefined): boolean {
  return server === undefined || String(name).startsWith(`${server}__`);
}

function promptText({ streams }: CommandContext, prompt: JsonObject): string {
  const { name, description, arguments: args } = prompt;
  const words = (Array.isArray(args) ? args.filter(isObject) : []).map(
    (argument) => `${String(argument['name'])}${argument['required'] === true ? '' : '?'}`,
  );
  const title = `${String(name).replace('__', '.')}(${words.join(', ')})`;
  return withDescription(streams.outColours.dim, title, description);
}

function resourceText({ streams }: CommandContext, resource: JsonObject): string {
  const { uri, uriTemplate, mimeType, name, description } = resource;
  const kind = typeof mimeType === 'string' ? `  ${mimeType}` : '';
  return withDescription(streams.outColours.dim, `${String(uri ?? uriTemplate)}${kind}`, description ?? name);
}

function withDescription(dim: (text: string) => string, title: string, description: unknown): string {
  const [first = ''] = typeof description === 'string' ? description.trim().split('\n', 1) : [];
  return first === '' ? printable(title) : `${printable(title)}\n  ${dim(printable(first))}`;
}
