import { waitAtMost } from '@mcpmux/kit';
import type { ChannelEnd, OutgoingLine, RawId, RpcError } from '@mcpmux/wire';
import { errorLine, readId } from '@mcpmux/wire';
import type { SessionExposure } from '../../catalog/exposure/session-exposure.js';
import type { Principal } from '../../guards/principal.js';
import type { SessionLayers } from '../../server/registry/layers.js';
import type { Registry } from '../../server/registry/registry.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import { elicitationModes, takesApps } from '../../server/dialect/client-requests.js';
import type { Connection } from '../../server/link/connection.js';
import type { ListKind } from '../../server/lists/list-kind.js';
import { ServerRequests } from '../asks/server-requests.js';
import type { Caller } from '../caller/caller.js';
import type { CallerView, Sources } from '../caller/caller-view.js';
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

/** The layers, the client and the views of a session. */
export interface SessionInit {
  readonly events: SessionEvents;
  readonly layers: SessionLayers;
  readonly principal: Principal;
  readonly isStdio: boolean;
  /** The prefix of the ids of requests to the client; `mux` when absent. */
  readonly requestIds?: string | undefined;
  readonly parameter?: Caller['parameter'];
  readonly view: CallerView;
  readonly unfiltered: Sources;
  readonly exposure: Pick<SessionExposure, 'setClient' | 'addFound'>;
}

/** Receives the events of sessions. */
export interface SessionEvents {
  /** Called when the client has described itself or uses one of mcpmux's tools. */
  setPrimary(session: Session): void;
  /** Called when the client is new or has set its log level. A new client wants every message. */
  levelChanged(session: Session): void;
  /** Called for a notification that concerns no request of either side. */
  notification(session: Session, line: Buffer, message: ClientNotification): void;
}

/** One connected client: its identity, its exchanges, and the questions from servers to it. */
export class Session implements Caller, ClientMessageHandler {
  private resolveClosed: () => void = () => undefined;
  /** Resolves when the session has ended and no more data will be sent. */
  readonly closed = new Promise<void>((resolve) => (this.resolveClosed = resolve));
  /** Decodes the client's messages. */
  readonly decoder: ClientDecoder;
  private readonly pipe: ClientPipe;
  readonly exchanges: Exchanges;
  readonly taps = new MessageTaps();
  /** The requests from servers to this client. */
  readonly serverRequests: ServerRequests;
  /** The session's number, unique within this mux. */
  readonly session: number;
  readonly principal: Principal;
  readonly era = 'legacy';
  readonly wantedEra = 'legacy';
  readonly layer: Registry;
  readonly view: CallerView;
  readonly unfiltered: Sources;
  readonly parameter: Caller['parameter'];
  /** The clock reading at the start of the session. */
  readonly connectedAt: number;
  profile: ClientProfile | undefined;
  logLevel: ProtocolLogLevel | undefined;
  /** The least severe level that any single request has set. */
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
    this.unfiltered = init.unfiltered;
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
    const { maxAskedPerClient: most } = this.parts.limits;
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
        serverRequests.size < most
          ? dialect.elicit(serverRequests, form, signal)
          : Promise.resolve({ problem: `it has not answered ${most} earlier requests` }),
      urlVisited: (id) => this.send(dialect.urlVisited(id)),
    };
  }

  send(line: OutgoingLine, from?: Connection, isShared?: boolean): void {
    this.pipe.send(line, from, isShared);
  }

  /** @param methods the notifications of lists that may have changed; all when absent */
  listsChanged(methods?: ReadonlySet<string>): void {
    this.lists.changed(methods);
  }

  listsUpToDate(): Promise<void> {
    return this.lists.whenCurrent();
  }

  listRead(kind: ListKind): void {
    this.lists.read(kind);
  }

  whenToolsReady(caller: Caller = this): Promise<unknown> | undefined {
    return this.lists.whenToolsReady(caller);
  }

  setProfile(profile: ClientProfile): void {
    this.profile = profile;
    this.init.exposure.setClient(profile.name, takesApps(profile.capabilities));
    this.parts.guards.noteClient(profile.name);
    this.setPrimary();
    // A new client wants every log message until it sets a level.
    this.init.events.levelChanged(this);
  }

  setPrimary(): void {
    this.init.events.setPrimary(this);
  }

  setLogLevel(level: ProtocolLogLevel): void {
    this.logLevel = level;
    this.init.events.levelChanged(this);
  }

  addRequestLogLevel(level: ProtocolLogLevel): void {
    const lowest = lowestLevel(this.requestLogLevel === undefined ? [level] : [level, this.requestLogLevel]);
    if (lowest === this.requestLogLevel) return;
    this.requestLogLevel = lowest;
    this.init.events.levelChanged(this);
  }

  activate(): void {
    if (this.state !== 'new') return;
    this.apply('spoke');
    if (this.isLive) this.lists.begin();
  }

  notification(line: Buffer, message: ClientNotification): void {
    const { method, params } = message;
    switch (method) {
      case 'notifications/cancelled': {
        const requestId = params.get('requestId');
        const read = requestId && readId(line, requestId);
        if (requestId && read && 'id' in read) this.exchanges.cancel(read.id, line, requestId);
        return;
      }
      case 'notifications/progress':
        return this.serverRequests.progress(line, params.get('progressToken'));
      default:
        return this.init.events.notification(this, line, message);
    }
  }

  refuse(id: RawId, error: RpcError): void {
    this.pipe.send(errorLine(id, error), undefined, false, id);
  }

  /** Handles the end of the client's input. */
  inputEnded({ reason }: ChannelEnd): void {
    this.apply('input-ended');
    if (reason === 'ended') void this.finish(this.parts.limits.drainOnEndMs);
    else this.close();
  }

  /** Ends the session because its servers stop. Announces no list change. Drains exchanges for `limits.drainMs`. */
  leave(): Promise<void> {
    this.apply('input-ended');
    return this.finish(this.parts.limits.drainMs);
  }

  /** Ends the session gracefully. Answers exchanges that are still open after `drainMs`. Sends the queued lines. */
  async finish(drainMs: number): Promise<void> {
    // The client will not answer the servers' requests, and calls in flight may be waiting for these answers.
    this.serverRequests.clientGone();
    this.exchanges.endLongRequests();
    await waitAtMost(drainMs, this.exchanges.whenIdle(), this.parts.clock);
    this.pipe.stopReading();
    this.exchanges.abortAll(DEADLINE);
    await this.pipe.flush();
    this.close();
  }

  /** Ends the session immediately. */
  close(): void {
    if (this.state === 'closed') return;
    this.apply('closed');
    this.serverRequests.clientGone();
    this.exchanges.abortAll(GONE);
    this.pipe.close();
    this.resolveClosed();
  }

  private apply(event: SessionEvent): void {
    this.state = nextSessionState(this.state, event);
    if (this.state !== 'live') this.lists.end();
  }
}
