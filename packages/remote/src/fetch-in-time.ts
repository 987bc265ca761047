import { type Clock, waitAtMost } from '@mcpmux/kit';
import type { Fetch } from './fetch.js';
import { silence } from './describe-problem.js';

/** The time that a server has to send a document, or to accept a login message, in milliseconds. */
export const PATIENCE_MS = 30_000;

/** Returns a `fetch` that reads small documents completely, and rejects if a document does not arrive in time. */
export function fetchInTime(fetch: Fetch, clock: Clock): Fetch {
  return async (url, init) => {
    const late = new AbortController();
    const whole = readWhole(fetch, url, { ...init, signal: late.signal });
    if (await waitAtMost(PATIENCE_MS, whole, clock)) return whole;
    late.abort();
    throw silence(new URL(url).host, PATIENCE_MS);
  };
}

async function readWhole(fetch: Fetch, url: string | URL, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { status, statusText, headers } = response;
  const body = response.body === null ? null : await response.arrayBuffer();
  return new Response(body, { status, statusText, headers });
}
