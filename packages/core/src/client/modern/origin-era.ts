import { isRecord } from '@mcpmux/kit';
import type { Caller } from '../caller/caller.js';
import { isOfOtherNode } from '../../guards/principal.js';
import type { Era } from '../../server/dialect/era.js';
import type { Upstream } from '../../server/upstream.js';
import { isOfNode } from '../../server/client-task-id.js';

/**
 * The member of `clientInfo` in which one node of a cluster names the era of the client behind a request. Links between
 * nodes are modern, but a server of both eras can ask an earlier client more than it can ask a modern one.
 */
const MEMBER = 'era';

/** Returns the era that a server gets of an earlier client: only another node of the cluster gets it. */
export function sentEra(upstream: Upstream): Era | undefined {
  return isOfNode(upstream) ? 'legacy' : undefined;
}

/** Returns the members of `clientInfo` that name an era. */
export function eraMembers(era: Era | undefined): object {
  return era === undefined ? {} : { [MEMBER]: era };
}

/** Returns the era that a `clientInfo` names. The sender may have made it up. */
export function eraIn(info: unknown): Era | undefined {
  const reported = isRecord(info) ? info[MEMBER] : undefined;
  return reported === 'legacy' ? reported : undefined;
}

/** Returns the era of the client behind a request, if another node of the cluster has sent it. */
export function originEraOf(
  by: Pick<Caller, 'principal' | 'view'>,
  reported: Era | undefined,
): Era | undefined {
  return reported !== undefined && isOfOtherNode(by) ? reported : undefined;
}
