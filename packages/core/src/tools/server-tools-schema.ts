const NAMES = { type: 'array', items: { type: 'string' } };

/** JSON Schema of the result of the tools that bring a server up. */
export const SERVER_TOOLS = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    status: { type: 'string', enum: ['starting', 'running'] },
    tools: {
      type: 'array',
      items: { type: 'object' },
      description: 'Definitions of the tools, as in tools/list',
    },
    instructions: { type: 'string', description: 'What the server says about its use' },
    note: { type: 'string' },
    persisted: { type: 'boolean', description: 'Whether it is kept for later starts, where asked' },
    changes: {
      type: 'object',
      description: 'How the tools differ from those before the reload',
      properties: { added: NAMES, removed: NAMES, changed: NAMES },
      required: ['added', 'removed', 'changed'],
    },
  },
  required: ['name', 'status', 'tools'],
};
