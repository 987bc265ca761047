import { logIn, type Logger, type LoginStore, messageOf, type Mux, type NeededLogin } from '@mcpmux/core';

import { CallbackListener } from './callback-listener.js';

/** How long a person may take to log in. */
const LOGIN_TIMEOUT_MS = 10 * 60_000;

/** The web page on which a person logs in. */
export interface LoginPage {
  readonly url: URL;
  /** The code that the page shows or asks for. Absent if the page needs no code. */
  readonly code?: string;
}

/** A login in progress. Both promises reject with the reason if the login fails. */
export interface ActiveLogin {
  readonly page: Promise<LoginPage>;
  /** Resolves once the login is saved and the server, if it had crashed, has been reloaded. */
  readonly ended: Promise<void>;
}

/** A server's need for a login. */
export class LoginNeed {
  /** The sessions whose users have declined the login. */
  readonly declinedSessions = new Set<number>();

  constructor(
    readonly login: NeededLogin,
    /** The login that was stored when the need arose, as JSON. */
    readonly storedLogin: Promise<string | undefined>,
  ) {}
}

/** Tracks which servers need a login, and performs at most one login per URL at a time. */
export class LoginDesk {
  private readonly needs = new Map<string, LoginNeed>();
  private readonly activeLogins = new Map<string, ActiveLogin>();

  constructor(
    private readonly parts: { readonly mux: Mux; readonly logger: Logger; readonly logins: LoginStore },
  ) {}

  /** Records that a server needs a login. Sessions that have already declined it still count as declined. */
  addNeed(login: NeededLogin): void {
    const declined = this.needs.get(login.server)?.declinedSessions ?? new Set();
    const need = new LoginNeed(login, this.readStoredLogin(login.url));
    for (const session of declined) need.declinedSessions.add(session);
    this.needs.set(login.server, need);
  }

  needOf(server: string): LoginNeed | undefined {
    return this.needs.get(server);
  }

  removeNeed(server: string): void {
    this.needs.delete(server);
  }

  /** True if the server has crashed in any layer. */
  hasCrashed(server: string): boolean {
    return this.crashedServers(server).length > 0;
  }

  /** Resolves to true if the stored login has changed since the need arose. */
  async isNeedMet({ login, storedLogin }: LoginNeed): Promise<boolean> {
    return (await storedLogin) !== (await this.readStoredLogin(login.url));
  }

  /** Returns the login in progress for a server's URL, or starts one. */
  startLogin({ login }: LoginNeed): ActiveLogin {
    const { url, server } = login;
    const existing = this.activeLogins.get(url);
    if (existing !== undefined) return existing;
    const { logger } = this.parts;
    let resolvePage: (page: LoginPage) => void = () => undefined;
    const pageAvailable = new Promise<LoginPage>((resolve) => (resolvePage = resolve));
    const ended = this.performLogin(login, resolvePage).finally(() => this.activeLogins.delete(url));
    ended.then(
      () => logger.log('info', 'the user has logged in', { server }),
      (error: unknown) => logger.log('warn', 'a login failed', { server, problem: messageOf(error) }),
    );
    const endedWithoutPage = ended.then(() => Promise.reject(new Error('the login ended without a page')));
    const page = Promise.race([pageAvailable, endedWithoutPage]);
    page.catch(() => undefined);
    const activeLogin = { page, ended };
    this.activeLogins.set(url, activeLogin);
    return activeLogin;
  }

  private async performLogin(
    { server, url, headers }: NeededLogin,
    resolvePage: (page: LoginPage) => void,
  ): Promise<void> {
    const { logins } = this.parts;
    await using listener = await CallbackListener.open();
    const login = await logIn({
      url,
      headers,
      previous: await logins.load(url),
      redirectUrl: listener.url,
      device: ({ code, page, direct }) => resolvePage({ url: direct ?? page, code }),
      authorize: (page) => {
        resolvePage({ url: page });
        return listener.waitForAnswer(page.searchParams.get('state') ?? '', LOGIN_TIMEOUT_MS);
      },
    });
    await logins.save(url, login);
    this.needs.delete(server);
    await this.restartCrashed(server);
  }

  /** Restarts the server in each layer where it has crashed. Ignores errors, because the server status reports them. */
  private async restartCrashed(server: string): Promise<void> {
    const { mux } = this.parts;
    const reloads = this.crashedServers(server).map(({ layer }) => mux.reloadServer(server, { layer }));
    await Promise.allSettled(reloads);
  }

  private crashedServers(name: string) {
    const all = this.parts.mux.listServers({ everywhere: true });
    return all.filter((server) => server.name === name && server.status === 'crashed');
  }

  private async readStoredLogin(url: string): Promise<string | undefined> {
    const login = await this.parts.logins.load(url).catch(() => undefined);
    return login && JSON.stringify(login);
  }
}
