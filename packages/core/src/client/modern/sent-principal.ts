import { isRecord } from '@mcpmux/kit';
import type { Caller } from '../caller/caller.js';
import type { Exchange } from '../request/exchange.js';
import { ANYBODY, HOST, isOfOtherNode, LOCAL, type Principal } from '../../guards/principal.js';
import type { Upstream } from '../../server/upstream.js';
import { withTasks } from '../../server/dialect/tasks-extension.js';
import { envelopeOf } from '../../server/dialect/modern/client-envelope.js';
import { isOfNode } from '../../server/client-task-id.js';

/** The member of `clientInfo` in which a cluster node names the principal of a request to another node. */
const MEMBER = 'principal';

/**
 * The principals without credentials, by id. They are sent without roles, so that no principal with credentials can be
 * mistaken for one of them.
 */
const WITHOUT_CREDENTIALS: ReadonlyMap<unknown, Principal> = new Map(
  [ANYBODY, LOCAL].map((principal) => [principal.id, principal]),
);

/**
 * Returns the principal to send to a server. Only other cluster nodes get a principal, and never the principal of the
 * host.
 */
export function sentPrincipal(principal: Principal, upstream: Upstream): Principal | undefined {
  return isOfNode(upstream) && principal !== HOST ? principal : undefined;
}

/** Returns the members of `clientInfo` for a principal. */
export function principalMembers(principal: Principal | undefined): object {
  if (principal === undefined) return {};
  const { id, roles } = principal;
  return { [MEMBER]: WITHOUT_CREDENTIALS.get(id) === principal ? { id } : { id, roles } };
}

/** Returns the principal that a `clientInfo` claims. The claim is not verified. */
export function principalIn(info: unknown): Principal | undefined {
  const reported = isRecord(info) ? info[MEMBER] : undefined;
  if (!isRecord(reported) || typeof reported['id'] !== 'string') return undefined;
  const { id, roles } = reported;
  if (roles === undefined) return WITHOUT_CREDENTIALS.get(id);
  if (!Array.isArray(roles)) return undefined;
  return { id, roles: roles.filter((role) => typeof role === 'string'), rights: [] };
}

/** The member of `clientInfo` in which a cluster node names the tool definition of an approved call. */
const APPROVED = 'approved';

/** Returns the hash of the approved definition to send to a server. Only other cluster nodes get the hash. */
export function sentApproval(
  { approvedFor }: Pick<Exchange, 'approvedFor'>,
  upstream: Upstream,
): string | undefined {
  return isOfNode(upstream) ? approvedFor?.definition : undefined;
}

/** Returns the members of `clientInfo` for an approved definition. */
export function approvedMembers(hash: string | undefined): object {
  return hash === undefined ? {} : { [APPROVED]: hash };
}

/** Returns the approved definition that a `clientInfo` claims. The claim is not verified. */
export function approvedIn(info: unknown): string | undefined {
  const hash = isRecord(info) ? info[APPROVED] : undefined;
  return typeof hash === 'string' ? hash : undefined;
}

/** Returns the `_meta` of one node's request to another about the tasks of a principal. */
export function metaFor(principal: Principal): object {
  const reported = principal === HOST ? undefined : principal;
  return envelopeOf({ name: 'mcpmux', version: '0.0.0', ...principalMembers(reported) }, withTasks({}));
}

/**
 * Returns the principal of a request: the reported principal if another cluster node has sent the request, otherwise
 * the principal of the session.
 */
export function principalOf(
  { principal, view }: Pick<Caller, 'principal' | 'view'>,
  reported: Principal,
): Principal {
  return isOfOtherNode({ principal, view }) ? reported : principal;
}
