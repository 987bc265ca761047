import { isRecord } from '@mcpmux/kit';
import type { Caller } from '../caller/caller.js';
import type { Exchange } from '../request/exchange.js';
import { ANYBODY, HOST, isFromOtherNode, LOCAL, type Principal } from '../../guards/principal.js';
import type { Upstream } from '../../server/upstream.js';
import { withTasks } from '../../server/dialect/tasks-extension.js';
import { clientEnvelope } from '../../server/dialect/modern/client-envelope.js';
import { isRunByOtherNode } from '../../server/client-task-id.js';

/** The member of `clientInfo` in which a cluster node names the principal of a request to another node. */
const PRINCIPAL_MEMBER = 'principal';

/**
 * The principals without credentials, by id. They are sent without roles, which distinguishes them from principals with
 * credentials and the same id.
 */
const PRINCIPALS_WITHOUT_CREDENTIALS: ReadonlyMap<unknown, Principal> = new Map(
  [ANYBODY, LOCAL].map((principal) => [principal.id, principal]),
);

/** Returns the principal to send to a server if another cluster node runs it. The host's principal is never sent. */
export function principalToSend(principal: Principal, upstream: Upstream): Principal | undefined {
  return isRunByOtherNode(upstream) && principal !== HOST ? principal : undefined;
}

/** Returns the `clientInfo` members that name a principal. */
export function principalMembers(principal: Principal | undefined): object {
  if (principal === undefined) return {};
  const { id, roles } = principal;
  return {
    [PRINCIPAL_MEMBER]: PRINCIPALS_WITHOUT_CREDENTIALS.get(id) === principal ? { id } : { id, roles },
  };
}

/** Returns the principal that a `clientInfo` claims. The claim is not verified. */
export function principalIn(info: unknown): Principal | undefined {
  const claim = isRecord(info) ? info[PRINCIPAL_MEMBER] : undefined;
  if (!isRecord(claim) || typeof claim['id'] !== 'string') return undefined;
  const { id, roles } = claim;
  if (roles === undefined) return PRINCIPALS_WITHOUT_CREDENTIALS.get(id);
  if (!Array.isArray(roles)) return undefined;
  return { id, roles: roles.filter((role) => typeof role === 'string'), rights: [] };
}

/** The member of `clientInfo` in which a cluster node names the tool definition of an approved call. */
const APPROVED_MEMBER = 'approved';

/** Returns the hash of the approved definition to send to a server if another cluster node runs it. */
export function approvedHashToSend(
  { approvedFor }: Pick<Exchange, 'approvedFor'>,
  upstream: Upstream,
): string | undefined {
  return isRunByOtherNode(upstream) ? approvedFor?.definition : undefined;
}

/** Returns the `clientInfo` members that carry an approved definition's hash. */
export function approvedMembers(hash: string | undefined): object {
  return hash === undefined ? {} : { [APPROVED_MEMBER]: hash };
}

/** Returns the hash of the approved definition that a `clientInfo` claims. The claim is not verified. */
export function approvedHashIn(info: unknown): string | undefined {
  const hash = isRecord(info) ? info[APPROVED_MEMBER] : undefined;
  return typeof hash === 'string' ? hash : undefined;
}

/** Returns the `_meta` for a request to another node about a principal's tasks. */
export function taskRequestMeta(principal: Principal): object {
  const namedPrincipal = principal === HOST ? undefined : principal;
  return clientEnvelope(
    { name: 'mcpmux', version: '0.0.0', ...principalMembers(namedPrincipal) },
    withTasks({}),
  );
}

/** Returns a request's principal: the sent one if it comes from another cluster node, otherwise the session's. */
export function principalOf(
  { principal, view }: Pick<Caller, 'principal' | 'view'>,
  sentPrincipal: Principal,
): Principal {
  return isFromOtherNode({ principal, view }) ? sentPrincipal : principal;
}
