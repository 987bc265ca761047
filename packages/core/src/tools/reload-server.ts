import type { Upstream } from '../upstream/upstream.js';
import { requireServer } from './context/require-seen.js';
import { agentOf, type ToolContext } from './context/tool-context.js';
import { filled, SERVER_NAME, tool } from './context/tool.js';
import { auditedServer } from './journal/audit.js';
import { requireApproval } from './policy/approval.js';
import { answerWhenStarted, SERVER_TOOLS } from './server-tools.js';
import { toolDiff } from './status/tool-diff.js';

/** Starts a server again, and approves its tools if the caller may. */
export const reloadServer = tool({
  definition: {
    name: 'reload_server',
    title: 'Reload an MCP server',
    description:
      'Stops a server and starts it again with the same configuration: after its program has changed, or after a crash. ' +
      'Returns the definitions of its tools, and which were added, removed or changed.',
    inputSchema: {
      type: 'object',
      properties: {
        name: SERVER_NAME,
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
  input: (z) => z.strictObject({ name: filled(z), approve: z.optional(z.boolean()) }),
  async run({ name, approve = false }, context) {
    const { registry, progress } = context;
    const upstream = requireServer(name, context);
    if (approve) await auditedApproval(upstream, context);
    progress(`reloading ${name}`);
    const reloaded = registry.reload(name, { approve, by: agentOf(context) });
    return answerWhenStarted(upstream, reloaded, context, { changes: () => toolDiff(upstream) });
  },
});

/** {@link requireApproval}; a refusal stands in the audit. */
async function auditedApproval(upstream: Upstream, context: ToolContext): Promise<void> {
  const { addPolicy, audit, client } = context;
  try {
    await requireApproval(addPolicy, upstream, context);
  } catch (error) {
    const { session } = client;
    audit({
      action: 'approve',
      ...auditedServer(upstream),
      outcome: 'refused',
      rule: addPolicy.mode,
      session,
    });
    throw error;
  }
}
