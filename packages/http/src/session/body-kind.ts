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

/** Longest id that mcpmux answers, in bytes of JSON. */
export const MAX_ID_BYTES = 1024;

/** The problem with the id of a request in a body: the answer to it would reach nobody. */
export function idProblem(body: unknown): string | undefined {
  for (const { id } of requestsIn(body)) {
    if (typeof id !== 'string' && !Number.isInteger(id))
      return 'The id of a request must be a string or an integer.';
    if (Buffer.byteLength(JSON.stringify(id)) > MAX_ID_BYTES)
      return `An id is longer than ${MAX_ID_BYTES} bytes.`;
  }
  return undefined;
}

function requestsIn(body: unknown): readonly { readonly id: unknown }[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.filter(
    (message) => typeof message === 'object' && message !== null && 'method' in message && 'id' in message,
  );
}
