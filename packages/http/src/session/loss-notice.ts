import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** The SDK's name for the stream that belongs to no request. */
export const STANDALONE_STREAM = '_GET_stream';

const LISTS = ['tools', 'prompts', 'resources'] as const;

/** The messages for a client that asks for dropped events: it may have missed changes of the lists. */
export function lossNotice(streamId: string): readonly JSONRPCMessage[] {
  const data =
    'The connection was down for too long, and messages were lost. Read lists and resources again.';
  const notice = notification('notifications/message', { level: 'warning', logger: 'mcpmux', data });
  if (streamId !== STANDALONE_STREAM) return [notice];
  return [notice, ...LISTS.map((list) => notification(`notifications/${list}/list_changed`))];
}

function notification(method: string, params?: Record<string, unknown>): JSONRPCMessage {
  return { jsonrpc: '2.0', method, ...(params && { params }) };
}
