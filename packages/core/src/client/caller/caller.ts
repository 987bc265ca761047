import type { OutgoingLine, RpcError } from '@mcpmux/wire';
import type { Principal } from '../../guards/principal.js';
import type { Registry } from '../../server/registry/registry.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { Era } from '../../server/dialect/era.js';
import type { Connection } from '../../server/link/connection.js';
import type { ListKind } from '../../server/lists/list-kind.js';
import type { ServerRequests } from '../asks/server-requests.js';
import type { CallerView, NameSources } from './caller-view.js';
import type { ProtocolLogLevel } from './log-level.js';
import type { CallingClient } from './own-tool-handler.js';

/** The sender of a request: its description, its view of the servers, and the channel back to it. */
export interface Caller {
  /** The number of the client within one mux, starting at 1. */
  readonly session: number;
  /**
   * Identifies the client, so that one client cannot delay another's requests: its connection or, if it has none, the
   * message itself.
   */
  readonly client: object;
  /** False if the client accepts only lines that belong to its request. */
  readonly isPersistent: boolean;
  readonly principal: Principal;
  /** The era of the caller's request. */
  readonly era: Era;
  /** The era of the client. It may differ from `era` if another cluster node has forwarded the request. */
  readonly clientEra: Era;
  /** The hash of the tool definition for which, according to another cluster node, the call was approved. */
  readonly approvedDefinitionHash?: string | undefined;
  /** The registry that, together with its parents, determines the caller's servers. */
  readonly layer: Registry;
  /** The servers that are visible to the caller. */
  readonly view: CallerView;
  /** The servers and names of {@link layer}, before guards hide entries. */
  readonly allSources: NameSources;
  /** The client's description of itself; undefined until it has sent one. */
  readonly profile: ClientProfile | undefined;
  /** The log level that the client has requested; undefined if it has not requested one. */
  readonly logLevel: ProtocolLogLevel | undefined;
  /** Sends questions to the client; undefined for a client that accepts no requests. */
  readonly serverRequests?: Pick<ServerRequests, 'pendingCount' | 'askResultQuestion'> | undefined;
  /** Returns the value of the header that mirrors a tool parameter; absent if headers are not checked. */
  readonly parameter?: ((name: string) => string | undefined) | undefined;
  /** Returns the error for a call whose headers contradict the arguments that the tool's definition maps to headers. */
  callProblem?(line: Buffer, definition: Buffer): RpcError | undefined;
  /** The client, as mcpmux's own tools see it. */
  readonly toolClient: CallingClient;
  /**
   * Sends a line that is not a response.
   *
   * @param from the connection that the line came from; it is paused while the client cannot take more data
   * @param isShared true if other clients also receive lines from that server
   */
  send(line: OutgoingLine, from?: Connection, isShared?: boolean): void;
  /**
   * Resolves when the client's first tool-list request can be answered; undefined if it can be answered now.
   *
   * @param caller the caller of the request, if it is not this one
   */
  whenToolsReady(caller?: Caller): Promise<unknown> | undefined;
  /** Records that the client got the first page of a list. */
  recordListRead(kind: ListKind): void;
  /** Notifies the client of changed lists. Resolves when the client has requested them or no request is expected. */
  announceListChanges(): Promise<void>;
  /** Records the client's description of itself. */
  setProfile(profile: ClientProfile): void;
  setLogLevel(level: ProtocolLogLevel): void;
  /** Enables log messages of at least this level for the client while its request is in flight. */
  addRequestLogLevel(level: ProtocolLogLevel): void;
  /** Makes this client the primary, whose capabilities mcpmux declares to servers that start later. */
  setPrimary(): void;
}

/**
 * The part of a caller that comes from its connection or, without a connection, from the message itself. The request
 * supplies the other properties.
 */
export type RequestOrigin = Pick<
  Caller,
  | 'session'
  | 'client'
  | 'isPersistent'
  | 'principal'
  | 'layer'
  | 'view'
  | 'allSources'
  | 'parameter'
  | 'toolClient'
  | 'send'
  | 'whenToolsReady'
  | 'addRequestLogLevel'
>;
