import { SHARED, Scope } from '../../upstream/config/scope.js';

/** Where a session stands among the scopes. */
export interface SessionScope {
  /** What it sees is what is seen from here: a scope of its own. */
  readonly own: Scope;
  /** Where the servers are that it adds. */
  readonly adds: Scope;
}

/** Who shares with a client what it adds; everybody when nothing is said. */
export interface Isolation {
  /** Those of the same workspace, who see nothing of other workspaces. */
  readonly workspace?: Scope | undefined;
  /** Nobody: it is there for this client alone, until it goes. */
  readonly isAlone?: boolean | undefined;
}

/** The scopes of a session that begins. */
export function sessionScope(sessionId: number, { workspace, isAlone = false }: Isolation): SessionScope {
  const around = workspace ?? SHARED;
  const own = new Scope(`session ${sessionId}`, around);
  return { own, adds: isAlone ? own : around };
}
