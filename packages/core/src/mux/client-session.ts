import type { Channel } from '@mcpmux/wire';

import type { Principal } from '../guards/principal.js';
import type { SessionLayers } from '../server/registry/layers.js';
import { addedServers, restoreServer, type AddedServer } from './added-servers.js';

/** A connected client. */
export interface ClientSession {
  /** The session's number, as in audit records. */
  readonly session: number;
  /** Resolves once the client or mcpmux has disconnected. Nothing is sent to the client after that. */
  readonly closed: Promise<void>;
  /** The servers that a later mux must restore for this client. Changes with `server:added` and `server:removed`. */
  readonly added: readonly AddedServer[];
  /** Ends the session. Requests in flight are answered and queued messages are sent first. */
  close(): Promise<void>;
  /**
   * Ends the session along with its servers, without announcing list changes. Requests in flight get as much time as
   * when a server is stopped.
   */
  leave(): Promise<void>;
  /**
   * Adds a server that the client had added to an earlier mux, without checking the policy or asking the user again.
   *
   * @throws NamespaceError for an illegal name
   * @throws MuxError SERVER_EXISTS, INVALID_CONFIG, CLOSED
   */
  restore(server: AddedServer): void;
  /**
   * Sends a line from the host, newline included, to the client between two messages. Clients must expect such lines.
   */
  sendLine(line: Buffer): void;
}

/** The objects behind a {@link ClientSession}. */
interface ClientSessionParts {
  readonly channel: Channel;
  readonly layers: SessionLayers;
  readonly principal: Principal;
  readonly session: {
    readonly whenClosed: Promise<void>;
    finish(drainMs: number): Promise<void>;
    leave(): Promise<void>;
  };
}

/** Returns the host's view of a client's session. */
export function clientSession({ channel, layers, principal, session }: ClientSessionParts): ClientSession {
  return {
    session: layers.session,
    closed: session.whenClosed,
    get added() {
      return addedServers(layers);
    },
    close: () => session.finish(0),
    leave: () => session.leave(),
    restore: (server) => restoreServer(server, layers, principal.id),
    sendLine: (line) => channel.send(line),
  };
}
