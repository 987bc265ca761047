import { waitAtMost } from '@mcpmux/kit';
import type { ChannelEnd, OutgoingLine, RawId, RpcError } from '@mcpmux/wire';
import { errorLine, readId } from '@mcpmux/wire';
import type { SessionExposure } from '../../catalog/exposure/session-exposure.js';
import type { Principal } from '../../guards/principal.js';
import type { SessionLayers } from '../../server/registry/layers.js';
import type { Registry } from '../../server/registry/registry.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import { elicitationModes, supportsApps } from '../../server/dialect/client-requests.js';
import type { Connection } from '../../server/link/connection.js';
import type { ListKind } from '../../server/lists/list-kind.js';
import { ServerRequests } from '../asks/server-requests.js';
import type { Caller } from '../caller/caller.js';
import type { CallerView, NameSources } from '../caller/caller-view.js';
import { lowestLevel, type ProtocolLogLevel } from '../caller/log-level.js';
import type { CallingClient } from '../caller/own-tool-handler.js';
import { DEADLINE, GONE } from '../request/exchange.js';
import { ClientDecoder, type ClientMessageHandler, type ClientNotification } from './client-decoder.js';
import type { ClientPipe } from './client-pipe.js';
import { Exchanges, type ExchangeParts } from './exchanges.js';
import { MessageTaps } from './message-taps.js';
import type { FirstListWait } from './first-list.js';
import { SessionLists } from './session-lists.js';
import { nextSessionState, type SessionEvent, type SessionState } from './session-state.js';

/** A session's layers, client and views. */
export interface SessionInit {
  readonly events: SessionEvents;
  readonly layers: SessionLayers;
  readonly principal: Principal;
  readonly isStdio: boolean;
  /** The prefix for the ids of requests to the client. Defaults to `mux`. */
  readonly requestIds?: string | undefined;
  readonly parameter?: Caller['parameter'];
  readonly view: CallerView;
  readonly allSources: NameSources;
  readonly exposure: Pick<SessionExposure, 'setClient' | 'addFoundTools'>;
}

/** Receives the events of sessions. */
export interface SessionEvents {
  /** Called when the client has sent `initialize` or calls one of mcpmux's own tools. */
  setPrimary(session: Session): void;
  /** Called when the client has sent `initialize` or set a log level. Until it sets one, it gets every message. */
  handleLevelChange(session: Session): void;
  /** Called for every notification except cancellations and progress notifications, which belong to a request. */
  handleNotification(session: Session, line: Buffer, message: ClientNotification): void;
}

/** One connected client: its identity, its exchanges, and the servers' questions to it. */
export class Session implements Caller, ClientMessageHandler {
  private resolveClosed: () => void = () => undefined;
  /** Resolves when the session has ended and no more data will be sent. */
  readonly whenClosed = new Promise<void>((resolve) => (this.resolveClosed = resolve));
  readonly decoder: ClientDecoder;
  private readonly pipe: ClientPipe;
  readonly exchanges: Exchanges;
  readonly taps = new MessageTaps();
  readonly serverRequests: ServerRequests;
  /** The session's number, unique within this mux. */
  readonly session: number;
  readonly principal: Principal;
  readonly era = 'legacy';
  readonly clientEra = 'legacy';
  readonly layer: Registry;
  readonly view: CallerView;
  readonly allSources: NameSources;
  readonly parameter: Caller['parameter'];
  /** When the session started, in milliseconds on the mux's clock. */
  readonly connectedAt: number;
  profile: ClientProfile | undefined;
  logLevel: ProtocolLogLevel | undefined;
  /** The most detailed log level that any of the client's requests has set. */
  requestLogLevel: ProtocolLogLevel | undefined;
  private readonly lists: SessionLists;
  private state: SessionState = 'new';

  constructor(
    pipeOf: (session: Session) => ClientPipe,
    private readonly parts: ExchangeParts & FirstListWait,
    private readonly init: SessionInit,
  ) {
    this.session = init.layers.session;
    this.principal = init.principal;
    this.layer = init.layers.own;
    this.view = init.view;
    this.allSources = init.allSources;
    this.parameter = init.parameter;
    this.connectedAt = parts.clock.now();
    this.lists = new SessionLists(this, init.view, init.exposure, parts);
    this.decoder = new ClientDecoder(this, parts.dialect, parts.limits.maxLineBytes, parts.modern);
    this.pipe = pipeOf(this);
    this.serverRequests = new ServerRequests(this.pipe, init.requestIds);
    this.exchanges = new Exchanges(this, this.pipe, parts);
  }

  open(): void {
    this.pipe.open();
  }

  get client(): this {
    return this;
  }

  get isPersistent(): boolean {
    return this.pipe.isPersistent;
  }

  /** True from the client's first message after `initialize` until the session ends. */
  get isLive(): boolean {
    return this.pipe.isPersistent && this.state === 'live';
  }

  get toolClient(): CallingClient {
    const { layers, isStdio } = this.init;
    const { dialect } = this.parts;
    const { maxAskedPerClient: limit } = this.parts.limits;
    const { session, principal, view, profile, serverRequests, isPersistent } = this;
    return {
      session,
      isPersistent,
      principal,
      protocol: { era: this.era, revision: profile?.protocolVersion },
      isStdio,
      view,
      layers,
      ...elicitationModes(profile?.capabilities ?? {}),
      revealTools: (names) => this.lists.revealTools(names),
      elicit: (form, signal) =>
        serverRequests.pendingCount < limit
          ? dialect.elicit(serverRequests, form, signal)
          : Promise.resolve({ problem: `it has not answered ${limit} earlier requests` }),
      urlVisited: (id) => this.send(dialect.urlVisitedLine(id)),
    };
  }

  send(line: OutgoingLine, from?: Connection, isShared?: boolean): void {
    this.pipe.send(line, from, isShared);
  }

  /** @param methods the notification methods of the lists that may have changed; all if absent */
  notifyListChanges(methods?: ReadonlySet<string>): void {
    this.lists.announceChanges(methods);
  }

  announceListChanges(): Promise<void> {
    return this.lists.announceAndWait();
  }

  recordListRead(kind: ListKind): void {
    this.lists.recordRead(kind);
  }

  whenToolsReady(caller: Caller = this): Promise<unknown> | undefined {
    return this.lists.whenToolsReady(caller);
  }

  setProfile(profile: ClientProfile): void {
    this.profile = profile;
    this.init.exposure.setClient(profile.name, supportsApps(profile.capabilities));
    this.parts.guards.noteClient(profile.name);
    this.setPrimary();
    // A new client gets every log message until it sets a level.
    this.init.events.handleLevelChange(this);
  }

  setPrimary(): void {
    this.init.events.setPrimary(this);
  }

  setLogLevel(level: ProtocolLogLevel): void {
    this.logLevel = level;
    this.init.events.handleLevelChange(this);
  }

  addRequestLogLevel(level: ProtocolLogLevel): void {
    const lowest = lowestLevel(this.requestLogLevel === undefined ? [level] : [level, this.requestLogLevel]);
    if (lowest === this.requestLogLevel) return;
    this.requestLogLevel = lowest;
    this.init.events.handleLevelChange(this);
  }

  activate(): void {
    if (this.state !== 'new') return;
    this.applyEvent('spoke');
    if (this.isLive) this.lists.startNotifying();
  }

  handleNotification(line: Buffer, message: ClientNotification): void {
    const { method, params } = message;
    switch (method) {
      case 'notifications/cancelled': {
        const requestId = params.get('requestId');
        const parsedId = requestId && readId(line, requestId);
        if (requestId && parsedId && 'id' in parsedId) this.exchanges.cancel(parsedId.id, line, requestId);
        return;
      }
      case 'notifications/progress':
        return this.serverRequests.handleProgress(line, params.get('progressToken'));
      default:
        return this.init.events.handleNotification(this, line, message);
    }
  }

  refuse(id: RawId, error: RpcError): void {
    this.pipe.send(errorLine(id, error), undefined, false, id);
  }

  handleInputEnd({ reason }: ChannelEnd): void {
    this.applyEvent('input-ended');
    if (reason === 'ended') void this.finish(this.parts.limits.drainOnEndMs);
    else this.close();
  }

  /** Ends the session because its servers stop, without announcing list changes. Waits at most `limits.drainMs`. */
  leave(): Promise<void> {
    this.applyEvent('input-ended');
    return this.finish(this.parts.limits.drainMs);
  }

  /** Ends the session gracefully: waits up to `drainMs` for exchanges, answers the rest, and sends the queued lines. */
  async finish(drainMs: number): Promise<void> {
    // Calls in flight may be waiting for server requests that the client will no longer answer.
    this.serverRequests.handleClientDisconnect();
    this.exchanges.endLongLivedRequests();
    await waitAtMost(drainMs, this.exchanges.whenIdle(), this.parts.clock);
    this.pipe.stopReading();
    this.exchanges.abortAll(DEADLINE);
    await this.pipe.flush();
    this.close();
  }

  /** Ends the session immediately. */
  close(): void {
    if (this.state === 'closed') return;
    this.applyEvent('closed');
    this.serverRequests.handleClientDisconnect();
    this.exchanges.abortAll(GONE);
    this.pipe.close();
    this.resolveClosed();
  }

  private applyEvent(event: SessionEvent): void {
    this.state = nextSessionState(this.state, event);
    if (this.state !== 'live') this.lists.stopNotifying();
  }
}
