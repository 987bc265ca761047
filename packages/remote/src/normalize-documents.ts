import { isRecord, NO_MASK, parsedJson, redactUrl } from '@mcpmux/kit';

import { statusError } from './describe-problem.js';
import type { Fetch } from './fetch.js';
import { normalizeIssuer } from './issuer.js';
import { parseDetail } from './refusal-detail.js';

type DocumentMembers = Readonly<Record<string, unknown>>;

/**
 * Returns a `fetch` that normalizes the documents of authorization servers for the SDK. Null members are removed, a
 * token without a type becomes a bearer token, members that a registration omits get their requested values, and an
 * issuer without a path loses its trailing slash. Rejects with RemoteError if a token endpoint fails temporarily.
 *
 * @param onIssuer called with the unchanged issuer of each document
 */
export function normalizeDocuments(fetch: Fetch, onIssuer?: (issuer: string) => void): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { status, statusText, headers } = response;
    if (response.body === null) return response;
    const text = await response.text();
    if (init?.method === 'POST' && isTemporaryFailure(status))
      throw statusError(
        redactUrl(String(url)),
        status,
        parseDetail(text, NO_MASK, headers.get('content-type') ?? ''),
      );
    const requestBody = typeof init?.body === 'string' ? parsedJson(init.body) : undefined;
    const body = normalizeText(text, requestBody, onIssuer);
    return new Response(body, { status, statusText, headers });
  };
}

/** True for the status of a temporary failure, which a later request may not encounter. */
function isTemporaryFailure(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

function normalizeText(text: string, requestBody: unknown, onIssuer?: (issuer: string) => void): string {
  const value = parsedJson(text);
  if (!isRecord(value)) return text;
  const members = withoutNulls(value);
  const { issuer } = members;
  if (typeof issuer === 'string') onIssuer?.(issuer);
  return JSON.stringify({
    ...(isRecord(requestBody) && 'client_id' in members && { redirect_uris: requestBody['redirect_uris'] }),
    ...('access_token' in members && { token_type: 'Bearer' }),
    ...members,
    ...(typeof issuer === 'string' && { issuer: normalizeIssuer(issuer) }),
  });
}

function withoutNulls(value: DocumentMembers): DocumentMembers {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}
