/** What a login of the user at a server has given, as JSON: to be kept as it is, where nobody else can read it. */
export type Login = Readonly<Record<string, unknown>>;

/** Where the logins of the user are kept, by the url of the server. */
export interface LoginStore {
  /** The login as it was saved last, by whichever process. Rejects when it cannot be read. */
  load(url: string): Promise<Login | undefined>;
  save(url: string, login: Login): Promise<void>;
}

/** The login of the user that a session uses. */
export interface SessionLogin {
  readonly store: LoginStore;
  /** What to do where there is none, or one that is of no more use; a sentence. */
  readonly advice: string;
}
