import { ErrorCode, errorLine, type OwnedLine, type RawId, type RpcError } from '@mcpmux/wire';
import type { Connection } from '../link/connection.js';
import type { ConnectionInbox } from '../link/server-requests.js';
import type { ServerNotification, ServerRequest } from '../link/pending-call.js';
import { LIST_KINDS, LISTS, type ListKind } from '../lists/list-kind.js';

/** Notifications buffered of a server that speaks before it is initialized; later ones are dropped. */
const MAX_EARLY_NOTIFICATIONS = 64;

/** The answer to a request of a server that is not initialized. */
const TOO_EARLY: RpcError = {
  code: ErrorCode.InvalidRequest,
  message: 'before it is initialized, a server may request nothing but ping',
};

type Phase =
  | { readonly kind: 'unbound' }
  /** The server is not initialized: requests are refused, notifications wait. */
  | { readonly kind: 'early'; readonly connection: Connection; readonly waiting: EarlyNotification[] }
  | { readonly kind: 'open'; readonly connection: Connection }
  | { readonly kind: 'closed' };

type EarlyNotification = readonly [line: Buffer, message: ServerNotification];

/** A message that a server sent on its own, and where it came from. */
export interface ServerEvent<Server, Message extends ServerNotification | ServerRequest> {
  readonly upstream: Server;
  /** The connection of the run that sent the message. Calls may go to another run. */
  readonly connection: Connection;
  readonly line: OwnedLine;
  readonly message: Message;
}

/** Takes the messages that servers send on their own. */
export interface Inbox<Server> {
  /** A notification other than `list_changed`, or one that belongs to a request of either side. */
  notification(event: ServerEvent<Server, ServerNotification>): void;
  /** A request, except `ping`; the inbox has it answered. */
  request(event: ServerEvent<Server, ServerRequest>, id: RawId): void;
}

/** Where the messages of one run go, and which server they come from. */
export interface RunInboxInit<Server> {
  readonly upstream: Server;
  readonly inbox: Inbox<Server>;
  readonly listChanged: (kind: ListKind) => void;
}

/** Brings the messages that one run sends on its own to an {@link Inbox}, from its initialization to its last moment. */
export class RunInbox<Server = unknown> implements ConnectionInbox {
  private phase: Phase = { kind: 'unbound' };

  constructor(private readonly init: RunInboxInit<Server>) {}

  /** The run has its connection: the first, or another one because its server was launched once more. */
  bind(connection: Connection): void {
    if (this.phase.kind === 'unbound' || this.phase.kind === 'early')
      this.phase = { kind: 'early', connection, waiting: [] };
  }

  /** The server is initialized: messages that it sent before are delivered now. */
  open(): void {
    if (this.phase.kind !== 'early') return;
    const { connection, waiting } = this.phase;
    this.phase = { kind: 'open', connection };
    for (const [line, message] of waiting) this.notification(line, message);
  }

  /** Another run has taken the place of this one: later messages of this one are dropped. */
  close(): void {
    this.phase = { kind: 'closed' };
  }

  notification(line: Buffer, message: ServerNotification): void {
    const { phase } = this;
    if (phase.kind === 'early' && phase.waiting.length < MAX_EARLY_NOTIFICATIONS)
      phase.waiting.push([line, message]);
    if (phase.kind !== 'open') return;
    const { upstream, inbox, listChanged } = this.init;
    const changed = LIST_KINDS.filter((kind) => LISTS[kind].changed === message.method);
    for (const kind of changed) listChanged(kind);
    if (changed.length > 0) return;
    inbox.notification({ upstream, connection: phase.connection, line, message });
  }

  request(line: Buffer, message: ServerRequest, id: RawId): void {
    const { phase } = this;
    if (phase.kind === 'early') return phase.connection.send(errorLine(id, TOO_EARLY));
    if (phase.kind !== 'open') return;
    const { upstream, inbox } = this.init;
    inbox.request({ upstream, connection: phase.connection, line, message }, id);
  }
}
