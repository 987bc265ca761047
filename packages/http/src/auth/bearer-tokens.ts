import { createHash, timingSafeEqual } from 'node:crypto';

import type { Principal } from '@mcpmux/core';

/** A token that is shorter can be guessed. */
export const MIN_TOKEN_LENGTH = 16;

/** The hash of a token, and who has it. */
interface KnownToken {
  readonly hash: Buffer;
  readonly principal: Principal;
}

/** A token as a config names it. */
export interface HashedToken {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly hash: string;
  readonly principal: string;
  readonly roles?: readonly string[] | undefined;
  readonly rights?: readonly string[] | undefined;
}

/** The tokens that are accepted. Only their hashes are kept, and which of them it is takes no less time than that it is none. */
export class BearerTokens {
  private constructor(private readonly known: readonly KnownToken[]) {}

  /** @returns why they cannot be used, in `problem`, which never holds a token */
  static of(tokens: readonly string[]): BearerTokens | { readonly problem: string } {
    if (tokens.length === 0) return { problem: 'there is no token in it' };
    if (tokens.some((token) => !/^[\w.~+/=-]+$/.test(token))) {
      return { problem: 'a token has a character that no bearer token has' };
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

  /** Those of a config, which has been checked. */
  static hashed(tokens: readonly HashedToken[]): BearerTokens {
    return new BearerTokens(
      tokens.map(({ hash, principal: id, roles = [], rights = [] }) => ({
        hash: Buffer.from(hash.slice(hash.indexOf(':') + 1), 'hex'),
        principal: { id, roles, rights },
      })),
    );
  }

  /** Whoever has the token of an Authorization header, or undefined for nobody. */
  principalOf(authorization: string | undefined): Principal | undefined {
    const given = hashOf(/^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '');
    let found: Principal | undefined;
    for (const { hash, principal } of this.known) {
      if (timingSafeEqual(hash, given)) found = principal;
    }
    return found;
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
