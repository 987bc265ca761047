import type { Logger, Principal } from '@mcpmux/core';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';

import type { Credentials } from './credentials.js';

/** Which tokens are accepted, and what their claims mean. */
export interface JwtOptions {
  /** The keys of the authorization server (JWKS). */
  readonly jwksUrl: string;
  /** The claim `iss`. */
  readonly issuer: string;
  /** The claim `aud` holds it: this mcpmux and nobody else. */
  readonly audience: string;
  /** The claim with the roles; `roles` when absent. */
  readonly rolesClaim?: string | undefined;
  /** Roles that give the right to manage. */
  readonly manageRoles?: readonly string[] | undefined;
}

/** Only keys of which the public half says nothing about the private one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 30;
const KEYS_TIMEOUT_MS = 5000;
const MAX_TOKEN_LENGTH = 8192;
const JWT = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Access tokens that an authorization server has signed (JWT), checked with the keys that it publishes (JWKS). */
export class SignedTokens implements Credentials {
  private keys: JWTVerifyGetKey | undefined;

  constructor(
    private readonly settings: JwtOptions,
    private readonly logger: Logger,
  ) {}

  async principalOf(authorization: string | undefined): Promise<Principal | undefined> {
    const token = JWT.exec(authorization ?? '')?.[1];
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) return undefined;
    try {
      return principalIn(await this.verified(token), this.settings);
    } catch (error) {
      // What jose says of a token names claims and never holds it.
      const problem = error instanceof Error ? error.message : String(error);
      this.logger.log('warn', 'a signed token was refused', { problem });
      return undefined;
    }
  }

  private async verified(token: string): Promise<JWTPayload> {
    const { createRemoteJWKSet, jwtVerify } = await import('jose');
    const { jwksUrl, issuer, audience } = this.settings;
    this.keys ??= createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: KEYS_TIMEOUT_MS });
    const { payload } = await jwtVerify(token, this.keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'sub'],
    });
    return payload;
  }
}

function principalIn(payload: JWTPayload, settings: JwtOptions): Principal {
  const { rolesClaim = 'roles', manageRoles = [] } = settings;
  const roles = namesIn(payload[rolesClaim]);
  return {
    // No principal of a token in the config has such a name by chance.
    id: `jwt:${payload.sub}`,
    roles,
    rights: roles.some((role) => manageRoles.includes(role)) ? ['manage'] : [],
  };
}

/** A list, or a text with spaces between, as scopes are written. */
function namesIn(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((name) => name !== '');
  return Array.isArray(claim) ? claim.filter((name): name is string => typeof name === 'string') : [];
}
