import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/** Whether a body opens a session. */
export function isInitialize(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'initialize';
}

/** True when a body contains a request. */
export function asks(body: unknown): boolean {
  return requestsIn(body).length > 0;
}

/** The ids of the requests in a body. Ids of responses do not count. */
export function requestIds(body: unknown): readonly RequestId[] {
  return requestsIn(body)
    .map(({ id }) => id)
    .filter((id) => typeof id === 'string' || typeof id === 'number');
}

function requestsIn(body: unknown): readonly { readonly id: unknown }[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.filter(
    (message) => typeof message === 'object' && message !== null && 'method' in message && 'id' in message,
  );
}
