import { keyPaths } from '../wire/key-paths.js';
import { RELATED_TASK } from '../wire/related-task.js';

/** What of a client's messages mcpmux reads, below `params`. */
export const CLIENT_PATHS = keyPaths([
  'name',
  'uri',
  'cursor',
  'requestId',
  'taskId',
  'task',
  'level',
  'ref.name',
  'ref.uri',
  'progressToken',
  '_meta.progressToken',
  RELATED_TASK,
]);
