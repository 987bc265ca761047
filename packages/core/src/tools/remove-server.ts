import { requireServer } from './context/require-seen.js';
import { agentOf } from './context/tool-context.js';
import { filled, SERVER_NAME, tool } from './context/tool.js';
import { unpersist } from './persisted-servers.js';

/** Removes a server, from the store as well. */
export const removeServer = tool({
  definition: {
    name: 'remove_server',
    title: 'Remove an MCP server',
    description: 'Removes a server and its tools and stops its processes.',
    inputSchema: {
      type: 'object',
      properties: { name: SERVER_NAME },
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
  input: (z) => z.strictObject({ name: filled(z) }),
  async run({ name }, context) {
    const upstream = requireServer(name, context);
    const gone = context.registry.remove(name, agentOf(context));
    // Only shared servers are persisted: a persisted entry of the same name belongs to another server.
    const deleted = upstream.layer.isShared ? unpersist(upstream, context) : undefined;
    const [persistence] = await Promise.all([deleted, gone]);
    return JSON.stringify({
      name,
      removed: true,
      ...(persistence?.isDone === true && { forgotten: true }),
      ...(persistence?.problem !== undefined && {
        note: `It starts again with the next mcpmux: ${persistence.problem}`,
      }),
    });
  },
});
