/** Identity of the client of a session, as established by the front. */
export interface Principal {
  /** Name used in logs and errors. Must not be a secret. */
  readonly id: string;
  /** Roles that access rules refer to. */
  readonly roles: readonly string[];
  /** Permissions on mcpmux itself: `manage` permits to add, remove and reload servers where the policy denies that to
   * others. */
  readonly rights: readonly string[];
}

/** Principal of unauthenticated clients: the client on stdio, and all clients of a front that requires no token. */
export const LOCAL: Principal = Object.freeze({ id: 'local', roles: [], rights: [] });

/** Principal of the host's own process, and of commands of the user who runs it. */
export const HOST: Principal = Object.freeze({ id: 'host', roles: [], rights: [] });
