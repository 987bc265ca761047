import type { OwnTool } from '../catalog/own-tool.js';
import { ADD_INPUT } from './add-input.js';
import { isInstanceTool, type InstanceToolName } from './instance-definitions.js';
import { SERVER_STATUS } from './server-status-schema.js';
import { SERVER_TOOLS } from './server-tools-schema.js';

/** To compare a word with others costs as much as the square of its length, and each word of a query is compared with all. */
export const MAX_QUERY_LENGTH = 200;

const NAME = { type: 'string', minLength: 1, description: 'Name of the server' };

const DEFINITIONS = [
  {
    name: 'add_server',
    title: 'Add an MCP server',
    description:
      'Starts an MCP server (a program that speaks MCP on stdin and stdout), or connects to one at a url, and adds its ' +
      'tools, named {name}__{tool}. ' +
      'Returns their definitions: call them right away, even if your own list of tools does not show them yet.',
    inputSchema: ADD_INPUT,
    outputSchema: SERVER_TOOLS,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  },
  {
    name: 'remove_server',
    title: 'Remove an MCP server',
    description: 'Removes a server and its tools and stops its processes.',
    inputSchema: {
      type: 'object',
      properties: { name: NAME },
      required: ['name'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        removed: { type: 'boolean' },
        forgotten: { type: 'boolean', description: 'true: it is not kept for later starts any more' },
        note: { type: 'string' },
      },
      required: ['name', 'removed'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  },
  {
    name: 'reload_server',
    title: 'Reload an MCP server',
    description:
      'Stops a server and starts it again with the same configuration: after its program has changed, or after a crash. ' +
      'Returns the definitions of its tools, and which were added, removed or changed.',
    inputSchema: {
      type: 'object',
      properties: {
        name: NAME,
        approve: {
          type: 'boolean',
          description: 'Unblocks its tools as they are after the restart. Ask the user first',
        },
      },
      required: ['name'],
      additionalProperties: false,
    },
    outputSchema: SERVER_TOOLS,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  },
  {
    name: 'list_servers',
    title: 'List the MCP servers',
    description:
      'Lists the servers with their command or url, status, tools, process id, uptime and last error.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    outputSchema: {
      type: 'object',
      properties: {
        servers: {
          type: 'array',
          items: SERVER_STATUS,
        },
      },
      required: ['servers'],
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {
    name: 'call_tool',
    title: 'Call a tool by name',
    description:
      'Calls a tool of any server, for when your own list of tools does not show it yet. ' +
      'The result is that of the tool.',
    inputSchema: {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          minLength: 1,
          description: '{server}__{tool}, as add_server or search_tools gave it',
        },
        arguments: { type: 'object', description: 'Arguments of that tool' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  {
    name: 'search_tools',
    title: 'Search the tools of all servers',
    description: 'Finds tools by words in their names, descriptions and parameters, the best first.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: MAX_QUERY_LENGTH,
          description: 'Words, such as "create issue"',
        },
        detail: {
          type: 'string',
          enum: ['name', 'description', 'definition'],
          description: 'How much to show of each tool; description by default',
        },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: '10 by default' },
        server: { ...NAME, description: 'Only the tools of this server' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        tools: { type: 'array', items: { type: 'object' } },
        total: { type: 'integer', description: 'How many match, shown or not' },
      },
      required: ['tools', 'total'],
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {
    name: 'server_logs',
    title: 'Read the log of an MCP server',
    description:
      'Shows what happened to a server lately and the last lines of its stderr, also after it failed to start.',
    inputSchema: {
      type: 'object',
      properties: {
        name: NAME,
        lines: { type: 'integer', minimum: 1, maximum: 500, description: '50 by default' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        entries: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              kind: { type: 'string', enum: ['event', 'stderr'] },
              text: { type: 'string' },
              seconds_ago: { type: 'number' },
            },
            required: ['kind', 'text', 'seconds_ago'],
          },
        },
      },
      required: ['name', 'entries'],
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
] as const;

/** Names of the tools that mcpmux itself offers. */
export type OwnToolName = ServerToolName | InstanceToolName;

/** Names of those for servers, which are always there. */
export type ServerToolName = (typeof DEFINITIONS)[number]['name'];

/** A tool for servers, as clients see it. */
type Definition = OwnTool & { readonly name: ServerToolName };

/** The tools that mcpmux itself offers, always in this order. Their names hold no `__`, so no server can have them. */
export const OWN_TOOLS: readonly Definition[] = DEFINITIONS.map(asOwnTool);

/** The same where servers can be kept for later starts: `add_server` shows that it can be asked to. */
export const OWN_TOOLS_WITH_STORE: readonly Definition[] = DEFINITIONS.map((definition) =>
  asOwnTool(definition.name === 'add_server' ? withPersist(definition) : definition),
);

function asOwnTool(definition: { readonly name: ServerToolName }): Definition {
  return { name: definition.name, json: JSON.stringify(definition) };
}

function withPersist<Tool extends { readonly inputSchema: { readonly properties: object } }>(
  tool: Tool,
): Tool {
  const { properties } = tool.inputSchema;
  const persist = { type: 'boolean', description: 'true: kept, and started again by later starts of mcpmux' };
  return { ...tool, inputSchema: { ...tool.inputSchema, properties: { ...properties, persist } } };
}

const OWN_NAMES: ReadonlySet<string> = new Set(DEFINITIONS.map(({ name }) => name));

/** True for the name of a tool that mcpmux itself offers, here or elsewhere. */
export function isOwnToolName(name: string): name is OwnToolName {
  return OWN_NAMES.has(name) || isInstanceTool(name);
}
