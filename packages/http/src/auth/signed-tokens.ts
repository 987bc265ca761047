import { type Clock, type Logger, type Principal, messageOf, systemClock } from '@mcpmux/core';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';

import type { Credentials } from './credentials.js';

/** The rules that tokens and their claims must satisfy. */
export interface JwtOptions {
  /** The URL of the authorization server's public keys (JWKS). */
  readonly jwksUrl: string;
  /** The required value of the `iss` claim. */
  readonly issuer: string;
  /** A value that the `aud` claim must contain. It must identify this mcpmux and no other service. */
  readonly audience: string;
  /** The claim that lists the roles. Defaults to `roles`. */
  readonly rolesClaim?: string | undefined;
  /** The roles that grant the `manage` right. */
  readonly manageRoles?: readonly string[] | undefined;
}

/** Only asymmetric algorithms, so that mcpmux needs no secret key. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 30;
const KEYS_TIMEOUT_MS = 5000;
const MAX_TOKEN_LENGTH = 8192;
/** The minimum time between two logged rejections, so that a client cannot flood the log with invalid tokens. */
const MIN_LOG_INTERVAL_MS = 10_000;
const BEARER_JWT = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Access tokens (JWT) signed by an authorization server, verified with the keys that the server publishes (JWKS). */
export class SignedTokens implements Credentials {
  private keySet: JWTVerifyGetKey | undefined;
  private nextLogAt = 0;
  /** The number of rejections since the last one that was logged. */
  private unloggedRefusals = 0;

  constructor(
    private readonly settings: JwtOptions,
    private readonly logger: Logger,
    private readonly clock: Clock = systemClock,
  ) {}

  async principalOf(authorization: string | undefined): Promise<Principal | undefined> {
    const token = BEARER_JWT.exec(authorization ?? '')?.[1];
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) return undefined;
    try {
      return principalFrom(await this.verify(token), this.settings);
    } catch (error) {
      // jose's error messages name claims and never contain the token.
      this.logRefusal(messageOf(error));
      return undefined;
    }
  }

  /**
   * Logs the first rejection, then at most one every ten seconds, with the number of rejections that were not logged.
   */
  private logRefusal(problem: string): void {
    const now = this.clock.now();
    if (now < this.nextLogAt) {
      this.unloggedRefusals += 1;
      return;
    }
    const { unloggedRefusals: unlogged } = this;
    this.nextLogAt = now + MIN_LOG_INTERVAL_MS;
    this.unloggedRefusals = 0;
    this.logger.log('warn', 'a signed token was refused', { problem, ...(unlogged > 0 && { unlogged }) });
  }

  private async verify(token: string): Promise<JWTPayload> {
    const { createRemoteJWKSet, jwtVerify } = await import('jose');
    const { jwksUrl, issuer, audience } = this.settings;
    this.keySet ??= createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: KEYS_TIMEOUT_MS });
    const { payload } = await jwtVerify(token, this.keySet, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'sub'],
    });
    return payload;
  }
}

function principalFrom(payload: JWTPayload, settings: JwtOptions): Principal {
  const { rolesClaim = 'roles', manageRoles = [] } = settings;
  const roles = namesIn(payload[rolesClaim]);
  return {
    // The prefix distinguishes this id from the ids of principals whose tokens are in the config.
    id: `jwt:${subjectOf(payload)}`,
    roles,
    rights: roles.some((role) => manageRoles.includes(role)) ? ['manage'] : [],
  };
}

/**
 * Returns the subject, which must be a string (RFC 7519 4.1.2). If values of other types were converted to strings,
 * different subjects could become equal.
 */
function subjectOf({ sub }: { readonly sub?: unknown }): string {
  if (typeof sub !== 'string' || sub === '') throw new Error('"sub" claim must be a text that is not empty');
  return sub;
}

/** Returns the names from a list, or from a space-separated string such as a scope. */
function namesIn(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((name) => name !== '');
  return Array.isArray(claim) ? claim.filter((name): name is string => typeof name === 'string') : [];
}
