import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** What the SDK calls the stream of a session that belongs to no request. */
export const STANDALONE_STREAM = '_GET_stream';

const LISTS = ['tools', 'prompts', 'resources'] as const;

/** What a client is told when it asks for events that are no longer kept: it may have missed changes of the lists. */
export function lossNotice(streamId: string): readonly JSONRPCMessage[] {
  const data =
    'Messages were lost while the connection was down for too long. Read again what must be current.';
  const notice = notification('notifications/message', { level: 'warning', logger: 'mcpmux', data });
  if (streamId !== STANDALONE_STREAM) return [notice];
  return [notice, ...LISTS.map((list) => notification(`notifications/${list}/list_changed`))];
}

function notification(method: string, params?: Record<string, unknown>): JSONRPCMessage {
  return { jsonrpc: '2.0', method, ...(params && { params }) };
}
