import { SHARED } from './scope.js';
import type { Upstream } from './upstream.js';

/** Whether clients have one run of a server between them, or each session one of its own. */
export type IsolationMode = 'shared' | 'session';

/**
 * Whether a registered server only says what each session gets a server of its own from: it never runs itself, and no
 * session sees it.
 */
export function isPerSession({ config, scope }: Pick<Upstream, 'config' | 'scope'>): boolean {
  return config.isolation === 'session' && scope === SHARED;
}

/** Whether a server is there for one session, from a registration for all. */
export function isOfSession({ config, scope }: Pick<Upstream, 'config' | 'scope'>): boolean {
  return config.isolation === 'session' && scope !== SHARED;
}
