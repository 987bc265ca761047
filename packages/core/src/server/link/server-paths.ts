import { keyPaths } from '@mcpmux/wire';

/** The path to the id of a message's task, below `params` or `result` (tasks of the 2025-11-25 revision). */
export const RELATED_TASK = ['_meta', 'io.modelcontextprotocol/related-task', 'taskId'] as const;

/** {@link RELATED_TASK} joined with dots, as message readers name the path. */
export const RELATED_TASK_PATH = RELATED_TASK.join('.');

/** The members below `params` that mcpmux reads in messages from servers. */
export const SERVER_MESSAGE_PATHS = keyPaths([
  'progressToken',
  'requestId',
  'uri',
  'taskId',
  'elicitationId',
  'level',
  'logger',
  'message',
  'mode',
  'maxTokens',
  'includeContext',
  'tools',
  'toolChoice',
  'task',
  '_meta',
  '_meta.progressToken',
  RELATED_TASK,
]);
