import type { Clock } from '@mcpmux/kit';

/** The result of a user's login to a server, as JSON. It must be stored unchanged, where no other user can read it. */
export type Login = Readonly<Record<string, unknown>>;

/** A server that rejects requests until the user logs in. */
export interface NeededLogin {
  /** The server's name. */
  readonly server: string;
  readonly url: string;
  /** The configured headers, which may contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Stores the user's logins by server URL. */
export interface LoginStore {
  /** Resolves to the login that any process saved last. Rejects if the login cannot be read. */
  load(url: string): Promise<Login | undefined>;
  save(url: string, login: Login): Promise<void>;
  /** Replaces the saved login with the result of `edit`. No other process can save a login meanwhile. */
  change(url: string, edit: (login: Login) => Login): Promise<void>;
  /** Called when a server that may use a login is registered, before it starts. */
  used?(): void;
  /** Called when a request to a server has failed because the user must log in. */
  needed?(login: NeededLogin): void;
}

/** The user's login that a session uses. */
export interface SessionLogin {
  readonly store: LoginStore;
  /** The next step for a user whose login is missing or no longer valid, as a sentence. */
  readonly advice: string;
  /** Called when the user must log in. */
  readonly needed?: () => void;
  readonly clock: Clock;
  /** Called when part of the login could not be saved. */
  readonly warn: (problem: string) => void;
}
