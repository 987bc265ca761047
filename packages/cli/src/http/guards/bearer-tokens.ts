import { createHash, timingSafeEqual } from 'node:crypto';

/** A token that is shorter can be guessed. */
export const MIN_TOKEN_LENGTH = 16;

/** The tokens that are accepted. Only their hashes are kept, and which of them it is takes no less time than that it is none. */
export class BearerTokens {
  private constructor(private readonly hashes: readonly Buffer[]) {}

  /** @returns why they cannot be used, in `problem`, which never holds a token */
  static of(tokens: readonly string[]): BearerTokens | { readonly problem: string } {
    if (tokens.length === 0) return { problem: 'there is no token in it' };
    if (tokens.some((token) => !/^[\w.~+/=-]+$/.test(token))) {
      return { problem: 'a token has a character that no bearer token has' };
    }
    if (tokens.some(({ length }) => length < MIN_TOKEN_LENGTH)) {
      return { problem: `a token has fewer than ${MIN_TOKEN_LENGTH} characters` };
    }
    return new BearerTokens(tokens.map(hashOf));
  }

  /** The principal of an Authorization header: a name for whoever has that token, or undefined for nobody. */
  principalOf(authorization: string | undefined): string | undefined {
    const given = hashOf(/^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '');
    let principal: string | undefined;
    for (const [index, hash] of this.hashes.entries()) {
      if (timingSafeEqual(hash, given)) principal = `token-${index + 1}`;
    }
    return principal;
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
