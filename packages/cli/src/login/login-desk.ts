import { logIn, type Logger, type LoginStore, messageOf, type Mux, type NeededLogin } from '@mcpmux/core';

import { CallbackListener } from './callback-listener.js';

/** The time within which a person must log in at a page that this machine waits for. */
const PATIENCE_MS = 10 * 60_000;

/** A page on which a person logs in. */
export interface LoginPage {
  readonly url: URL;
  /** The code that the page asks for, or shows; absent if it needs none. */
  readonly code?: string;
}

/** A login that has begun. Both promises reject with the reason why it cannot succeed. */
export interface OpenLogin {
  readonly page: Promise<LoginPage>;
  /** Resolves when the login is saved, and the server has been started again. */
  readonly ended: Promise<void>;
}

/** A server that needs a login. */
export class Need {
  /** The sessions whose user has declined the login. */
  readonly declined = new Set<number>();

  constructor(
    readonly login: NeededLogin,
    /** The login that was stored at that time, as JSON. */
    readonly stored: Promise<string | undefined>,
  ) {}
}

/** The mux whose servers need logins, and the place of the logins. */
interface LoginDeskParts {
  readonly mux: Mux;
  readonly logger: Logger;
  readonly logins: LoginStore;
}

/** Knows which servers need a login, and performs logins: one at a time for each URL. */
export class LoginDesk {
  private readonly needs = new Map<string, Need>();
  private readonly open = new Map<string, OpenLogin>();

  constructor(private readonly parts: LoginDeskParts) {}

  /** A request of this server has failed because its user must log in. */
  note(login: NeededLogin): void {
    const declined = this.needs.get(login.server)?.declined ?? new Set();
    const need = new Need(login, this.stored(login.url));
    for (const session of declined) need.declined.add(session);
    this.needs.set(login.server, need);
  }

  needOf(server: string): Need | undefined {
    return this.needs.get(server);
  }

  /** The server has answered, so it needs no login. */
  forget(server: string): void {
    this.needs.delete(server);
  }

  /** True if the server does not run. */
  isDown(server: string): boolean {
    return this.downServers(server).length > 0;
  }

  /** Resolves with true if the stored login has changed since the need arose. */
  async isMet({ login, stored }: Need): Promise<boolean> {
    return (await stored) !== (await this.stored(login.url));
  }

  /** Returns the login to the URL of a server. Begins it if it has not begun. */
  begin({ login }: Need): OpenLogin {
    const { url, server } = login;
    const begun = this.open.get(url);
    if (begun !== undefined) return begun;
    const { logger } = this.parts;
    let show: (page: LoginPage) => void = () => undefined;
    const shown = new Promise<LoginPage>((resolve) => (show = resolve));
    const ended = this.perform(login, show).finally(() => this.open.delete(url));
    ended.then(
      () => logger.log('info', 'the user has logged in', { server }),
      (error: unknown) => logger.log('warn', 'a login failed', { server, problem: messageOf(error) }),
    );
    const failed = ended.then(() => Promise.reject(new Error('the login ended without a page')));
    const page = Promise.race([shown, failed]);
    page.catch(() => undefined);
    const opened = { page, ended };
    this.open.set(url, opened);
    return opened;
  }

  private async perform(
    { server, url, headers }: NeededLogin,
    show: (page: LoginPage) => void,
  ): Promise<void> {
    const { logins } = this.parts;
    await using listener = await CallbackListener.open();
    const login = await logIn({
      url,
      headers,
      previous: await logins.load(url),
      redirectUrl: listener.url,
      device: ({ code, page, direct }) => show({ url: direct ?? page, code }),
      authorize: (page) => {
        show({ url: page });
        return listener.answer(page.searchParams.get('state') ?? '', PATIENCE_MS);
      },
    });
    await logins.save(url, login);
    this.needs.delete(server);
    await this.restart(server);
  }

  /** Starts the server again wherever it does not run. Its failure is in its status. */
  private async restart(server: string): Promise<void> {
    const { mux } = this.parts;
    const started = this.downServers(server).map(({ layer }) => mux.reloadServer(server, { layer }));
    await Promise.allSettled(started);
  }

  private downServers(name: string) {
    const all = this.parts.mux.listServers({ everywhere: true });
    return all.filter((server) => server.name === name && server.status === 'crashed');
  }

  private async stored(url: string): Promise<string | undefined> {
    const login = await this.parts.logins.load(url).catch(() => undefined);
    return login && JSON.stringify(login);
  }
}
