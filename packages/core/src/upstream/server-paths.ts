import { keyPaths } from '../wire/key-paths.js';
import { RELATED_TASK } from '../wire/related-task.js';

/** What of a server's messages mcpmux reads, below `params`. */
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
