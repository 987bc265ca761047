import { type Clock, waitAtMost } from '@mcpmux/kit';
import type { Fetch } from './fetch.js';
import { timeoutError } from './describe-problem.js';

/** How long a server may take to send a document or to accept a login message, in milliseconds. */
export const DOCUMENT_TIMEOUT_MS = 30_000;

/** Returns a `fetch` that reads documents completely. It rejects if a document does not arrive in time. */
export function fetchInTime(fetch: Fetch, clock: Clock): Fetch {
  return async (url, init) => {
    const controller = new AbortController();
    const document = fetchWholeResponse(fetch, url, { ...init, signal: controller.signal });
    if (await waitAtMost(DOCUMENT_TIMEOUT_MS, document, clock)) return document;
    controller.abort();
    throw timeoutError(new URL(url).host, DOCUMENT_TIMEOUT_MS);
  };
}

async function fetchWholeResponse(fetch: Fetch, url: string | URL, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { status, statusText, headers } = response;
  const body = response.body === null ? null : await response.arrayBuffer();
  return new Response(body, { status, statusText, headers });
}
