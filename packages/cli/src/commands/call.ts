import { text as readAll } from 'node:stream/consumers';
import { resolve } from 'node:path';
import process from 'node:process';

import { messageOf } from '@mcpmux/core';
import { isObject, type JsonObject } from '@mcpmux/clients';
import type { LoadedConfig } from '@mcpmux/config';
import { didYouMean } from '@mcpmux/config/find';

import { parseJsonObject } from '../base/json-object.js';
import { ExitCode } from '../base/exit-code.js';
import { toolResultText } from '../live/mcp-connection.js';
import { liveServers } from '../live/live-servers.js';
import type { LiveServers, Outcome } from '../live/outcome.js';
import { printable } from '../terminal/columns.js';
import { printResult, printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { CommandError, usageError } from '../terminal/command-error.js';
import { withSpinner } from '../terminal/spinner.js';
import { parseCallArguments } from './call-arguments.js';
import { resolveCalledTool } from './called-tool.js';
import type { ListFlags } from './list.js';
import { serverErrors, requireServer } from './load-servers.js';
import { serverNotSelectedError } from '../config/named-server.js';
import { toWriteError } from '../edit/write-failure.js';
import { listedTools, MAX_QUERY_LENGTH, toolSignature, type ListedTool } from '../live/server-tools.js';

/** Flags of `mcpmux call`. */
export interface CallFlags extends ListFlags {
  readonly args?: string;
  /** False with `--no-validate`, which sends the arguments to the server unchecked. */
  readonly validate?: boolean;
  /** The folder in which to save the images, audio and files from the result. */
  readonly save?: string;
}

/** Calls a tool through the mcpmux that serves the config. If none is running, starts the tool's server. */
export const call: Action<CallFlags> = async (context, words, flags) => {
  const passedArguments = flags.args === undefined ? undefined : await readJsonArguments(flags.args);
  const { config, server, tool, argumentWords } = await resolveCalledTool(context, words, flags);
  const options = { ...flags, environment: context.environment, only: [server] };
  await using live = await withSpinner(context, `starting ${server}`, liveServers(config, options));
  if (!isAddedByAgent(live, config, server)) {
    requireServer(config, server);
    requireRunning(live, serverErrors(config, server));
  }
  const found = await findTool(live, server, tool);
  const args = passedArguments ?? parseCallArguments(argumentWords, found.definition['inputSchema']);
  if (flags.validate !== false) await validateArguments(found, args);
  const result = await callTool(context, live, found, args);
  if (flags.save !== undefined) await save(context, result, flags.save, found.originalName);
  return printToolResult(context, result);
};

async function save(
  context: CommandContext,
  result: JsonObject,
  folder: string,
  tool: string,
): Promise<void> {
  const { saveContents } = await import('./save-contents.js');
  try {
    for (const file of saveContents(result, resolve(context.cwd, folder), tool))
      printNote(context, `Saved ${file}`);
  } catch (error) {
    throw toWriteError(folder, error);
  }
}

/** Calls the tool and shows progress until the result arrives. */
async function callTool(
  context: CommandContext,
  { connection }: LiveServers,
  { name, server, originalName }: ListedTool,
  args: JsonObject,
): Promise<JsonObject> {
  const target = `${server}.${originalName}`;
  let progress = '';
  const request = connection.request('tools/call', { name, arguments: args }, (params) => {
    progress = progressText({ ...params });
  });
  return withSpinner(context, () => `calling ${target}${progress}`, request).catch((error: unknown) => {
    throw callError(target, error);
  });
}

/** Formats a progress notification as a suffix, such as `: 3 of 10, downloading`. */
export function progressText({ progress, total, message }: JsonObject): string {
  const count = typeof total === 'number' ? `${String(progress)} of ${total}` : String(progress);
  return `: ${count}${typeof message === 'string' ? `, ${printable(message)}` : ''}`;
}

async function validateArguments(tool: ListedTool, args: JsonObject): Promise<void> {
  const { inputSchema } = tool.definition;
  if (!isObject(inputSchema)) return;
  const { argumentProblems: unfitArguments } = await import('./check-arguments.js');
  const problems = unfitArguments(args, inputSchema);
  if (problems.length === 0) return;
  throw new CommandError('USAGE', `the arguments do not fit ${tool.server}.${tool.originalName}.`, {
    details: problems,
    next: `${toolSignature(tool)} is what it takes; --no-validate sends the arguments all the same`,
  });
}

function printToolResult(context: CommandContext, result: JsonObject): number {
  const isError = result['isError'] === true;
  const { flags, streams } = context;
  const text = `${toolResultText(result)}\n`;
  if (flags.json === true) printResult(context, result, '');
  else if (isError) streams.err(text);
  else if (text !== '\n') streams.data(text);
  return isError ? ExitCode.ToolError : ExitCode.Ok;
}

async function readJsonArguments(text: string): Promise<JsonObject> {
  const parsed = parseJsonObject(text === '-' ? await readAll(process.stdin) : text);
  if (parsed !== undefined) return parsed;
  const next = `--args '{"name":"value"}', or --args - to read it from stdin`;
  throw usageError('the value of --args is not a JSON object.', next);
}

/** True if the server runs in the mcpmux but is not in the config, because an agent added it. */
function isAddedByAgent({ states }: LiveServers, { servers }: LoadedConfig, server: string): boolean {
  return !servers.some(({ name }) => name === server) && states.some(({ name }) => name === server);
}

function requireRunning({ outcomes: [outcome] }: LiveServers, problems: readonly string[]): void {
  if (outcome === undefined || outcome.kind === 'running') return;
  const { name } = outcome;
  if (outcome.kind === 'not_selected') throw serverNotSelectedError(name, outcome.reason);
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  throw new CommandError(
    reason === undefined ? `SERVER_${outcome.kind.toUpperCase()}` : 'START_FAILED',
    reason ?? notRunningMessage(name, outcome.kind),
    {
      details: problems,
      next: outcome.kind === 'disabled' ? `mcpmux enable ${name}` : `mcpmux doctor ${name}`,
    },
  );
}

function notRunningMessage(name: string, kind: Outcome['kind']): string {
  const state = kind === 'failed' ? 'has a configuration that cannot be used' : `is ${kind}`;
  return `the server "${name}" ${state}.`;
}

async function findTool(
  { connection, states }: LiveServers,
  server: string,
  tool: string,
): Promise<ListedTool> {
  const owners = new Map(
    states.filter(({ name }) => name === server).map((state) => [state.name, state.tools]),
  );
  const tools = listedTools(await connection.listAll('tools/list', 'tools'), owners);
  const isMatch = ({ name, originalName }: ListedTool): boolean =>
    originalName === tool || name === `${server}__${tool}`;
  const found = tools.find(isMatch) ?? (await findUnlistedTools(connection, server, tool)).find(isMatch);
  if (found !== undefined) return found;
  const names = tools.map(({ originalName }) => originalName);
  throw new CommandError('TOOL_NOT_FOUND', `"${server}" has no tool "${tool}".${didYouMean(tool, names)}`, {
    next: names.length === 0 ? `mcpmux doctor ${server}` : `the tools are: ${names.join(', ')}`,
  });
}

/** Searches the server's tools with `search_tools`, which also finds unlisted tools. */
async function findUnlistedTools(
  connection: LiveServers['connection'],
  server: string,
  tool: string,
): Promise<readonly ListedTool[]> {
  if (tool.length > MAX_QUERY_LENGTH) return [];
  const query = { query: tool, server, detail: 'definition', limit: 100 };
  const definitions = await connection.listFromOwnTool('search_tools', 'tools', query);
  return listedTools(definitions, new Map([[server, definitions.map(({ name }) => String(name))]]));
}

function callError(target: string, error: unknown): CommandError {
  return new CommandError('CALL_FAILED', `the call of ${target} failed: ${messageOf(error)}`);
}
