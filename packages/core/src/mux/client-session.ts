import type { Channel } from '@mcpmux/wire';

import type { Principal } from '../guards/principal.js';
import type { SessionLayers } from '../server/registry/layers.js';
import { addedServers, restoreServer, type AddedServer } from './added-servers.js';

/** A connected client. */
export interface ClientSession {
  /** The session's number, as in audit records. */
  readonly session: number;
  /** Resolves once the session has ended, whichever side ended it. Nothing is sent to the client after that. */
  readonly closed: Promise<void>;
  /** The servers that a later mux must restore for this client. Changes with `server:added` and `server:removed`. */
  readonly added: readonly AddedServer[];
  /** Answers the requests in flight with an error, sends the queued messages, and ends the session. */
  close(): Promise<void>;
  /**
   * Ends the session because its servers are being stopped, so the client gets no list changes. Requests in flight may
   * finish within `limits.drainMs`.
   */
  leave(): Promise<void>;
  /**
   * Adds a server that the client had added to an earlier mux, without applying the policy or asking the user again.
   *
   * @throws NamespaceError for an illegal name
   * @throws MuxError SERVER_EXISTS, INVALID_CONFIG, CLOSED
   */
  restore(server: AddedServer): void;
  /** Sends the host's own line, newline included, between two messages. Only for clients that expect such lines. */
  sendLine(line: Buffer): void;
}

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
