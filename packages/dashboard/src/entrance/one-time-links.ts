import { createHash, randomBytes } from 'node:crypto';

/** The rights of a page's user. */
export interface PageRights {
  /** False if the page may only read. */
  readonly mayManage: boolean;
}

/** How long a link stays valid, in milliseconds. */
export const LINK_LIFETIME_MS = 120_000;
/** The maximum number of unused links. When it is exceeded, the oldest link becomes invalid. */
const MAX_LINKS = 16;

interface StoredLink {
  readonly rights: PageRights;
  readonly expiresAt: number;
  readonly onUsed: (() => void) | undefined;
}

/** Tokens that each open the page once. Only their hashes are stored. */
export class OneTimeLinks {
  private readonly links = new Map<string, StoredLink>();

  /** @param now returns the time in milliseconds since 1970 */
  constructor(private readonly now: () => number) {}

  /**
   * Creates a token.
   *
   * @param onUsed called when the token is redeemed, even if it has expired
   */
  issue(rights: PageRights, onUsed?: () => void): string {
    const token = randomBytes(32).toString('base64url');
    this.links.set(secretHash(token), { rights, expiresAt: this.now() + LINK_LIFETIME_MS, onUsed });
    const [oldest] = this.links.keys();
    if (this.links.size > MAX_LINKS && oldest !== undefined) this.links.delete(oldest);
    return token;
  }

  /** Invalidates a token and returns its rights. Returns undefined if it was used, has expired or was never issued. */
  redeem(token: string): PageRights | undefined {
    const hash = secretHash(token);
    const link = this.links.get(hash);
    this.links.delete(hash);
    link?.onUsed?.();
    return link !== undefined && this.now() < link.expiresAt ? link.rights : undefined;
  }
}

/** Returns the hash under which one of the page's secrets is stored. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
