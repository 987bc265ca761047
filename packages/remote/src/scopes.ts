/** Matches a valid OAuth 2.1 scope of printable ASCII characters without spaces, quotes or backslashes. */
const SCOPE = /^[!#-[\]-~]{1,200}$/;
/** The maximum number of scopes. It exceeds the needs of any server. */
const MAX_SCOPES = 50;

/** Returns the valid scopes from a server's space-separated lists, without duplicates. */
export function scopesIn(...texts: readonly (string | undefined)[]): readonly string[] {
  const scopes = texts.flatMap((text) => text?.split(' ') ?? []).filter((scope) => SCOPE.test(scope));
  return [...new Set(scopes)].slice(0, MAX_SCOPES);
}

/** Joins scopes into one parameter value. Returns undefined if there are none. */
export function joinScopes(scopes: readonly string[]): string | undefined {
  return scopes.length === 0 ? undefined : scopes.join(' ');
}

/** True if a server rejected a request because the token lacks a scope (RFC 6750). */
export function isScopeChallenge({ status, headers }: Response): boolean {
  return status === 403 && /\berror="?insufficient_scope\b/i.test(headers.get('www-authenticate') ?? '');
}

/** True if a server rejected a request because the token is invalid (RFC 6750). */
export function isInvalidTokenChallenge(headers: Headers): boolean {
  return /\berror="?invalid_token\b/i.test(headers.get('www-authenticate') ?? '');
}
