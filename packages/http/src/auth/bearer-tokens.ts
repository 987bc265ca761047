import { createHash, timingSafeEqual } from 'node:crypto';

import type { Principal } from '@mcpmux/core';

/** The minimum length of a token, in characters. A shorter token can be guessed. */
export const MIN_TOKEN_LENGTH = 16;

/** A token's hash, and the principal to which the token belongs. */
interface AcceptedToken {
  readonly hash: Buffer;
  readonly principal: Principal;
}

/** A token in the config, as its hash. */
export interface HashedToken {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly hash: string;
  readonly principal: string;
  readonly roles?: readonly string[] | undefined;
  readonly rights?: readonly string[] | undefined;
}

/** The accepted tokens, stored as hashes. A match takes as long as a mismatch, so that the timing reveals nothing. */
export class BearerTokens {
  private constructor(private readonly acceptedTokens: readonly AcceptedToken[]) {}

  /** @returns the accepted tokens, or the reason why the list is unusable; the reason contains no token */
  static of(tokens: readonly string[]): BearerTokens | { readonly problem: string } {
    if (tokens.length === 0) return { problem: 'it contains no token' };
    if (tokens.some((token) => !/^[\w.~+/=-]+$/.test(token))) {
      return { problem: 'a token has a character that is not allowed in bearer tokens' };
    }
    if (tokens.some(({ length }) => length < MIN_TOKEN_LENGTH)) {
      return { problem: `a token has fewer than ${MIN_TOKEN_LENGTH} characters` };
    }
    return new BearerTokens(
      tokens.map((token, index) => ({
        hash: hashOf(token),
        principal: { id: `token-${index + 1}`, roles: [], rights: [] },
      })),
    );
  }

  /** Creates the accepted tokens from a validated config. */
  static hashed(tokens: readonly HashedToken[]): BearerTokens {
    return new BearerTokens(
      tokens.map(({ hash, principal: id, roles = [], rights = [] }) => ({
        hash: Buffer.from(hash.slice(hash.indexOf(':') + 1), 'hex'),
        principal: { id, roles, rights },
      })),
    );
  }

  /** Returns the principal whose token is in the Authorization header, or undefined if no principal has this token. */
  principalOf(authorization: string | undefined): Principal | undefined {
    const tokenHash = hashOf(/^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '');
    let match: Principal | undefined;
    for (const { hash, principal } of this.acceptedTokens) {
      if (timingSafeEqual(hash, tokenHash)) match = principal;
    }
    return match;
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
