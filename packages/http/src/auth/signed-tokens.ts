import { type Logger, type Principal, messageOf } from '@mcpmux/core';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';

import type { Credentials } from './credentials.js';

/** Which tokens are accepted, and how their claims are read. */
export interface JwtOptions {
  /** The URL of the authorization server's public keys (JWKS). */
  readonly jwksUrl: string;
  /** The required value of the claim `iss`. */
  readonly issuer: string;
  /** A value that the claim `aud` must contain. The value identifies this mcpmux and no other service. */
  readonly audience: string;
  /** The claim that lists the roles; `roles` when absent. */
  readonly rolesClaim?: string | undefined;
  /** Roles that grant the right `manage`. */
  readonly manageRoles?: readonly string[] | undefined;
}

/** Asymmetric algorithms only: the public key does not reveal the private key. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 30;
const KEYS_TIMEOUT_MS = 5000;
const MAX_TOKEN_LENGTH = 8192;
const JWT = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Access tokens (JWT) signed by an authorization server, verified with the keys that the server publishes (JWKS). */
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
      // jose's error messages name claims and never contain the token.
      const problem = messageOf(error);
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
    // The prefix keeps the id apart from the principals of tokens in the config.
    id: `jwt:${payload.sub}`,
    roles,
    rights: roles.some((role) => manageRoles.includes(role)) ? ['manage'] : [],
  };
}

/** The names in a list or in a space-separated string, the format of scopes. */
function namesIn(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((name) => name !== '');
  return Array.isArray(claim) ? claim.filter((name): name is string => typeof name === 'string') : [];
}
