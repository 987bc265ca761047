import { ErrorCode, errorLine, type OwnedLine, type RawId, type RpcError } from '@mcpmux/wire';
import type { Connection } from '../link/connection.js';
import type { ConnectionInbox } from '../link/server-requests.js';
import type { ServerNotification, ServerRequest } from '../link/pending-call.js';
import { LIST_KINDS, LISTS, type ListKind } from '../lists/list-kind.js';

/** The maximum number of notifications to buffer before the server is initialized. Further ones are dropped. */
const MAX_EARLY_NOTIFICATIONS = 64;

/** The error response to a request that a server sends before it is initialized. */
const NOT_INITIALIZED_ERROR: RpcError = {
  code: ErrorCode.InvalidRequest,
  message: 'before it is initialized, a server may request nothing but ping',
};

type InboxPhase =
  | { readonly kind: 'unbound' }
  /** The server is not initialized yet. Requests are rejected, and notifications are buffered. */
  | { readonly kind: 'early'; readonly connection: Connection; readonly waiting: EarlyNotification[] }
  | { readonly kind: 'open'; readonly connection: Connection }
  | { readonly kind: 'closed' };

type EarlyNotification = readonly [line: Buffer, message: ServerNotification];

/** A message from a server that is not a response, and its source. */
export interface ServerEvent<Server, Message extends ServerNotification | ServerRequest> {
  readonly upstream: Server;
  /** The connection of the run that sent the message. Calls may use another run. */
  readonly connection: Connection;
  readonly line: OwnedLine;
  readonly message: Message;
}

/** Receives the servers' messages that are not responses. */
export interface Inbox<Server> {
  /** Receives a notification that concerns neither a list change nor a request in flight. */
  onNotification(event: ServerEvent<Server, ServerNotification>): void;
  /** Receives a request other than `ping`, and must ensure that the request is answered. */
  onRequest(event: ServerEvent<Server, ServerRequest>, id: RawId): void;
}

/** The receivers of one run's messages, and the run's server. */
export interface RunInboxInit<Server> {
  readonly upstream: Server;
  readonly inbox: Inbox<Server>;
  readonly onListChanged: (kind: ListKind) => void;
}

/** Passes one run's messages that are not responses to an {@link Inbox}, from initialization until the run ends. */
export class RunInbox<Server = unknown> implements ConnectionInbox {
  private phase: InboxPhase = { kind: 'unbound' };

  constructor(private readonly init: RunInboxInit<Server>) {}

  /** Sets the run's connection, initially and after every further launch. */
  bind(connection: Connection): void {
    if (this.phase.kind === 'unbound' || this.phase.kind === 'early')
      this.phase = { kind: 'early', connection, waiting: [] };
  }

  /** Delivers the buffered notifications, once the server is initialized. */
  open(): void {
    if (this.phase.kind !== 'early') return;
    const { connection, waiting } = this.phase;
    this.phase = { kind: 'open', connection };
    for (const [line, message] of waiting) this.onNotification(line, message);
  }

  /** Drops all later messages of this run, because another run has replaced it. */
  close(): void {
    this.phase = { kind: 'closed' };
  }

  onNotification(line: Buffer, message: ServerNotification): void {
    const { phase } = this;
    if (phase.kind === 'early' && phase.waiting.length < MAX_EARLY_NOTIFICATIONS)
      phase.waiting.push([line, message]);
    if (phase.kind !== 'open') return;
    const { upstream, inbox, onListChanged } = this.init;
    const changedKinds = LIST_KINDS.filter((kind) => LISTS[kind].changedMethod === message.method);
    for (const kind of changedKinds) onListChanged(kind);
    if (changedKinds.length > 0) return;
    inbox.onNotification({ upstream, connection: phase.connection, line, message });
  }

  onRequest(line: Buffer, message: ServerRequest, id: RawId): void {
    const { phase } = this;
    if (phase.kind === 'early') return phase.connection.send(errorLine(id, NOT_INITIALIZED_ERROR));
    if (phase.kind !== 'open') return;
    const { upstream, inbox } = this.init;
    inbox.onRequest({ upstream, connection: phase.connection, line, message }, id);
  }
}
