import { keyPaths } from '@mcpmux/wire';
import { RELATED_TASK } from './related-task.js';

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
