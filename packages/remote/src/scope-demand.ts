import { scopesIn, scopeText } from './scopes.js';
import type { StoredLogin } from './stored-login.js';

/** The meaning of a refusal for a missing scope: another login helps, nothing helps, or the token was an old one. */
export type ScopeDemand =
  | { readonly kind: 'changed' }
  | { readonly kind: 'vain'; readonly problem: string; readonly advice: string }
  | { readonly kind: 'login'; readonly wanted: string | undefined; readonly why: string };

const ALREADY = 'Another login will not help. Ask the user to have the operator of the server allow this.';
const UNNAMED = 'Ask the user to find out which scopes the server needs, and to log in with --scopes.';

/**
 * A login asks for each scope once: a server that goes on refusing does not make people log in again and again.
 *
 * @param login - as stored now
 * @param used - the access token that was refused
 * @param challenge - the scopes that the server has named
 */
export function scopeDemand(
  login: StoredLogin,
  used: string | undefined,
  challenge: string | undefined,
): ScopeDemand {
  if (login.tokens.access_token !== used) return { kind: 'changed' };
  const scopes = scopesIn(challenge);
  if (scopes.length === 0)
    return { kind: 'vain', problem: 'refuses this for its scope, and names none', advice: UNNAMED };
  const named = `the scope${scopes.length === 1 ? '' : 's'} "${scopes.join(' ')}"`;
  const had = scopesIn(login.asked, login.tokens.scope);
  if (scopes.every((scope) => had.includes(scope)))
    return {
      kind: 'vain',
      problem: `refuses this, and the login has already asked for ${named}`,
      advice: ALREADY,
    };
  return { kind: 'login', wanted: scopeText(scopesIn(login.wanted, ...scopes)), why: `this needs ${named}` };
}
