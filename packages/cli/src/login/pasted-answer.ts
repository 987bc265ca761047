import type { AuthorizationAnswer } from '@mcpmux/core';

/**
 * Returns the authorization server's answer from the query of a redirect.
 *
 * @throws Error if the login was refused or the query contains no answer
 */
export function answerFromQuery(query: URLSearchParams): AuthorizationAnswer {
  const [code, refusal] = [query.get('code'), query.get('error')];
  if (code !== null) {
    return { code, state: query.get('state') ?? undefined, iss: query.get('iss') ?? undefined };
  }
  throw new Error(`the login was refused (${oauthErrorName(refusal)})`);
}

/**
 * Returns the authorization server's answer from pasted text, which is the browser's address or only its query.
 *
 * @throws Error with a message that contains no part of the text
 */
export function parsePastedAnswer(text: string): AuthorizationAnswer {
  const address = text.trim();
  const url = URL.canParse(address, 'http://127.0.0.1') ? new URL(address, 'http://127.0.0.1') : undefined;
  const query = url?.searchParams;
  if (query !== undefined && (query.has('code') || query.has('error'))) return answerFromQuery(query);
  throw new Error('the pasted text has no code: paste the whole address, which begins with http://127.0.0.1');
}

/** Returns an OAuth error code. Replaces any other text, because untrusted text must not be displayed. */
function oauthErrorName(error: string | null): string {
  return error !== null && /^[a-z_]{1,40}$/.test(error) ? error : 'without a reason';
}
