import type { OwnTool } from '../catalog/own-tool.js';
import { SERVER_TOOLS } from './server-tools-schema.js';

const INSTANCE_ID = { type: 'string', minLength: 1, maxLength: 100 };

const DEFINITIONS = [
  {
    name: 'list_instances',
    title: 'List other instances of mcpmux',
    description: 'Lists other mcpmux instances of this user that run on this machine.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    outputSchema: {
      type: 'object',
      properties: {
        instances: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              instance_id: { type: 'string' },
              name: { type: 'string' },
              pid: { type: 'integer' },
              started: { type: 'string' },
              root: { type: 'string', description: 'The folder it works in' },
              config: { type: 'string' },
              connected_as: { type: 'string', description: 'Name of the connection, if there is one' },
            },
            required: ['instance_id', 'name', 'pid', 'started', 'root'],
          },
        },
      },
      required: ['instances'],
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {
    name: 'connect_instance',
    title: 'Connect to another instance of mcpmux',
    description: 'Adds the tools of another mcpmux, named {name}__{tool}, for this session only.',
    inputSchema: {
      type: 'object',
      properties: {
        instance_id: { ...INSTANCE_ID, description: 'From list_instances' },
        name: { type: 'string', minLength: 1, description: 'Name of the connection; made up when absent' },
      },
      required: ['instance_id'],
      additionalProperties: false,
    },
    outputSchema: SERVER_TOOLS,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  },
  {
    name: 'disconnect_instance',
    title: 'Disconnect from another instance of mcpmux',
    description: 'Ends a connection of connect_instance and removes its tools.',
    inputSchema: {
      type: 'object',
      properties: {
        instance_id: { ...INSTANCE_ID, description: 'May be left out when there is only one connection' },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        instance_id: { type: 'string' },
        disconnected: { type: 'boolean' },
      },
      required: ['name', 'instance_id', 'disconnected'],
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  },
] as const;

/** Names of the tools for other instances. */
export type InstanceToolName = (typeof DEFINITIONS)[number]['name'];

/** The tools for other instances, where a host can find any. */
export const INSTANCE_TOOLS: readonly (OwnTool & { readonly name: InstanceToolName })[] = DEFINITIONS.map(
  (definition) => ({ name: definition.name, json: JSON.stringify(definition) }),
);

/** True for the name of one of {@link INSTANCE_TOOLS}. */
export function isInstanceTool(name: string): name is InstanceToolName {
  return DEFINITIONS.some((definition) => definition.name === name);
}
