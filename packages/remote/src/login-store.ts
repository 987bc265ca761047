import type { Clock } from '@mcpmux/kit';

/**
 * The result of a user's login to a server, as JSON. Store the login unchanged in a place that no other user can read.
 */
export type Login = Readonly<Record<string, unknown>>;

/** A server that refuses requests until its user logs in. */
export interface NeededLogin {
  /** The name of the server. */
  readonly server: string;
  readonly url: string;
  /** The headers of the configuration, which may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Stores the user's logins by server URL. */
export interface LoginStore {
  /** Resolves with the login that a process saved last. Rejects if the login cannot be read. */
  load(url: string): Promise<Login | undefined>;
  save(url: string, login: Login): Promise<void>;
  /**
   * Replaces a saved login with the result of `edit`. No other process can save a login in between. Does nothing
   * without a saved login.
   */
  change(url: string, edit: (login: Login) => Login): Promise<void>;
  /** Called when a server that may use a login is registered, before it starts. */
  used?(): void;
  /** Called when a request of a server has failed because its user must log in. */
  needed?(login: NeededLogin): void;
}

/** The user's login that a session uses. */
export interface SessionLogin {
  readonly store: LoginStore;
  /** A sentence that tells the user what to do if the login is missing or no longer valid. */
  readonly advice: string;
  /** Called when only a login of the user helps. */
  readonly needed?: () => void;
  readonly clock: Clock;
  /** Called when a part of the login could not be saved. */
  readonly warn: (problem: string) => void;
}
