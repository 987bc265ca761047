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
  /** The client's number within one mux, starting at 1. */
  readonly session: number;
  /**
   * The key for sharing capacity fairly, so that one client cannot delay another's requests: the client's connection
   * or, without a connection, the message itself.
   */
  readonly client: object;
  /** False if the client can receive only lines that belong to its current request. */
  readonly isPersistent: boolean;
  readonly principal: Principal;
  /** The era of the caller's request. */
  readonly era: Era;
  /** The client's own era. It may differ from `era` if another cluster node has forwarded the request. */
  readonly clientEra: Era;
  /** The hash of the approved tool definition, if another cluster node has reported the call as approved. */
  readonly approvedDefinitionHash?: string | undefined;
  /** The registry that, together with its parents, determines the caller's servers. */
  readonly layer: Registry;
  readonly view: CallerView;
  /** The servers and names of {@link layer}, including those that guards hide. */
  readonly allSources: NameSources;
  /** The client's description of itself; undefined until it has sent one. */
  readonly profile: ClientProfile | undefined;
  /** The log level that the client has requested; undefined if it has not requested one. */
  readonly logLevel: ProtocolLogLevel | undefined;
  /** Sends questions to the client; undefined for a client that accepts no requests. */
  readonly serverRequests?: Pick<ServerRequests, 'pendingCount' | 'askResultQuestion'> | undefined;
  /** Returns the value of the HTTP header that mirrors a tool parameter. Absent if headers are not checked. */
  readonly parameter?: ((name: string) => string | undefined) | undefined;
  /** Returns an error if the call's headers contradict the arguments that they mirror, as the tool defines. */
  callProblem?(line: Buffer, definition: Buffer): RpcError | undefined;
  /** The client, as mcpmux's own tools see it. */
  readonly toolClient: CallingClient;
  /**
   * Sends the client a line that is not a response.
   *
   * @param from the connection that sent the line; mcpmux pauses it while the client cannot take more data
   * @param isShared true if the same server also sends lines to other clients
   */
  send(line: OutgoingLine, from?: Connection, isShared?: boolean): void;
  /**
   * Resolves once the client's first `tools/list` request can be answered; undefined if it can be answered now.
   *
   * @param caller the request's caller, if it is not this one
   */
  whenToolsReady(caller?: Caller): Promise<unknown> | undefined;
  /** Records that the client was sent the first page of a list. */
  recordListRead(kind: ListKind): void;
  /**
   * Notifies the client of changed lists. Resolves once it has requested them, or immediately if it is not expected to.
   */
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
