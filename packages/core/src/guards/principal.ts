/** Identity of a session's client, as established by the frontend. */
export interface Principal {
  /** Name used in logs and errors. Must not be a secret. */
  readonly id: string;
  /** Roles that access rules refer to. */
  readonly roles: readonly string[];
  /**
   * Permissions on mcpmux itself. `manage` permits adding, removing and reloading servers even if the policy denies
   * these actions to other principals.
   */
  readonly rights: readonly string[];
}

/** Principal of the client on stdio, and of each link for which the host does not specify one. */
export const LOCAL: Principal = Object.freeze({ id: 'local', roles: [], rights: [] });

/** Principal of the host's own process, and of commands from the user who runs that process. */
export const HOST: Principal = Object.freeze({ id: 'host', roles: [], rights: [] });

/** Principal of every client of a frontend that requires no credentials. */
export const ANYBODY: Principal = Object.freeze({ id: 'anybody', roles: [], rights: [] });

/**
 * True if the connection comes from another cluster node: only nodes connect as {@link HOST} to a single server.
 *
 * @param view the connection's view
 */
export function isFromOtherNode({
  principal,
  view,
}: {
  readonly principal: Principal;
  readonly view: { readonly server?: string | undefined };
}): boolean {
  return principal === HOST && view.server !== undefined;
}
