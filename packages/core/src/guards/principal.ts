/** Whoever is behind a session: what a front has found out about its client. */
export interface Principal {
  /** A name that stands in logs and errors: never a secret. */
  readonly id: string;
  /** What access rules are written for. */
  readonly roles: readonly string[];
  /** What it may do to mcpmux itself: `manage` lets it add servers where the policy denies that to others. */
  readonly rights: readonly string[];
}

/** Whoever comes without a name: the client on stdio, everybody where a front asks for no token. */
export const LOCAL: Principal = Object.freeze({ id: 'local', roles: [], rights: [] });

/** The host's own process, and commands of the user who runs it. */
export const HOST: Principal = Object.freeze({ id: 'host', roles: [], rights: [] });
