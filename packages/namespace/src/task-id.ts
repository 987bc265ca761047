import { isServerName, type ServerName } from './server-name.js';

const TASK_ID_PREFIX = 'mux1:';

/** The two parts of a task id that clients see. */
export interface TaskIdParts {
  readonly server: ServerName;
  /** The server's own id for the task. It can be any text. */
  readonly local: string;
}

/**
 * Returns the id of a server's task for clients: `mux1:{server}:{local}`.
 *
 * Splitting it needs no stored state, so an id that a client has stored remains valid after a restart of mcpmux. The
 * server name is percent-encoded, because it may contain a colon and the id may be sent in an HTTP header.
 */
export function qualifyTaskId(server: ServerName, local: string): string {
  return `${TASK_ID_PREFIX}${encodeURIComponent(server)}:${local}`;
}

/** The inverse of {@link qualifyTaskId}. Returns `undefined` for any id not created by it. */
export function splitTaskId(id: string): TaskIdParts | undefined {
  if (!id.startsWith(TASK_ID_PREFIX)) return undefined;
  const end = id.indexOf(':', TASK_ID_PREFIX.length);
  if (end === -1) return undefined;
  const encoded = id.slice(TASK_ID_PREFIX.length, end);
  const server = decodeOrUndefined(encoded);
  if (server === undefined || !isServerName(server) || encodeURIComponent(server) !== encoded)
    return undefined;
  return { server, local: id.slice(end + 1) };
}

function decodeOrUndefined(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
