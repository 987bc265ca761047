import type { Clock } from '@mcpmux/kit';

/** The result of a user's login at a server, as JSON. Store the login unchanged, where no other user can read it. */
export type Login = Readonly<Record<string, unknown>>;

/** Stores the user's logins by server url. */
export interface LoginStore {
  /** The login as saved last, by any process. Rejects when the login cannot be read. */
  load(url: string): Promise<Login | undefined>;
  save(url: string, login: Login): Promise<void>;
  /**
   * Replaces a saved login with the result of `edit`. Between the two no process saves another one. Without a saved login
   * nothing happens.
   */
  change(url: string, edit: (login: Login) => Login): Promise<void>;
}

/** The user's login that a session uses. */
export interface SessionLogin {
  readonly store: LoginStore;
  /** A sentence that tells the user what to do when the login is missing or no longer valid. */
  readonly advice: string;
  readonly clock: Clock;
  /** Told when something of the login could not be saved. */
  readonly warn: (problem: string) => void;
}
