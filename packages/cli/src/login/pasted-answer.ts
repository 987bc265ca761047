import type { AuthorizationAnswer } from '@mcpmux/core';

/**
 * Reads the authorization server's answer from a redirect's query.
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
 * Reads the authorization server's answer from text that the user pasted: the browser's address or only its query.
 *
 * @throws Error if the login was refused or the text contains no answer. The message never contains a code.
 */
export function parsePastedAnswer(text: string): AuthorizationAnswer {
  const address = text.trim();
  const url = URL.canParse(address, 'http://127.0.0.1') ? new URL(address, 'http://127.0.0.1') : undefined;
  const query = url?.searchParams;
  if (query !== undefined && (query.has('code') || query.has('error'))) return answerFromQuery(query);
  throw new Error('the pasted text has no code: paste the whole address, which begins with http://127.0.0.1');
}

/** Returns `error` if it has the form of an OAuth error code. Other text is untrusted and must not be displayed. */
function oauthErrorName(error: string | null): string {
  return error !== null && /^[a-z_]{1,40}$/.test(error) ? error : 'without a reason';
}
