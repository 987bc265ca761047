import { keyPaths } from '@mcpmux/wire';

/**
 * The path below `params` or `result` to the id of the task that a message belongs to (tasks of the 2025-11-25
 * revision).
 */
export const RELATED_TASK = ['_meta', 'io.modelcontextprotocol/related-task', 'taskId'] as const;

/** The path under which a reader finds {@link RELATED_TASK}. */
export const RELATED_TASK_PATH = RELATED_TASK.join('.');

/** The members below `params` that mcpmux reads in messages from servers. */
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
