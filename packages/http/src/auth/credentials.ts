import type { Principal } from '@mcpmux/core';

/** Maps an `Authorization` header to a principal. */
export interface Credentials {
  /** Returns undefined if the header identifies no principal. Never rejects. */
  principalOf(authorization: string | undefined): Principal | undefined | Promise<Principal | undefined>;
}

/** Combines several `Credentials` into one that tries each in turn until one identifies a principal. */
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

/** Returns a key that is equal for principals with the same id, roles and rights. Others never share a session. */
export function principalKey({ id, roles, rights }: Principal): string {
  return JSON.stringify([id, roles, rights]);
}
