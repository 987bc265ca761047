import { LoginGate, type LoginGateOptions } from '@mcpmux/test-servers/login-gate';
import { RemoteServer } from '@mcpmux/test-servers/remote-server';

import { logIn, type AuthorizationAnswer, type Login, type LoginInit, type LoginStore } from '../index.js';

/** Logins that are kept for the time of a test. */
export class MemoryLogins implements LoginStore {
  readonly kept = new Map<string, Login>();

  load(url: string): Promise<Login | undefined> {
    return Promise.resolve(this.kept.get(url));
  }

  save(url: string, login: Login): Promise<void> {
    this.kept.set(url, login);
    return Promise.resolve();
  }

  change(url: string, edit: (login: Login) => Login): Promise<void> {
    const kept = this.kept.get(url);
    return kept === undefined ? Promise.resolve() : this.save(url, edit(kept));
  }

  forget(url: string): Promise<boolean> {
    return Promise.resolve(this.kept.delete(url));
  }
}

/** A server that wants a login. */
export class GuardedServer implements AsyncDisposable {
  private constructor(
    readonly server: RemoteServer,
    readonly gate: LoginGate,
  ) {}

  static async open(options?: LoginGateOptions): Promise<GuardedServer> {
    const server = await RemoteServer.open();
    return new GuardedServer(server, new LoginGate(server, options));
  }

  get url(): string {
    return this.server.url;
  }

  /** Logs in as a browser does that follows where the page leads. `change` is what comes between. */
  logIn(
    init: Partial<LoginInit> = {},
    change: (answer: AuthorizationAnswer) => AuthorizationAnswer = (answer) => answer,
  ): Promise<Login> {
    return logIn({
      url: this.url,
      redirectUrl: new URL('http://127.0.0.1:4711/callback'),
      authorize: async (page) => change(await visited(page)),
      ...init,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

/** The answer of a page whose login asks nothing. */
export async function visited(page: URL): Promise<AuthorizationAnswer> {
  const { headers } = await fetch(page, { redirect: 'manual' });
  const { searchParams } = new URL(headers.get('location') ?? '');
  const named = (name: string): string | undefined => searchParams.get(name) ?? undefined;
  return { code: named('code') ?? '', state: named('state'), iss: named('iss') };
}
