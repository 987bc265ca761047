import type { OutgoingLine, RpcError } from '@mcpmux/wire';
import type { Principal } from '../../guards/principal.js';
import type { Registry } from '../../server/registry/registry.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { Era } from '../../server/dialect/era.js';
import type { Connection } from '../../server/link/connection.js';
import type { ClientQuestions } from './client-questions.js';
import type { ListKind } from '../../server/lists/list-kind.js';
import type { CallerView, Sources } from './caller-view.js';
import type { ProtocolLogLevel } from './log-level.js';
import type { CallingClient } from './own-tool-handler.js';

/** The client that sends a request: its name, its view of the servers, and the way back to it. */
export interface Caller {
  /** Tells the clients of one mux apart: 1 for the first that came. */
  readonly session: number;
  /** The connection, or the message without one, that the request came by. Requests of one client never hold each other up. */
  readonly client: object;
  /** False where only lines that belong to the request may be sent: nobody listens otherwise. */
  readonly isStanding: boolean;
  readonly principal: Principal;
  /** The era of the request that the caller sends. */
  readonly era: Era;
  /** The caller sees the servers of this registry and of those around it. */
  readonly layer: Registry;
  /** The servers as the caller sees them. */
  readonly view: CallerView;
  /** The servers of that registry, before guards hide any. */
  readonly whole: Sources;
  /** The client's description of itself; undefined until it has sent one. */
  readonly profile: ClientProfile | undefined;
  /** The level that the client has asked for; undefined while it wants every log message. */
  readonly logLevel: ProtocolLogLevel | undefined;
  /** Puts questions to the client; undefined for one that takes no requests. */
  readonly asked?: ClientQuestions | undefined;
  /** The text of a header beside the request that repeats a parameter of a tool; absent where no headers are compared. */
  readonly parameter?: ((name: string) => string | undefined) | undefined;
  /** Returns the error of a call whose headers differ from its arguments, by the definition of the tool. */
  callProblem?(line: Buffer, definition: Buffer): RpcError | undefined;
  /** The client, as mcpmux's own tools see it. */
  readonly forTools: CallingClient;
  /**
   * Sends a line that answers no request.
   *
   * @param from the run of a server that wrote the line: it waits when the client cannot take more
   * @param isShared other clients listen to that server as well
   */
  send(line: OutgoingLine, from?: Connection, isShared?: boolean): void;
  /** Before its first list of tools: resolves when the list can be answered. Undefined if it can be now. */
  firstTools(): Promise<unknown> | undefined;
  /** The client was answered the first page of a list. */
  listRead(kind: ListKind): void;
  /** Tells the client of lists that have changed. Resolves when it has requested them, or need not be waited for. */
  listsUpToDate(): Promise<void>;
  /** The client has described itself. */
  introduce(profile: ClientProfile): void;
  wantsLogs(level: ProtocolLogLevel): void;
  /** A request of the client asks for log messages while it is in flight. */
  wantsLogsMeanwhile(level: ProtocolLogLevel): void;
  /** Servers that start from now on are told the capabilities of this client. */
  setPrimary(): void;
}

/** The connection that a request came by, or the single message without one: the rest of its caller is in the request. */
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
