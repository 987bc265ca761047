import {
  type Channel,
  type ChannelEnd,
  type ChannelHandler,
  errorLine,
  notificationLine,
  type OutgoingLine,
  type OversizedLine,
  PendingTable,
  type RawId,
  readId,
  type RpcError,
} from '@mcpmux/wire';
import { waitAtMost, type Clock } from '../../base/clock.js';
import type { ClientProfile } from '../../upstream/config/client-profile.js';
import type { Principal } from '../../guards/principal.js';
import { clientProfileOf } from '../../upstream/config/client-profile.js';
import type { Connection } from '../../upstream/link/connection.js';
import type { Registry } from '../../registry/registry.js';
import type { Upstream } from '../../upstream/upstream.js';
import { ServerRequests } from '../asks/server-requests.js';
import { callingClient } from './calling-client.js';
import { ClientFlow } from './client-flow.js';
import {
  ClientDecoder,
  type ClientLineHandler,
  type ClientNotification,
  type IncomingRequest,
} from './client-decoder.js';
import { ClientRequests, type ClientRequestComponents, type RequestingSession } from './client-requests.js';
import type { InFlightRequest } from '../request/in-flight-request.js';
import type { CallingClient } from '../caller/own-tool-handler.js';
import type { ProtocolLogLevel } from '../caller/log-level.js';
import type { SessionScope } from '../caller/session-scope.js';
import type { CallerView } from '../caller/caller-view.js';
import { nextSessionState, type SessionEvent, type SessionState } from './session-state.js';

/** What a {@link Session} works with. */
export interface SessionComponents extends ClientRequestComponents {
  readonly clock: Clock;
  readonly events: SessionEvents;
  /** Unique among the sessions of this mux. */
  readonly sessionId: number;
  readonly scope: SessionScope;
  readonly principal: Principal;
}

/** What the owner of sessions is told. */
export interface SessionEvents {
  /** The client has introduced itself, or uses a tool of mcpmux. */
  setPrimary(session: Session): void;
  /** The client has said how severe a log message must be for it; one that is new wants everything. */
  levelChanged(session: Session): void;
  /** The client has made a task at a server: its id as clients know it. */
  taskMade(session: Session, upstream: Upstream, id: string): void;
  /** The client sent a notification that concerns none of the requests of either side. */
  notification(session: Session, line: Buffer, message: ClientNotification): void;
}

/** How long the last answers may take to leave. */
const FLUSH_MS = 500;

/** One connected client: what it was promised and what it has in flight. Nothing is shared between sessions. */
export class Session implements ChannelHandler, ClientLineHandler, RequestingSession {
  /** Resolves when the session is over and nothing more will be sent. */
  readonly closed: Promise<void>;
  /** What servers ask this client. */
  readonly asked: ServerRequests;
  /** What the client said of itself; undefined until it did. */
  profile: ClientProfile | undefined;
  logLevel: ProtocolLogLevel | undefined;
  private state: SessionState = 'new';
  /** The last answers are on their way. */
  private isFinishing = false;
  private readonly inFlight = new PendingTable<RawId, InFlightRequest>();
  private readonly lines: ClientDecoder;
  private readonly flow: ClientFlow;
  private readonly requests: ClientRequests;
  private resolveClosed: () => void = () => undefined;

  constructor(
    private readonly channel: Channel,
    private readonly components: SessionComponents,
  ) {
    this.closed = new Promise((resolve) => {
      this.resolveClosed = resolve;
    });
    const { maxLineBytes, maxClientQueueBytes } = components.limits;
    this.lines = new ClientDecoder(this, maxLineBytes);
    this.flow = new ClientFlow(channel, this, maxClientQueueBytes);
    this.asked = new ServerRequests(this);
    this.requests = new ClientRequests(this, components);
  }

  open(): void {
    this.channel.open(this);
  }

  line(line: Buffer): void {
    this.lines.line(line);
  }

  oversized(line: OversizedLine): void {
    this.lines.oversized(line);
  }

  /** Unique among the sessions of this mux. */
  get session(): number {
    return this.components.sessionId;
  }

  get principal(): Principal {
    return this.components.principal;
  }

  /** What it sees of the servers. */
  get view(): CallerView {
    return this.components.view;
  }

  /** True from the client's first message after `initialize` until its end. */
  get isLive(): boolean {
    return this.state === 'live';
  }

  /** What it sees is what is seen from here. */
  get scope(): Registry {
    return this.components.scope.own;
  }

  get requestsInFlight(): number {
    return this.inFlight.size;
  }

  /** Lists have changed. Before it has spoken, a client has seen no list that could have. */
  listsChanged(methods: Iterable<string>): void {
    if (!this.isLive) return;
    for (const method of methods) this.send(notificationLine(method));
  }

  /**
   * Sends a line of a server that belongs to no request of this client.
   *
   * @param isShared other clients listen to the server as well
   */
  deliver(line: Buffer, connection: Connection, isShared = false): void {
    if (this.state === 'closed') return;
    this.send(line);
    this.watchFlow(connection, isShared);
  }

  answer(id: RawId, line: () => OutgoingLine): void {
    if (this.requests.takes(id, line)) return;
    // Not in flight any more: it was cancelled, and the client does not expect an answer.
    if (this.inFlight.take(id) !== undefined) this.send(line());
  }

  notify(id: RawId, line: () => Buffer): void {
    if (this.inFlight.has(id)) this.send(line());
  }

  watchFlow(connection: Connection, isShared = false): void {
    const queuedBytes = this.flow.restrain(connection, isShared);
    if (queuedBytes === undefined) return;
    this.components.logger.log('warn', 'dropped a client that does not read', { queuedBytes });
    this.close();
  }

  /** The client, for tools of mcpmux itself. */
  get caller(): CallingClient {
    const { scope, limits } = this.components;
    const { session, principal, view, profile, asked } = this;
    return callingClient({ session, principal, view, scope, profile, asked, limits });
  }

  /** Sends a line of mcpmux itself. */
  tell(line: Buffer): void {
    if (this.state !== 'closed') this.send(line);
  }

  greeted(params: Readonly<Record<string, unknown>>): void {
    this.profile = clientProfileOf(params);
    this.setPrimary();
    // One more client, which so far wants everything.
    this.components.events.levelChanged(this);
  }

  setPrimary(): void {
    if (this.profile !== undefined) this.components.events.setPrimary(this);
  }

  wantsLogs(level: ProtocolLogLevel): void {
    this.logLevel = level;
    this.components.events.levelChanged(this);
  }

  ownsTask(upstream: Upstream, id: string): void {
    this.components.events.taskMade(this, upstream, id);
  }

  drained(): void {
    this.flow.release(!this.isFinishing);
  }

  ended({ reason }: ChannelEnd): void {
    this.apply('input-ended');
    if (reason === 'ended') void this.finish(this.components.limits.drainOnEndMs);
    else this.close();
  }

  /** Ends the session in order: requests in flight get `drainMs`, then an answer; what is queued is sent. */
  async finish(drainMs: number): Promise<void> {
    const { clock } = this.components;
    // Nobody will answer these any more, and calls in flight may be waiting for them.
    this.asked.clientGone();
    await waitAtMost(drainMs, this.inFlight.whenIdle(), clock);
    // From here on nothing more is answered, so nothing more is read.
    this.isFinishing = true;
    this.channel.pause();
    for (const request of this.inFlight.takeAll()) this.send(request.expire());
    // A client that has stopped reading must not keep mcpmux from ending.
    await waitAtMost(FLUSH_MS, this.channel.end(), clock);
    this.close();
  }

  /** Ends the session at once. */
  close(): void {
    if (this.state === 'closed') return;
    this.apply('closed');
    this.asked.clientGone();
    for (const request of this.inFlight.takeAll()) request.abandon();
    this.drained();
    this.channel.destroy();
    this.resolveClosed();
  }

  isInFlight(id: RawId): boolean {
    return this.inFlight.has(id);
  }

  spoke(): void {
    this.apply('spoke');
  }

  request(id: RawId, line: Buffer, { method, params, id: idSpan }: IncomingRequest): void {
    const outcome = this.requests.carryOut({ id, line, idSpan, method, params });
    if ('inFlight' in outcome) this.inFlight.add(id, outcome.inFlight);
    else this.send(outcome.answer);
  }

  notification(line: Buffer, message: ClientNotification): void {
    const { method, params } = message;
    switch (method) {
      case 'notifications/cancelled': {
        const requestId = params.get('requestId');
        const read = requestId && readId(line, requestId);
        if (requestId && read && 'id' in read) this.inFlight.take(read.id)?.cancel({ line, requestId });
        return;
      }
      case 'notifications/progress':
        return this.asked.progress(line, params.get('progressToken'));
      case 'notifications/initialized':
        return;
      default:
        return this.components.events.notification(this, line, message);
    }
  }

  refuse(id: RawId, error: RpcError): void {
    this.send(errorLine(id, error));
  }

  private send(line: OutgoingLine): void {
    this.channel.send(line);
    this.flow.watchQueue();
  }

  private apply(event: SessionEvent): void {
    this.state = nextSessionState(this.state, event);
  }
}
