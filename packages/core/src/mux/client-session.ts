import type { Channel } from '@mcpmux/wire';

import type { Principal } from '../guards/principal.js';
import type { SessionLayers } from '../server/registry/layers.js';
import { addedServers, restoreServer, type AddedServer } from './added-servers.js';

/** A connected client. */
export interface ClientSession {
  /** Its number, as in records of the audit. */
  readonly session: number;
  /** Resolves when the client has disconnected or was disconnected, and nothing more will be sent to it. */
  readonly closed: Promise<void>;
  /** The servers that a later mux is to have when this client comes to it. Changes come with `server:added` and `server:removed`. */
  readonly added: readonly AddedServer[];
  /** Ends the session. Requests in flight are answered and queued messages are sent first. */
  close(): Promise<void>;
  /** Ends the session because its servers go: requests in flight get as long as the servers do, and no list is announced. */
  leave(): Promise<void>;
  /**
   * Adds a server that the client has added to an earlier mux. No policy decides, and no user is asked again.
   *
   * @throws NamespaceError for an illegal name
   * @throws MuxError SERVER_EXISTS, INVALID_CONFIG, CLOSED
   */
  restore(server: AddedServer): void;
  /** Sends a line of the host, newline included, between two messages: for a client that the host has written too. */
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

/** The session of a client, for the host. */
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
