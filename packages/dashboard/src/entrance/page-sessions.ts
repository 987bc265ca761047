import { randomBytes } from 'node:crypto';

import { hashOf, type PageRights } from './one-time-links.js';

/** A session ends when nobody has used it for so long. */
export const SESSION_IDLE_MS = 12 * 60 * 60 * 1000;
const MAX_SESSIONS = 32;

/** The two secrets of a browser: programs on other ports of this machine get its cookies, but not the key. */
export interface PageSecrets {
  /** The value of the cookie, which scripts cannot read. */
  readonly cookie: string;
  /** Sent in a header. The browser stores it for this origin alone. */
  readonly key: string;
}

interface Session {
  readonly rights: PageRights;
  readonly keyHash: string;
  expires: number;
}

/** The browsers that have opened the page, by the hash of their cookie. */
export class PageSessions {
  private readonly sessions = new Map<string, Session>();

  /** @param now milliseconds since 1970 */
  constructor(private readonly now: () => number) {}

  open(rights: PageRights): PageSecrets {
    const [cookie, key] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64url'));
    const secrets = { cookie: cookie ?? '', key: key ?? '' };
    const keyHash = hashOf(secrets.key);
    this.sessions.set(hashOf(secrets.cookie), { rights, keyHash, expires: this.now() + SESSION_IDLE_MS });
    const [oldest] = this.sessions.keys();
    if (this.sessions.size > MAX_SESSIONS && oldest !== undefined) this.sessions.delete(oldest);
    return secrets;
  }

  /** The rights of a browser; undefined unless both secrets belong to one session. */
  find({ cookie, key }: PageSecrets): PageRights | undefined {
    const hash = hashOf(cookie);
    const session = this.sessions.get(hash);
    if (session === undefined || session.keyHash !== hashOf(key)) return undefined;
    if (this.now() >= session.expires) {
      this.sessions.delete(hash);
      return undefined;
    }
    session.expires = this.now() + SESSION_IDLE_MS;
    return session.rights;
  }

  close(cookie: string): void {
    this.sessions.delete(hashOf(cookie));
  }
}
