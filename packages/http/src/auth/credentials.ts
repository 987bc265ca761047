import type { Principal } from '@mcpmux/core';

/** Maps an Authorization header to a principal. */
export interface Credentials {
  /** Undefined when the header belongs to no principal. Never rejects. */
  principalOf(authorization: string | undefined): Principal | undefined | Promise<Principal | undefined>;
}

/** Credentials that try several in order; the first one that knows the principal decides. */
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

/** A key that is equal for principals with equal rights. Sessions are never shared across different keys. */
export function principalKey({ id, roles, rights }: Principal): string {
  return JSON.stringify([id, roles, rights]);
}
