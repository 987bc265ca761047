import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { secretHash, type PageRights } from './one-time-links.js';

/** How long a session may be unused before it ends, in milliseconds. */
export const SESSION_IDLE_MS = 12 * 60 * 60 * 1000;
/** The maximum number of sessions. When it is exceeded, the oldest session ends. */
export const MAX_SESSIONS = 32;

/** A browser's two secrets. Programs on other ports of this machine can receive the cookie, but not the key. */
export interface PageSecrets {
  /** The cookie's value, which scripts cannot read. */
  readonly cookie: string;
  /** The key that the page sends in a header. The browser stores it for this origin only. */
  readonly key: string;
}

/** The sessions of browsers that have opened the page, by the hashes of their cookies. */
export class PageSessions {
  private readonly sessions = new Map<string, { readonly session: PageSession; expires: number }>();

  /** @param now returns the time in milliseconds since 1970 */
  constructor(private readonly now: () => number) {}

  openSession(rights: PageRights): PageSecrets {
    const [cookie, key] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64url'));
    const secrets = { cookie: cookie ?? '', key: key ?? '' };
    const session = new PageSession(rights, secretHash(secrets.key));
    this.sessions.set(secretHash(secrets.cookie), { session, expires: this.now() + SESSION_IDLE_MS });
    const [oldest] = this.sessions.keys();
    if (this.sessions.size > MAX_SESSIONS && oldest !== undefined) this.endSession(oldest);
    return secrets;
  }

  /** Returns a browser's session, or undefined if the two secrets do not belong to the same session. */
  findSession({ cookie, key }: PageSecrets): PageSession | undefined {
    const hash = secretHash(cookie);
    const storedSession = this.sessions.get(hash);
    if (storedSession === undefined || !storedSession.session.matchesKeyHash(secretHash(key)))
      return undefined;
    if (this.now() >= storedSession.expires) {
      this.endSession(hash);
      return undefined;
    }
    storedSession.expires = this.now() + SESSION_IDLE_MS;
    return storedSession.session;
  }

  closeSession(cookie: string): void {
    this.endSession(secretHash(cookie));
  }

  private endSession(hash: string): void {
    this.sessions.get(hash)?.session.end();
    this.sessions.delete(hash);
  }
}

/** A browser's session and its incomplete responses. */
class PageSession {
  private readonly responses = new Set<ServerResponse>();

  constructor(
    readonly rights: PageRights,
    private readonly keyHash: string,
  ) {}

  matchesKeyHash(keyHash: string): boolean {
    return keyHash === this.keyHash;
  }

  /** Makes the end of the session destroy the response, unless the response has ended by then. */
  destroyAtEnd(response: ServerResponse): void {
    this.responses.add(response);
    response.once('close', () => this.responses.delete(response));
  }

  /** Ends the session's streams and its requests in flight, on all of its pages. */
  end(): void {
    for (const response of this.responses) response.destroy();
  }
}
