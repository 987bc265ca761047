import { keyPaths } from '@mcpmux/wire';
import { ENVELOPE_PATHS } from '../../server/dialect/envelope-keys.js';
import { RELATED_TASK } from '../../server/link/server-paths.js';

/** The members below `params` that mcpmux reads in messages from clients. */
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
  '_meta',
  '_meta.progressToken',
  RELATED_TASK,
  'requestState',
  'inputResponses',
  ...ENVELOPE_PATHS,
]);
