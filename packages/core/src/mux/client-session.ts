import type { Channel } from '@mcpmux/wire';

import type { Principal } from '../guards/principal.js';
import type { SessionLayers } from '../server/registry/layers.js';
import { addedServers, restoreServer, type AddedServer } from './added-servers.js';

/** A connected client. */
export interface ClientSession {
  /** The session's number, as in audit records. */
  readonly session: number;
  /** Resolves once the client has disconnected or has been disconnected, and nothing more will be sent to it. */
  readonly closed: Promise<void>;
  /**
   * The servers that a later mux must restore for this client. They change with `server:added` and `server:removed`.
   */
  readonly added: readonly AddedServer[];
  /** Ends the session. Requests in flight are answered and queued messages are sent first. */
  close(): Promise<void>;
  /**
   * Ends the session because its servers are stopped. Requests in flight get as much time as the servers do, and no
   * list change is announced.
   */
  leave(): Promise<void>;
  /**
   * Adds a server that the client has added to an earlier mux. The policy is not applied, and the user is not asked
   * again.
   *
   * @throws NamespaceError for an illegal name
   * @throws MuxError SERVER_EXISTS, INVALID_CONFIG, CLOSED
   */
  restore(server: AddedServer): void;
  /** Sends a line of the host, newline included, between two messages, for a client that the host also wrote. */
  sendLine(line: Buffer): void;
}

/** The parts of a {@link ClientSession}. */
interface ClientSessionParts {
  readonly channel: Channel;
  readonly layers: SessionLayers;
  readonly principal: Principal;
  /** The session itself. */
  readonly session: {
    readonly closed: Promise<void>;
    finish(drainMs: number): Promise<void>;
    leave(): Promise<void>;
  };
}

/** Returns the session of a client, as the host uses it. */
export function clientSession({ channel, layers, principal, session }: ClientSessionParts): ClientSession {
  return {
    session: layers.session,
    closed: session.closed,
    get added() {
      return addedServers(layers);
    },
    close: () => session.finish(0),
    leave: () => session.leave(),
    restore: (server) => restoreServer(server, layers, principal.id),
    sendLine: (line) => channel.send(line),
  };
}
