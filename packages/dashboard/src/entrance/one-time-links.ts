import { createHash, randomBytes } from 'node:crypto';

/** The rights of the user of a page. */
export interface PageRights {
  /** False: the page shows, and changes nothing. */
  readonly mayManage: boolean;
}

/** How long a link may wait to be opened. */
export const LINK_MS = 120_000;
/** Links that wait at the same time; for one more, the oldest becomes invalid. */
const MAX_LINKS = 16;

interface Link {
  readonly rights: PageRights;
  readonly expires: number;
  readonly used: (() => void) | undefined;
}

/** Tokens that open the page once. Only their hashes are stored. */
export class OneTimeLinks {
  private readonly links = new Map<string, Link>();

  /** @param now milliseconds since 1970 */
  constructor(private readonly now: () => number) {}

  /** @param used called when the token is redeemed */
  issue(rights: PageRights, used?: () => void): string {
    const token = randomBytes(32).toString('base64url');
    this.links.set(hashOf(token), { rights, expires: this.now() + LINK_MS, used });
    const [oldest] = this.links.keys();
    if (this.links.size > MAX_LINKS && oldest !== undefined) this.links.delete(oldest);
    return token;
  }

  /** The rights of a token, which is invalid from now on; undefined for one that was used, is old or was never issued. */
  redeem(token: string): PageRights | undefined {
    const hash = hashOf(token);
    const link = this.links.get(hash);
    this.links.delete(hash);
    link?.used?.();
    return link !== undefined && this.now() < link.expires ? link.rights : undefined;
  }
}

/** The form in which secrets of the page are stored. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
