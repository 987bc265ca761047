import { keyPaths } from '@mcpmux/wire';
import { ENVELOPE_PATHS } from '../../server/dialect/envelope-keys.js';
import { RELATED_TASK } from '../../server/link/server-paths.js';

/** The `_meta` member that describes Codex's sandbox, for servers with an experimental capability of this name. */
export const SANDBOX_STATE = 'codex/sandbox-state-meta';
/** The path of {@link SANDBOX_STATE}. */
export const SANDBOX_STATE_PATH = `_meta.${SANDBOX_STATE}`;

/** The paths in `params` that mcpmux reads in messages from clients. */
export const CLIENT_PARAM_PATHS = keyPaths([
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
  SANDBOX_STATE_PATH,
  RELATED_TASK,
  'requestState',
  'inputResponses',
  ...ENVELOPE_PATHS,
]);
