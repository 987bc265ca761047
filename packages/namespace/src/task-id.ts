import { isServerName, type ServerName } from './server-name.js';

const PREFIX = 'mux1:';

/** The two halves of a task id as clients see it. */
export interface TaskIdParts {
  readonly server: ServerName;
  /** The id that the server gave to the task. Any text. */
  readonly local: string;
}

/**
 * The id under which clients know a server's task: `mux1:{server}:{local}`.
 *
 * Nothing has to be remembered to undo it, so an id that a client kept is good after a restart of mcpmux. The server's
 * name is percent-encoded: it may hold a colon, and the id may travel in an HTTP header.
 */
export function qualifyTaskId(server: ServerName, local: string): string {
  return `${PREFIX}${encodeURIComponent(server)}:${local}`;
}

/** The inverse of {@link qualifyTaskId}; `undefined` for an id that it never made. */
export function splitTaskId(id: string): TaskIdParts | undefined {
  if (!id.startsWith(PREFIX)) return undefined;
  const end = id.indexOf(':', PREFIX.length);
  if (end === -1) return undefined;
  const encoded = id.slice(PREFIX.length, end);
  const server = decoded(encoded);
  if (server === undefined || !isServerName(server) || encodeURIComponent(server) !== encoded)
    return undefined;
  return { server, local: id.slice(end + 1) };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
