import { escapeInvisible, MuxError, REFUSAL_ADVICE } from '@mcpmux/kit';
import type { CallingClient, OwnToolContext } from '../../client/caller/own-tool-handler.js';
import { commandForQuestion } from '../../server/config/redact-command.js';
import { isStreams, isUnusable, type AnyServerConfig } from '../../server/config/server-config.js';
import type { Upstream } from '../../server/upstream.js';
import { auditFieldsOf, type Audit } from '../journal/audit.js';
import { decideAdd, hasManageRight, type AddDecision, type AddPolicy } from './add-policy.js';
import { describeServer } from './add-question.js';
import { approvalSentences } from './approval.js';
import { askUser } from './ask-user.js';

/** The members of a call that the gate uses. */
interface ManageContext extends OwnToolContext {
  readonly addPolicy: AddPolicy;
  readonly audit: Audit;
  readonly hasWindows?: boolean | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

type Operation = 'remove' | 'reload';

/** The changes that a reload makes, apart from restarting the server. */
interface ReloadEffects {
  /** The new config to start with, if the config has changed. */
  readonly config?: AnyServerConfig | undefined;
  /** If true, the reload approves the tools that the server lists after starting. */
  readonly approve?: boolean;
}

/**
 * Decides whether an agent may remove or reload a server. A server that another actor has added also serves other
 * clients, so the agent needs permission to add it. A client on stdio has no other clients, so only `deny` applies to
 * it.
 *
 * @param config - the server's config at its next start, if it has changed
 */
export function decideManagement(
  policy: AddPolicy,
  { config: own, addedBy, layer }: Upstream,
  client: CallingClient,
  config = own,
): AddDecision {
  const { mode } = policy;
  const isOwn = addedBy === client.principal.id || layer === client.layers.own;
  if (isOwn || mode === 'allow' || hasManageRight(client)) return { kind: 'allow', rule: mode };
  if (mode === 'deny')
    return {
      kind: 'refuse',
      rule: mode,
      reason: 'agents may not stop or start servers that others have set up',
    };
  if (client.isStdio) return { kind: 'allow', rule: mode };
  if (isStreams(config)) return { kind: 'refuse', rule: mode, reason: 'its host has opened it' };
  // Without a valid command, there is nothing to compare with the policy, so only a user can decide.
  if (isUnusable(config))
    return mode === 'ask'
      ? { kind: 'ask', rule: mode }
      : { kind: 'refuse', rule: mode, reason: 'its configuration cannot be used' };
  return decideAdd(policy, config);
}

/**
 * True if a window would remove a server that other windows share. False if an agent added the server for all windows,
 * because agents may remove such servers.
 */
function isSharedWithOthers(
  operation: Operation,
  { addedBy, layer }: Upstream,
  context: ManageContext,
): boolean {
  const isShared = addedBy === undefined && layer !== context.client.layers.own;
  return context.hasWindows === true && operation === 'remove' && isShared;
}

/**
 * Checks that an agent may remove or reload a server. Decides synchronously unless the user must decide.
 *
 * @throws MuxError REFUSED, CANCELLED
 */
export function requireManagePermission(
  operation: Operation,
  upstream: Upstream,
  context: ManageContext,
  reload: ReloadEffects = {},
): Promise<void> | undefined {
  if (isSharedWithOthers(operation, upstream, context))
    return refuse(operation, upstream, context, { rule: 'windows', reason: 'other windows share it' });
  const decision = decideManagement(context.addPolicy, upstream, context.client, reload.config);
  if (decision.kind === 'allow') return undefined;
  if (decision.kind === 'refuse') return refuse(operation, upstream, context, decision);
  const { rule } = decision;
  const question = questionAbout(operation, upstream, reload, context);
  if ('problem' in question) return refuse(operation, upstream, context, { rule, reason: question.problem });
  return askUser(question.message, `the ${operation} of ${upstream.name}`, context).then((reason) =>
    reason === undefined ? undefined : refuse(operation, upstream, context, { rule, reason }),
  );
}

function refuse(
  action: Operation,
  upstream: Upstream,
  { audit, client }: ManageContext,
  { rule, reason }: { readonly rule: string; readonly reason: string },
): never {
  audit({ action, ...auditFieldsOf(upstream), outcome: 'refused', rule, session: client.session });
  const verb = action === 'remove' ? 'removed' : 'reloaded';
  throw new MuxError(
    'REFUSED',
    `Server ${JSON.stringify(upstream.name)} was not ${verb}: ${reason} (rule: ${rule}). ` +
      `${REFUSAL_ADVICE} (right "manage").`,
    { data: { server: upstream.name } },
  );
}

function questionAbout(
  operation: Operation,
  upstream: Upstream,
  { config, approve = false }: ReloadEffects,
  { environment }: ManageContext,
): { readonly message: string } | { readonly problem: string } {
  const action = operation === 'remove' ? 'remove' : 'stop and start again';
  const name = escapeInvisible(upstream.name);
  const isStarted = config !== undefined && !isUnusable(config) && !isStreams(config);
  const newServer = isStarted ? describeServer(config, commandForQuestion(config, environment)) : undefined;
  if (newServer !== undefined && 'problem' in newServer) return newServer;
  const lines = [
    `mcpmux: the agent wants to ${action} the MCP server "${name}", which it has not added.`,
    ...(newServer ? ['It could not be started before. Now it is:', ...newServer.paragraphs] : []),
    ...(approve ? approvalSentences(upstream) : []),
    newServer?.consequence ?? 'Accept if nobody else needs it as it is now.',
  ];
  return { message: lines.join('\n') };
}
