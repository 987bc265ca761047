import type { OutgoingLine, RpcError } from '@mcpmux/wire';
import type { Principal } from '../../guards/principal.js';
import type { Registry } from '../../server/registry/registry.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { Era } from '../../server/dialect/era.js';
import type { Connection } from '../../server/link/connection.js';
import type { ListKind } from '../../server/lists/list-kind.js';
import type { ServerRequests } from '../asks/server-requests.js';
import type { CallerView, Sources } from './caller-view.js';
import type { ProtocolLogLevel } from './log-level.js';
import type { CallingClient } from './own-tool-handler.js';

/** The client that sends a request: its name, its view of the servers, and the way to send lines to it. */
export interface Caller {
  /** The number of the client within one mux, starting at 1. */
  readonly session: number;
  /**
   * The connection that the request arrived on, or the message itself if it has none. One client's requests never delay
   * another's.
   */
  readonly client: object;
  /** False if only lines that belong to the request may be sent, because the client does not listen otherwise. */
  readonly isStanding: boolean;
  readonly principal: Principal;
  /** The era of the request that the caller sends. */
  readonly era: Era;
  /** The era of the client. It differs from `era` if another node of the cluster has sent the request on. */
  readonly wantedEra: Era;
  /** The hash of the definition for which another node of the cluster says that its call was approved. */
  readonly approvedDefinition?: string | undefined;
  /** The registry whose servers the caller sees, along with the servers of the registries around it. */
  readonly layer: Registry;
  /** The servers that are visible to the caller. */
  readonly view: CallerView;
  /** The servers of that registry, before guards hide any. */
  readonly whole: Sources;
  /** The client's description of itself; undefined until it has sent one. */
  readonly profile: ClientProfile | undefined;
  /** The level that the client has asked for; undefined while the client wants every log message. */
  readonly logLevel: ProtocolLogLevel | undefined;
  /** Sends questions to the client; undefined for a client that takes no requests. */
  readonly asked?: Pick<ServerRequests, 'size' | 'put'> | undefined;
  /** Returns the text of a request header that repeats a parameter of a tool; absent if no headers are compared. */
  readonly parameter?: ((name: string) => string | undefined) | undefined;
  /** Returns the error for a call whose headers differ from its arguments, according to the tool's definition. */
  callProblem?(line: Buffer, definition: Buffer): RpcError | undefined;
  /** The client, as mcpmux's own tools see it. */
  readonly forTools: CallingClient;
  /**
   * Sends a line that is not a response.
   *
   * @param from the connection to the server that wrote the line; it waits when the client cannot take more
   * @param isShared true if other clients listen to that server as well
   */
  send(line: OutgoingLine, from?: Connection, isShared?: boolean): void;
  /**
   * Resolves when the client's first list of tools can be answered. Undefined if it can be answered now.
   *
   * @param caller the caller of the request, if it differs from its origin
   */
  firstTools(caller?: Caller): Promise<unknown> | undefined;
  /** The client got the first page of a list. */
  listRead(kind: ListKind): void;
  /** Notifies the client of changed lists. Resolves when the client has requested them, or need not be waited for. */
  listsUpToDate(): Promise<void>;
  /** The client has described itself. */
  introduce(profile: ClientProfile): void;
  wantsLogs(level: ProtocolLogLevel): void;
  /** A request from the client asks for log messages while the request is in flight. */
  wantsLogsMeanwhile(level: ProtocolLogLevel): void;
  /** Makes this client's capabilities the ones that servers get if they start from now on. */
  setPrimary(): void;
}

/**
 * The connection that a request arrived on, or the single message without one. The request supplies the rest of its
 * caller.
 */
export type RequestOrigin = Pick<
  Caller,
  | 'session'
  | 'client'
  | 'isStanding'
  | 'principal'
  | 'layer'
  | 'view'
  | 'whole'
  | 'parameter'
  | 'forTools'
  | 'send'
  | 'firstTools'
  | 'wantsLogsMeanwhile'
>;
