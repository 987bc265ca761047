import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/** Whether a body opens a session. */
export function isInitialize(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'initialize';
}

/** Whether a body asks for something, and does not only answer or tell. */
export function asks(body: unknown): boolean {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.some(
    (message) => typeof message === 'object' && message !== null && 'method' in message && 'id' in message,
  );
}

/** Ids of the requests in a body; responses have one too, but of what they answer. */
export function requestIds(body: unknown): readonly RequestId[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    if (typeof message !== 'object' || message === null) return [];
    if (!('method' in message) || !('id' in message)) return [];
    return typeof message.id === 'string' || typeof message.id === 'number' ? [message.id] : [];
  });
}
