import type { Clock } from '@mcpmux/kit';

/** The result of a user's login to a server, as JSON. It must be stored unchanged where no other user can read it. */
export type Login = Readonly<Record<string, unknown>>;

/** A server that refuses requests until the user logs in. */
export interface NeededLogin {
  /** The server's name. */
  readonly server: string;
  readonly url: string;
  /** The configured headers, which may contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Stores the user's logins by server URL. */
export interface LoginStore {
  /** Resolves with the login that was saved last by any process. Rejects if the login cannot be read. */
  load(url: string): Promise<Login | undefined>;
  save(url: string, login: Login): Promise<void>;
  /** Replaces the saved login, if any, with the result of `edit`. Meanwhile, no other process can save a login. */
  change(url: string, edit: (login: Login) => Login): Promise<void>;
  /** Called when a server that may use a login is registered, before it starts. */
  used?(): void;
  /** Called when a request to a server has failed because the user must log in. */
  needed?(login: NeededLogin): void;
}

/** The user's login that a session uses. */
export interface SessionLogin {
  readonly store: LoginStore;
  /** The next step, as a sentence, for a user whose login is missing or no longer valid. */
  readonly advice: string;
  /** Called when the user must log in. */
  readonly needed?: () => void;
  readonly clock: Clock;
  /** Called when part of the login could not be saved. */
  readonly warn: (problem: string) => void;
}
