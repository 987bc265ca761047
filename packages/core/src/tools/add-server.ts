import { resolve } from 'node:path';
import process from 'node:process';

import { MuxError } from '@mcpmux/kit';
import { isSandboxSettings, settingsProblem } from '@mcpmux/sandbox';
import {
  isRemote,
  type ServerConfig,
  type ProcessConfig,
  type RemoteConfig,
} from '../server/config/server-config.js';
import { addRequestedServer } from './add-request.js';
import { applySandboxPolicy } from './policy/add-policy.js';
import {
  choice,
  flag,
  textRecord,
  optional,
  settingsOrLiteral,
  text,
  textList,
  integerUpTo,
  type Values,
} from './context/fields.js';
import type { ToolContext, ToolServices } from './context/tool-context.js';
import {
  inputSchemaOf,
  tool,
  type Tool,
  invalidArgumentsError,
  type InvalidArguments,
} from './context/tool.js';
import { answerWhenAdded, SERVER_TOOLS_SCHEMA } from './server-tools.js';
import { eraProblem } from '../server/config/usable-config.js';

/** The longest start timeout that an agent can set, in milliseconds: an hour. */
const MAX_START_TIMEOUT_MS = 3_600_000;
/** The longest call timeout that an agent can set, in milliseconds: a day. */
const MAX_CALL_TIMEOUT_MS = 86_400_000;

const COMMON_FIELDS = {
  name: text('New name for the server: no "__", no trailing "_"'),
  command: optional(text('Program to run: on the PATH, or a path, without arguments. No shell. This or url')),
  args: optional(textList('Arguments of the program')),
  env: optional(textRecord('Environment variables, added to the inherited ones')),
  cwd: optional(text('Working directory of the program')),
  inheritEnv: optional(
    choice(['all', 'safe', 'none'], 'Inherited environment variables; all by default, safe is a short list'),
  ),
  sandbox: optional(
    settingsOrLiteral(
      'off',
      'Confines the program: {"network": true, "filesystem": {"allowWrite": ["path"]}}, or "off"; {} has no network',
    ),
  ),
  url: optional(text('MCP endpoint of a server that runs elsewhere')),
  headers: optional(textRecord('HTTP headers of every request to the url, such as Authorization')),
  transport: optional(
    choice(['auto', 'http', 'sse'], 'auto by default: Streamable HTTP, else the deprecated SSE'),
  ),
  protocol: optional(
    choice(
      ['auto', 'legacy', 'modern'],
      'auto by default; legacy: up to 2025-11-25, modern: 2026-07-28 and later',
    ),
  ),
  startTimeoutMs: optional(integerUpTo(MAX_START_TIMEOUT_MS, 'For a slow first start; 60000 by default')),
  restart: optional(
    choice(['never', 'on-failure', 'always'], 'When the server restarts by itself; never by default'),
  ),
  callTimeoutMs: optional(
    integerUpTo(
      MAX_CALL_TIMEOUT_MS,
      'Longest time of a call without response or progress; no limit by default',
    ),
  ),
};
const PERSIST_FIELD = {
  persist: optional(flag('true: saved for later sessions; otherwise it ends with mcpmux')),
};
const SCOPE_FIELD = {
  scope: optional(
    choice(
      ['window', 'all'],
      'window by default: for this client alone; all: for every window of this mcpmux',
    ),
  ),
};

const DEFINITION = {
  name: 'add_server',
  title: 'Add an MCP server',
  description:
    'Starts an MCP server (a program that speaks MCP on stdin and stdout), or connects to one at a url, and adds its ' +
    'tools, named {name}__{tool}. ' +
    'Returns their definitions. Call those that your own list of tools does not show with call_tool.',
  outputSchema: SERVER_TOOLS_SCHEMA,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  changesLists: true,
};
const HOST_FIELDS = { ...COMMON_FIELDS, ...PERSIST_FIELD };
const WINDOW_FIELDS = { ...COMMON_FIELDS, ...SCOPE_FIELD, ...PERSIST_FIELD };

/**
 * Returns the tool that starts a server for an agent, if the policy permits it. The tool has the argument `persist` if
 * the host has a store, and `scope` if the clients are windows.
 */
export function addServerTool({ store, hasWindows }: Pick<ToolServices, 'store' | 'hasWindows'>): Tool {
  const isForWindows = hasWindows === true;
  const fullTool = isForWindows
    ? tool(DEFINITION, WINDOW_FIELDS, addServer)
    : tool<typeof HOST_FIELDS>(DEFINITION, HOST_FIELDS, addServer);
  if (store !== undefined) return fullTool;
  const shown = isForWindows ? { ...COMMON_FIELDS, ...SCOPE_FIELD } : COMMON_FIELDS;
  return { ...fullTool, definition: { ...fullTool.definition, inputSchema: inputSchemaOf(shown) } };
}

async function addServer(
  { name, persist: isPersisted = false, scope, sandbox: asked, ...input }: Values<typeof WINDOW_FIELDS>,
  context: ToolContext,
): Promise<string> {
  const { folder } = context.client.layers;
  const given = configFromInput(input);
  // A program runs in the folder of the client that adds it. A relative `cwd` is resolved against that folder.
  const fullConfig =
    folder === undefined || isRemote(given) ? given : { ...given, cwd: resolve(folder, given.cwd ?? '') };
  const isConfined = asked !== undefined || context.addPolicy.mode === 'sandbox';
  const config = isConfined ? withSandbox(fullConfig, asked, context) : fullConfig;
  const request = { name, config, isPersisted, isForAll: scope === 'all' };
  // The caller of a cancelled call gets no result, so it would not learn that the server has been added.
  if (context.signal.aborted) throw new MuxError('CANCELLED', `Adding ${name} was cancelled.`);
  const requested = addRequestedServer(request, context);
  // Not awaited unless the user must decide, so that the server is registered before the next call is handled.
  const addition = requested instanceof Promise ? await requested : requested;
  return answerWhenAdded(addition, context, { isPersisted });
}

/**
 * Returns a requested server's config, with its effective sandbox.
 *
 * @throws InvalidArguments
 */
function withSandbox(config: ServerConfig, asked: unknown, { addPolicy, client }: ToolContext): ServerConfig {
  if (isRemote(config)) rejectFields({ sandbox: asked }, 'url');
  const hasSettings = isSandboxSettings(asked);
  if (!hasSettings && asked !== undefined && asked !== 'off')
    throw argumentsProblem(`sandbox: ${settingsProblem(asked)}`);
  if (addPolicy.mode === 'sandbox') {
    const folder = client.layers.folder ?? process.cwd();
    return applySandboxPolicy(addPolicy, config, asked, folder).config;
  }
  return hasSettings && !isRemote(config) ? { ...config, sandbox: asked } : config;
}

/** The arguments of `add_server` that describe how to start or reach a server. */
type AddInput = Partial<Omit<ProcessConfig, 'url'> & Pick<RemoteConfig, 'url' | 'headers' | 'transport'>>;

/**
 * Converts the arguments of `add_server` to a config.
 *
 * @throws InvalidArguments
 */
export function configFromInput({ command, url, ...input }: AddInput): ServerConfig {
  if (command !== undefined) {
    if (url !== undefined) throw argumentsProblem('url: cannot be given with command');
    const { headers, transport, ...config } = input;
    rejectFields({ headers, transport }, 'command');
    return { command, ...config };
  }
  if (url === undefined)
    throw argumentsProblem('command: is missing; give command (a program to run) or url (where a server is)');
  const { args, env, cwd, inheritEnv, ...config } = input;
  rejectFields({ args, env, cwd, inheritEnv }, 'url');
  const era = eraProblem(config);
  if (era !== undefined) throw argumentsProblem(era);
  return { url, ...config };
}

function rejectFields(fields: object, kind: string): void {
  const givenFields = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (givenFields.length === 0) return;
  throw argumentsProblem(`${givenFields.map(([name]) => name).join(', ')}: cannot be given with ${kind}`);
}

function argumentsProblem(message: string): InvalidArguments {
  return invalidArgumentsError('add_server', message);
}
