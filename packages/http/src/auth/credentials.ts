import type { Principal } from '@mcpmux/core';

/** Everybody, where there are no tokens. */
export const ANYBODY: Principal = Object.freeze({ id: 'anybody', roles: [], rights: [] });

/** Knows who is behind an Authorization header. */
export interface Credentials {
  /** Undefined for nobody. Never rejects. */
  principalOf(authorization: string | undefined): Principal | undefined | Promise<Principal | undefined>;
}

/** Whoever one of these knows; the first of them counts. */
export function anyOf(all: readonly Credentials[]): Credentials {
  return {
    principalOf: async (authorization) => {
      for (const credentials of all) {
        const principal = await credentials.principalOf(authorization);
        if (principal !== undefined) return principal;
      }
      return undefined;
    },
  };
}

/** The same for principals that may do the same: sessions of one are none of the business of another. */
export function principalKey({ id, roles, rights }: Principal): string {
  return JSON.stringify([id, roles, rights]);
}
