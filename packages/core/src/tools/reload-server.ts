import { isUnusable } from '../server/config/server-config.js';
import type { RereadResult } from '../server/lists/registration.js';
import type { Upstream } from '../server/upstream.js';
import { requirePresent, requireServer } from './context/require-seen.js';
import { agentOf, type ToolContext } from './context/tool-context.js';
import { flag, optional } from './context/fields.js';
import { SERVER_NAME_FIELD, tool } from './context/tool.js';
import { auditFieldsOf } from './journal/audit.js';
import { decideManagement, requireManagePermission } from './policy/manage-gate.js';
import { requireApproval } from './policy/approval.js';
import { answerWhenStarted, SERVER_TOOLS_SCHEMA } from './server-tools.js';
import { toolDiff } from './status/tool-diff.js';

/** Restarts a server. On request, also approves its tools, if the caller may do so. */
export const reloadServer = tool(
  {
    name: 'reload_server',
    title: 'Reload an MCP server',
    description:
      'Stops a server and starts it again with the same configuration: after its program has changed, or after a crash. ' +
      'Of a failed server it reads the configuration again. ' +
      'Returns the definitions of its tools, and which were added, removed or changed.',
    outputSchema: SERVER_TOOLS_SCHEMA,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    changesLists: true,
  },
  {
    name: SERVER_NAME_FIELD,
    approve: optional(flag('Approves the tools that it lists after the restart. Ask the user first')),
  },
  async ({ name, approve = false }, context) => {
    const { registry, reportProgress, addPolicy, client } = context;
    const upstream = requireServer(name, context);
    const rereadResult = rereadConfig(upstream, context);
    const { kind } = decideManagement(addPolicy, upstream, client, rereadResult?.config);
    // If the user must decide about the reload, the question covers the approval. A rejected reload needs no question.
    if (approve && (kind === 'allow' || addPolicy.mode === 'deny'))
      await requireApprovalWithAudit(upstream, context);
    const permission = requireManagePermission('reload', upstream, context, {
      config: rereadResult?.config,
      approve,
    });
    if (permission !== undefined) await permission;
    requirePresent(upstream);
    reportProgress(`reloading ${name}`);
    const reloadDone = registry.reload(name, { approve, by: agentOf(context), rereadResult });
    // The reload replaces a server whose config could not be used.
    const current = registry.find(name) ?? upstream;
    return answerWhenStarted(current, reloadDone, context, { changes: () => toolDiff(current) });
  },
);

/** Reads a failed server's config again, for the policy's decision and for the start. */
function rereadConfig({ config, reread }: Upstream, { addPolicy }: ToolContext): RereadResult | undefined {
  return isUnusable(config) && addPolicy.mode !== 'deny' ? reread?.() : undefined;
}

/** Runs {@link requireApproval}, and audits a rejection. */
async function requireApprovalWithAudit(upstream: Upstream, context: ToolContext): Promise<void> {
  const { addPolicy, audit, client } = context;
  try {
    await requireApproval(addPolicy, upstream, context);
  } catch (error) {
    const refusal = { outcome: 'refused', rule: addPolicy.mode, session: client.session } as const;
    audit({ action: 'approve', ...auditFieldsOf(upstream), ...refusal });
    throw error;
  }
}
