import { requirePresent, requireServer } from './context/require-seen.js';
import { agentOf } from './context/tool-context.js';
import { objectSchema, SERVER_NAME_FIELD, TEXT_SCHEMA, tool } from './context/tool.js';
import { requireManagePermission } from './policy/manage-gate.js';
import { unpersistServer } from './persisted-servers.js';

/** Removes a server, and its entry in the store. */
export const removeServer = tool(
  {
    name: 'remove_server',
    title: 'Remove an MCP server',
    description: 'Removes a server and its tools and stops its processes.',
    outputSchema: objectSchema(
      {
        name: TEXT_SCHEMA,
        removed: { type: 'boolean' },
        forgotten: { type: 'boolean', description: 'true: later starts of mcpmux do not start it' },
        note: TEXT_SCHEMA,
      },
      ['name', 'removed'],
    ),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    changesLists: true,
  },
  { name: SERVER_NAME_FIELD },
  async ({ name }, context) => {
    const upstream = requireServer(name, context);
    const permission = requireManagePermission('remove', upstream, context);
    if (permission !== undefined) await permission;
    requirePresent(upstream);
    const removal = context.registry.remove(name, agentOf(context));
    // Only shared servers are saved, so an entry with a private server's name belongs to another server.
    const deletion = upstream.layer.isShared ? unpersistServer(upstream, context) : undefined;
    const [persistence] = await Promise.all([deletion, removal]);
    return JSON.stringify({
      name,
      removed: true,
      ...(persistence?.isDone === true && { forgotten: true }),
      ...(persistence?.problem !== undefined && {
        note: `It starts again with the next mcpmux: ${persistence.problem}`,
      }),
    });
  },
);
