import { requirePresent, requireServer } from './context/require-seen.js';
import { agentOf } from './context/tool-context.js';
import { objectOf, SERVER_NAME, TEXT, tool } from './context/tool.js';
import { requireManaged } from './policy/manage-gate.js';
import { unpersist } from './persisted-servers.js';

/** Removes a server, including its entry in the store. */
export const removeServer = tool(
  {
    name: 'remove_server',
    title: 'Remove an MCP server',
    description: 'Removes a server and its tools and stops its processes.',
    outputSchema: objectOf(
      {
        name: TEXT,
        removed: { type: 'boolean' },
        forgotten: { type: 'boolean', description: 'true: later starts of mcpmux do not start it' },
        note: TEXT,
      },
      ['name', 'removed'],
    ),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    changesLists: true,
  },
  { name: SERVER_NAME },
  async ({ name }, context) => {
    const upstream = requireServer(name, context);
    const permission = requireManaged('remove', upstream, context);
    if (permission !== undefined) await permission;
    requirePresent(upstream);
    const removal = context.registry.remove(name, agentOf(context));
    // Only shared servers are persisted, so an entry with the name of a private server belongs to another server.
    const deletion = upstream.layer.isShared ? unpersist(upstream, context) : undefined;
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
