import { isServerName, type ServerName } from './server-name.js';

const PREFIX = 'mux1:';

/** The two parts of a task id as clients see it. */
export interface TaskIdParts {
  readonly server: ServerName;
  /** The id that the server gave to the task. It can be any text. */
  readonly local: string;
}

/**
 * Returns the id of a server's task for clients: `mux1:{server}:{local}`.
 *
 * Splitting it needs no stored state, so an id that a client has stored remains valid after a restart of mcpmux. The
 * server name is percent-encoded, because it may contain a colon and the id may be sent in an HTTP header.
 */
export function qualifyTaskId(server: ServerName, local: string): string {
  return `${PREFIX}${encodeURIComponent(server)}:${local}`;
}

/** The inverse of {@link qualifyTaskId}. Returns `undefined` for an id that {@link qualifyTaskId} did not create. */
export function splitTaskId(id: string): TaskIdParts | undefined {
  if (!id.startsWith(PREFIX)) return undefined;
  const end = id.indexOf(':', PREFIX.length);
  if (end === -1) return undefined;
  const encoded = id.slice(PREFIX.length, end);
  const server = decode(encoded);
  if (server === undefined || !isServerName(server) || encodeURIComponent(server) !== encoded)
    return undefined;
  return { server, local: id.slice(end + 1) };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
