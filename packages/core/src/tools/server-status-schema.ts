import { listSchema, objectSchema, TEXT_SCHEMA } from './context/tool.js';

/** JSON Schema for an era. */
export const ERA_SCHEMA = {
  type: 'string',
  enum: ['legacy', 'modern'],
  description: 'Modern: 2026-07-28 and later',
};

/** JSON Schema for one server in the result of `list_servers`. */
export const SERVER_STATUS_SCHEMA = objectSchema(
  {
    name: TEXT_SCHEMA,
    command: TEXT_SCHEMA,
    args: listSchema(TEXT_SCHEMA),
    url: { type: 'string', description: 'Without what may be secret in it' },
    status: { type: 'string', enum: ['starting', 'running', 'crashed', 'idle', 'failed'] },
    tools: listSchema(TEXT_SCHEMA),
    pid: { type: ['integer', 'null'], description: 'null for a server at a url' },
    uptime_seconds: { type: 'number' },
    protocol_version: { type: 'string', description: 'The revision of the protocol that it speaks' },
    era: ERA_SCHEMA,
    restarts: { type: 'integer' },
    dropped_lines: {
      type: 'integer',
      description: 'Lines of its stdout that were no usable message',
    },
    dropped_notifications: {
      type: 'integer',
      description: 'Log messages and progress that were too many to pass on',
    },
    prompts: listSchema(TEXT_SCHEMA),
    resources: { type: 'integer', description: 'How many resources it lists' },
    resource_aliases: {
      type: 'object',
      additionalProperties: TEXT_SCHEMA,
      description: 'Its URIs that another server has too, and what to use instead',
    },
    changed_tools: {
      type: 'array',
      items: TEXT_SCHEMA,
      description: 'Tools with another definition than before',
    },
    blocked_tools: {
      type: 'object',
      additionalProperties: { type: 'string', enum: ['changed', 'new', 'command'] },
      description: 'Tools that are not as they were, and blocked until approved',
    },
    sandbox: { type: 'string', description: 'What confines it, and what it may do there' },
    warnings: listSchema(TEXT_SCHEMA),
    settings: { type: 'object', description: 'Those of add_server that were given' },
    restart: { type: 'string', description: 'Whether and when it starts again by itself' },
    restart_state: { type: 'string', enum: ['waiting', 'given-up', 'trying'] },
    last_error: objectSchema(
      {
        message: TEXT_SCHEMA,
        advice: TEXT_SCHEMA,
        exit_code: { type: 'integer' },
        signal: TEXT_SCHEMA,
        stderr_tail: listSchema(TEXT_SCHEMA),
        stdout_lines: listSchema(TEXT_SCHEMA),
      },
      ['message'],
    ),
  },
  ['name', 'status', 'tools', 'restarts'],
);

/** JSON Schema for one server if the clients are windows. */
export const SHARED_SERVER_STATUS_SCHEMA = {
  ...SERVER_STATUS_SCHEMA,
  properties: {
    ...SERVER_STATUS_SCHEMA.properties,
    scope: { type: 'string', enum: ['all', 'folder', 'window'], description: 'Which windows share it' },
    windows: { type: 'integer', description: 'How many windows share it now' },
    scope_reason: { type: 'string', description: 'Why these windows share it, or why each has its own' },
  },
};
