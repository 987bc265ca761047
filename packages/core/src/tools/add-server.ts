import { MuxError } from '../base/errors.js';
import { requestAddition } from './add-request.js';
import { addedConfig } from './added-config.js';
import { choice, flag, namedTexts, optional, text, texts, wholeUpTo } from './context/fields.js';
import { inputSchemaOf, tool } from './context/tool.js';
import { answerWhenAdded, SERVER_TOOLS } from './server-tools.js';

/** Longest start that an agent may ask for, in milliseconds: an hour. */
const MAX_START_TIMEOUT_MS = 3_600_000;
/** Longest silence of a call that an agent may ask for, in milliseconds: a day. */
const MAX_CALL_TIMEOUT_MS = 86_400_000;

const SHOWN = {
  name: text('New name for the server: no "__", no trailing "_"'),
  command: optional(text('Program to run: on the PATH, or a path, without arguments. No shell. This or url')),
  args: optional(texts('Arguments of the program')),
  env: optional(namedTexts('Environment variables, added to the inherited ones')),
  cwd: optional(text('Working directory of the program')),
  inheritEnv: optional(
    choice(['all', 'safe', 'none'], 'Inherited environment variables; all by default, safe is a short list'),
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
  startTimeoutMs: optional(wholeUpTo(MAX_START_TIMEOUT_MS, 'For a slow first start; 60000 by default')),
  restart: optional(
    choice(['never', 'on-failure', 'always'], 'When the server restarts by itself; never by default'),
  ),
  callTimeoutMs: optional(
    wholeUpTo(
      MAX_CALL_TIMEOUT_MS,
      'Longest time of a call without response or progress; no limit by default',
    ),
  ),
};
const PERSIST = optional(flag('true: saved, and started by later starts of mcpmux'));

/** Starts a server for an agent, as far as the policy allows; for hosts that have a store for servers. */
export const addServerWithStore = tool(
  {
    name: 'add_server',
    title: 'Add an MCP server',
    description:
      'Starts an MCP server (a program that speaks MCP on stdin and stdout), or connects to one at a url, and adds its ' +
      'tools, named {name}__{tool}. ' +
      'Returns their definitions. Call those that your own list of tools does not show with call_tool.',
    outputSchema: SERVER_TOOLS,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    changesLists: true,
  },
  { ...SHOWN, persist: PERSIST },
  async ({ name, persist: isPersisted = false, ...input }, context) => {
    const request = { name, config: addedConfig(input), isPersisted };
    // Nobody would tell the caller of the server later.
    if (context.signal.aborted) throw new MuxError('CANCELLED', `Adding ${name} was cancelled.`);
    const requested = requestAddition(request, context);
    // An addition that needs no question is there before the next call is looked at.
    const addition = requested instanceof Promise ? await requested : requested;
    return answerWhenAdded(addition, context, { isPersisted });
  },
);

/** {@link addServerWithStore} where a host has no store: the definition does not show `persist`. */
export const addServer = {
  ...addServerWithStore,
  definition: { ...addServerWithStore.definition, inputSchema: inputSchemaOf(SHOWN) },
};
