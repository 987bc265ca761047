/** A valid OAuth 2.1 scope, which is printable ASCII without spaces, quotes and backslashes. */
const SCOPE = /^[!#-[\]-~]{1,200}$/;
/** The maximum number of scopes, which is more than a server needs. */
const MAX_SCOPES = 50;

/** Returns the scopes in values from a server, without duplicates. Text that is not a valid scope is omitted. */
export function scopesIn(...texts: readonly (string | undefined)[]): readonly string[] {
  const scopes = texts.flatMap((text) => text?.split(' ') ?? []).filter((scope) => SCOPE.test(scope));
  return [...new Set(scopes)].slice(0, MAX_SCOPES);
}

/** Returns scopes as one parameter, or undefined if there are none. */
export function scopeText(scopes: readonly string[]): string | undefined {
  return scopes.length === 0 ? undefined : scopes.join(' ');
}

/** True if a server refuses a request because its token has too few scopes (RFC 6750). */
export function isScopeChallenge({ status, headers }: Response): boolean {
  return status === 403 && /\berror="?insufficient_scope\b/i.test(headers.get('www-authenticate') ?? '');
}

/** True if a server refuses a request because its token is no longer valid (RFC 6750). */
export function isInvalidTokenChallenge(headers: Headers): boolean {
  return /\berror="?invalid_token\b/i.test(headers.get('www-authenticate') ?? '');
}
