import { scopesIn, joinScopes } from './scopes.js';
import type { StoredLogin } from './stored-login.js';

/** The remedy for a missing scope: a retry if the login has changed since the request, another login, or none. */
export type ScopeDemand =
  | { readonly kind: 'changed' }
  | { readonly kind: 'vain'; readonly problem: string; readonly advice: string }
  | { readonly kind: 'login'; readonly wanted: string | undefined; readonly why: string };

const ALREADY_REQUESTED_ADVICE =
  'Another login will not help. Ask the user to have the operator of the server allow this.';
const UNNAMED_ADVICE = 'Ask the user to find out which scopes the server needs, and to log in with --scopes.';

/**
 * Returns the remedy for a missing scope. Each scope is requested only once, so that a server cannot cause repeated
 * logins by rejecting every request.
 *
 * @param login the currently stored login
 * @param used the rejected access token
 * @param challenge the scopes that the server has named
 */
export function scopeDemand(
  login: StoredLogin,
  used: string | undefined,
  challenge: string | undefined,
): ScopeDemand {
  if (login.tokens.access_token !== used) return { kind: 'changed' };
  const scopes = scopesIn(challenge);
  if (scopes.length === 0)
    return { kind: 'vain', problem: 'refuses this for its scope, and names none', advice: UNNAMED_ADVICE };
  const quotedScopes = `the scope${scopes.length === 1 ? '' : 's'} "${scopes.join(' ')}"`;
  const grantedScopes = scopesIn(login.asked, login.tokens.scope);
  if (scopes.every((scope) => grantedScopes.includes(scope)))
    return {
      kind: 'vain',
      problem: `refuses this, and the login has already asked for ${quotedScopes}`,
      advice: ALREADY_REQUESTED_ADVICE,
    };
  return {
    kind: 'login',
    wanted: joinScopes(scopesIn(login.wanted, ...scopes)),
    why: `this needs ${quotedScopes}`,
  };
}
