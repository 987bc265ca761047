/** A scope as OAuth 2.1 has it: printable ASCII without blanks, quotes and backslashes. */
const SCOPE = /^[!#-[\]-~]{1,200}$/;
/** More scopes than a server has any use for. */
const MAX_SCOPES = 50;

/** The scopes in what a server has sent, each once. Text that can be no scope is left out. */
export function scopesIn(...texts: readonly (string | undefined)[]): readonly string[] {
  const scopes = texts.flatMap((text) => text?.split(' ') ?? []).filter((scope) => SCOPE.test(scope));
  return [...new Set(scopes)].slice(0, MAX_SCOPES);
}

/** Scopes as one parameter; nothing where there are none. */
export function scopeText(scopes: readonly string[]): string | undefined {
  return scopes.length === 0 ? undefined : scopes.join(' ');
}

/** True if a server refuses a request because its token has too few scopes (RFC 6750). */
export function isScopeChallenge({ status, headers }: Response): boolean {
  return status === 403 && /\berror="?insufficient_scope\b/i.test(headers.get('www-authenticate') ?? '');
}

/** True if a server refuses a request because its token is not valid any more (RFC 6750). */
export function isTokenChallenge(headers: Headers): boolean {
  return /\berror="?invalid_token\b/i.test(headers.get('www-authenticate') ?? '');
}
