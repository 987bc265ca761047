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
import { requestAddition } from './add-request.js';
import { sandboxed } from './policy/add-policy.js';
import {
  choice,
  flag,
  namedTexts,
  optional,
  settingsOr,
  text,
  texts,
  integerUpTo,
  type Values,
} from './context/fields.js';
import type { ToolContext, ToolServices } from './context/tool-context.js';
import { inputSchemaOf, tool, type Tool, invalidArguments, type InvalidArguments } from './context/tool.js';
import { answerWhenAdded, SERVER_TOOLS } from './server-tools.js';
import { eraProblem } from '../server/config/usable-config.js';

/** Maximum start timeout that an agent can set, in milliseconds: an hour. */
const MAX_START_TIMEOUT_MS = 3_600_000;
/** Maximum call timeout that an agent can set, in milliseconds: a day. */
const MAX_CALL_TIMEOUT_MS = 86_400_000;

const FIELDS = {
  name: text('New name for the server: no "__", no trailing "_"'),
  command: optional(text('Program to run: on the PATH, or a path, without arguments. No shell. This or url')),
  args: optional(texts('Arguments of the program')),
  env: optional(namedTexts('Environment variables, added to the inherited ones')),
  cwd: optional(text('Working directory of the program')),
  inheritEnv: optional(
    choice(['all', 'safe', 'none'], 'Inherited environment variables; all by default, safe is a short list'),
  ),
  sandbox: optional(
    settingsOr(
      'off',
      'Confines the program: {"network": true, "filesystem": {"allowWrite": ["path"]}}, or "off"; {} has no network',
    ),
  ),
  url: optional(text('MCP endpoint of a server that runs elsewhere')),
  headers: optional(namedTexts('HTTP headers of every request to the url, such as Authorization')),
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
const PERSIST = { persist: optional(flag('true: saved for later sessions; otherwise it ends with mcpmux')) };
const SCOPE = {
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
  outputSchema: SERVER_TOOLS,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  changesLists: true,
};
const FOR_HOSTS = { ...FIELDS, ...PERSIST };
const FOR_WINDOWS = { ...FIELDS, ...SCOPE, ...PERSIST };

/**
 * Returns the tool that starts a server for an agent, if the policy permits it. The tool has the argument `persist` if
 * the host has a store, and `scope` if the clients are windows.
 */
export function addServer({ store, hasWindows }: Pick<ToolServices, 'store' | 'hasWindows'>): Tool {
  const isForWindows = hasWindows === true;
  const full = isForWindows
    ? tool(DEFINITION, FOR_WINDOWS, add)
    : tool<typeof FOR_HOSTS>(DEFINITION, FOR_HOSTS, add);
  if (store !== undefined) return full;
  const shown = isForWindows ? { ...FIELDS, ...SCOPE } : FIELDS;
  return { ...full, definition: { ...full.definition, inputSchema: inputSchemaOf(shown) } };
}

async function add(
  { name, persist: isPersisted = false, scope, sandbox: asked, ...input }: Values<typeof FOR_WINDOWS>,
  context: ToolContext,
): Promise<string> {
  const { folder } = context.client.layers;
  const given = addedConfig(input);
  // A program runs in the folder of the client that adds it. A relative `cwd` is relative to that folder.
  const plain =
    folder === undefined || isRemote(given) ? given : { ...given, cwd: resolve(folder, given.cwd ?? '') };
  const isConfined = asked !== undefined || context.addPolicy.mode === 'sandbox';
  const config = isConfined ? withSandbox(plain, asked, context) : plain;
  const request = { name, config, isPersisted, isForAll: scope === 'all' };
  // The caller of a cancelled call would not get the result.
  if (context.signal.aborted) throw new MuxError('CANCELLED', `Adding ${name} was cancelled.`);
  const requested = requestAddition(request, context);
  // Does not await an addition without a question, so that the server is registered before the next call is handled.
  const addition = requested instanceof Promise ? await requested : requested;
  return answerWhenAdded(addition, context, { isPersisted });
}

/**
 * Returns the config of a requested server with its effective sandbox.
 *
 * @throws InvalidArguments
 */
function withSandbox(config: ServerConfig, asked: unknown, { addPolicy, client }: ToolContext): ServerConfig {
  if (isRemote(config)) requireNone({ sandbox: asked }, 'url');
  const isNamed = isSandboxSettings(asked);
  if (!isNamed && asked !== undefined && asked !== 'off') throw problem(`sandbox: ${settingsProblem(asked)}`);
  if (addPolicy.mode === 'sandbox') {
    const folder = client.layers.folder ?? process.cwd();
    return sandboxed(addPolicy, config, asked, folder).config;
  }
  return isNamed && !isRemote(config) ? { ...config, sandbox: asked } : config;
}

/** The arguments of `add_server` that describe how to start or reach a server. */
type AddInput = Partial<Omit<ProcessConfig, 'url'> & Pick<RemoteConfig, 'url' | 'headers' | 'transport'>>;

/**
 * Returns the config for the arguments of `add_server`.
 *
 * @throws InvalidArguments
 */
export function addedConfig({ command, url, ...input }: AddInput): ServerConfig {
  if (command !== undefined) {
    if (url !== undefined) throw problem('url: cannot be given with command');
    const { headers, transport, ...config } = input;
    requireNone({ headers, transport }, 'command');
    return { command, ...config };
  }
  if (url === undefined)
    throw problem('command: is missing; give command (a program to run) or url (where a server is)');
  const { args, env, cwd, inheritEnv, ...config } = input;
  requireNone({ args, env, cwd, inheritEnv }, 'url');
  const era = eraProblem(config);
  if (era !== undefined) throw problem(era);
  return { url, ...config };
}

function requireNone(foreign: object, kind: string): void {
  const given = Object.entries(foreign).filter(([, value]) => value !== undefined);
  if (given.length === 0) return;
  throw problem(`${given.map(([name]) => name).join(', ')}: cannot be given with ${kind}`);
}

function problem(message: string): InvalidArguments {
  return invalidArguments('add_server', message);
}
