import { MuxError } from '../base/errors.js';
import { requestAddition } from './add-request.js';
import { addedConfig } from './added-config.js';
import { filled, tool, wholeUpTo, type Tool } from './context/tool.js';
import { answerWhenAdded, SERVER_TOOLS } from './server-tools.js';

/** Longest start that an agent may ask for, in milliseconds: an hour. */
const MAX_START_TIMEOUT_MS = 3_600_000;
/** Longest silence of a call that an agent may ask for, in milliseconds: a day. */
const MAX_CALL_TIMEOUT_MS = 86_400_000;

const PROPERTIES = {
  name: { type: 'string', minLength: 1, description: 'New name for the server: no "__", no trailing "_"' },
  command: {
    type: 'string',
    minLength: 1,
    description: 'Program to run: on the PATH, or a path. No shell. This or url',
  },
  args: { type: 'array', items: { type: 'string' }, description: 'Arguments of the program' },
  env: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Environment variables, added to those inherited',
  },
  cwd: { type: 'string', minLength: 1, description: 'Working directory of the program' },
  inheritEnv: {
    type: 'string',
    enum: ['all', 'safe', 'none'],
    description: 'What the program inherits of the environment; all by default, safe is a short list',
  },
  url: { type: 'string', minLength: 1, description: 'MCP endpoint of a server that runs elsewhere' },
  headers: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'HTTP headers of every request to the url, such as Authorization',
  },
  transport: {
    type: 'string',
    enum: ['auto', 'http', 'sse'],
    description: 'auto by default: Streamable HTTP, else the deprecated SSE',
  },
  startTimeoutMs: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_START_TIMEOUT_MS,
    description: 'For a slow first start; 60000 by default',
  },
  restart: {
    type: 'string',
    enum: ['never', 'on-failure', 'always'],
    description: 'Whether it starts again by itself; never by default',
  },
  callTimeoutMs: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_CALL_TIMEOUT_MS,
    description: 'A call without a sign of life for so long is given up; none by default',
  },
};

const PERSIST = {
  type: 'boolean',
  description: 'true: kept, and started again by later starts of mcpmux',
};

/** Starts a server for an agent, as far as the policy allows. */
export const addServer = tool({
  definition: definitionWith(PROPERTIES),
  input: (z) =>
    z.strictObject({
      name: filled(z),
      command: z.optional(filled(z)),
      args: z.optional(z.array(z.string())),
      env: z.optional(z.record(z.string(), z.string())),
      cwd: z.optional(filled(z)),
      inheritEnv: z.optional(z.enum(['all', 'safe', 'none'])),
      startTimeoutMs: z.optional(wholeUpTo(MAX_START_TIMEOUT_MS, z)),
      restart: z.optional(z.enum(['never', 'on-failure', 'always'])),
      callTimeoutMs: z.optional(wholeUpTo(MAX_CALL_TIMEOUT_MS, z)),
      url: z.optional(filled(z)),
      headers: z.optional(z.record(z.string(), z.string())),
      transport: z.optional(z.enum(['auto', 'http', 'sse'])),
      persist: z.optional(z.boolean()),
    }),
  async run(input, context) {
    const { name, persist: isPersisted = false } = input;
    const request = { name, config: addedConfig(input), isPersisted };
    // Nobody would tell the caller of the server later.
    if (context.signal.aborted) throw new MuxError('CANCELLED', `Adding ${name} was cancelled.`);
    const requested = requestAddition(request, context);
    // An addition that needs no question is there before the next call is looked at.
    const addition = requested instanceof Promise ? await requested : requested;
    return answerWhenAdded(addition, context, { isPersisted });
  },
});

/** {@link addServer} where a host has a store for servers: the definition shows `persist`, too. */
export const addServerWithStore: Tool = {
  ...addServer,
  definition: definitionWith({ ...PROPERTIES, persist: PERSIST }),
};

function definitionWith(properties: object) {
  return {
    name: 'add_server',
    title: 'Add an MCP server',
    description:
      'Starts an MCP server (a program that speaks MCP on stdin and stdout), or connects to one at a url, and adds its ' +
      'tools, named {name}__{tool}. ' +
      'Returns their definitions: call them right away, even if your own list of tools does not show them yet.',
    inputSchema: { type: 'object', properties, required: ['name'], additionalProperties: false },
    outputSchema: SERVER_TOOLS,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  };
}
