import { notificationLine } from '@mcpmux/wire';

/** The id of the stream for messages that belong to no request. */
export const STANDALONE_STREAM_ID = '_GET_stream';

const LIST_NAMES = ['tools', 'prompts', 'resources'] as const;

/**
 * Returns notifications for a client that asks to resume after events that have been dropped. They may have announced
 * list changes, so the client must read the lists again.
 */
export function lossNotices(streamId: string): readonly Buffer[] {
  const data =
    'The connection was down for too long, and messages were lost. Read lists and resources again.';
  const notice = notificationLine('notifications/message', { level: 'warning', logger: 'mcpmux', data });
  if (streamId !== STANDALONE_STREAM_ID) return [notice];
  return [notice, ...LIST_NAMES.map((list) => notificationLine(`notifications/${list}/list_changed`))];
}
