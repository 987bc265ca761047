import { keyPaths } from '@mcpmux/wire';

/** Where the id of the task stands that a message belongs to (tasks of the 2025-11-25 revision), below `params` or `result`. */
export const RELATED_TASK = ['_meta', 'io.modelcontextprotocol/related-task', 'taskId'] as const;

/** {@link RELATED_TASK} as the path under which a reader finds it. */
export const RELATED_TASK_PATH = RELATED_TASK.join('.');

/** The members below `params` that mcpmux reads in messages of servers. */
export const SERVER_PATHS = keyPaths([
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
