import { type Channel, RenewedSet } from '@mcpmux/wire';
import type { Catalogs } from '../../catalog/catalogs.js';
import type { ListChanges } from '../../catalog/change-coalescer.js';
import type { Exposures } from '../../catalog/exposure/exposures.js';
import { SessionExposure } from '../../catalog/exposure/session-exposure.js';
import type { GuardList } from '../../guards/guard-list.js';
import { HOST, LOCAL, type Principal } from '../../guards/principal.js';
import type { SessionLayers } from '../../server/registry/layers.js';
import type { Inbox } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';
import { Affinity } from '../caller/affinity.js';
import { layerView, RestrictedViews, serverView, type OwnToolNames } from '../caller/caller-view.js';
import type { Caller } from '../caller/caller.js';
import type { Primaries } from '../caller/primaries.js';
import type { RootsCache } from '../caller/roots-cache.js';
import type { ClientDialect } from '../methods/client-dialect.js';
import type { MethodParts } from '../methods/handler.js';
import { forwardOtherNotification } from '../methods/other-requests.js';
import { Subscriptions } from '../methods/subscriptions.js';
import type { Exchange } from '../request/exchange.js';
import { Audience } from './audience.js';
import { clientStatus, type ClientStatus } from './client-status.js';
import { ClientConnection } from './client-connection.js';
import type { ClientNotification } from './client-decoder.js';
import type { ClientPipe } from './client-pipe.js';
import { handleExchange, handleGuarded, type ExchangeParts } from './exchanges.js';
import type { FirstListWait } from './first-list.js';
import { StatelessMessages } from './stateless-messages.js';
import { type RequestClient, RequestViews } from './request-client.js';
import { renewSubscriptions } from './renewed-subscriptions.js';
import { RootsRequesters, QuestionRouter } from './server-asks.js';
import { ServerLevels } from './server-levels.js';
import { ServerNotifications } from './server-notifications.js';
import { Session, type SessionEvents } from './session.js';
import type { ModernRequests } from '../modern/modern-requests.js';

/** The dependencies of {@link Sessions}. */
export interface SessionsParts extends Omit<MethodParts, 'handle' | 'subscriptions' | 'affinity'> {
  readonly roots: RootsCache<Caller>;
  readonly guards: GuardList;
  readonly catalogs: Catalogs;
  readonly exposures: Exposures;
  readonly ownNames: OwnToolNames;
  readonly primaries: Primaries;
  readonly dialect: ClientDialect;
  readonly modern: ModernRequests;
  readonly startingServers: FirstListWait['startingServers'];
  readonly waitForServers?: boolean | undefined;
  /** Called with a server that the host has configured for several clients but that requests one client's roots. */
  readonly onRootsRequested?: (upstream: Upstream) => void;
}

/** Describes a session's client. */
export interface SessionClient {
  /** The client's principal. Defaults to {@link LOCAL}. */
  readonly principal?: Principal | undefined;
  /** True if the client is the program that started this mux. Defaults to false. */
  readonly isStdio?: boolean;
  /** The prefix for the ids of requests to the client. Defaults to `mux`. */
  readonly requestIds?: string | undefined;
  /** The name of the only server that the session can use; absent if the session is not limited to one server. */
  readonly server?: string | undefined;
  readonly parameter?: Caller['parameter'];
}

/** One mux's connected clients, and the state that they share. */
export class Sessions implements SessionEvents {
  private readonly sessions = new RenewedSet<Session>();
  /** Serves messages that arrive without a connection. */
  readonly statelessMessages: StatelessMessages;
  private readonly subscriptions: Subscriptions;
  private readonly affinity = new Affinity<Session>();
  /** Receives the servers' requests and notifications. */
  readonly inbox: Inbox<Upstream>;
  private readonly methodParts: ExchangeParts & FirstListWait;
  private readonly views: RestrictedViews;
  private readonly levels: ServerLevels;

  constructor(private readonly parts: SessionsParts) {
    const { affinity } = this;
    const { roots, catalogs, limits, guards, dialect, modern, listeners } = parts;
    const subscriptions = new Subscriptions(limits);
    this.subscriptions = subscriptions;
    this.views = new RestrictedViews(guards);
    const requests = new RenewedSet<RequestClient>();
    const audience = new Audience(this.sessions, requests);
    this.levels = new ServerLevels(audience, parts);
    const notifications = new ServerNotifications({
      audience,
      subscriptions,
      listeners,
      catalogs,
      owners: affinity,
      dialect,
      modern,
    });
    const rootsRequesters = new RootsRequesters((upstream) => parts.onRootsRequested?.(upstream));
    const asks = new QuestionRouter({ audience, roots, affinity, limits, dialect, modern, rootsRequesters });
    this.inbox = {
      onNotification: notifications.handleNotification.bind(notifications),
      onRequest: asks.handleRequest.bind(asks),
    };
    const handle = (exchange: Exchange): void => handleExchange(exchange, this.methodParts);
    const handleWithGuards = (exchange: Exchange): void => handleGuarded(exchange, this.methodParts);
    this.methodParts = { ...parts, subscriptions, affinity, handle, handleWithGuards };
    this.statelessMessages = new StatelessMessages(
      this.methodParts,
      requests,
      new RequestViews(this.views, parts.catalogs, parts.exposures, parts.ownNames),
      {
        openSession: (pipe, layers, caller) => this.openSession(() => pipe, layers, caller),
        onLevelChange: this.handleLevelChange.bind(this),
      },
    );
  }

  /**
   * Opens a session over a channel. Each line from the client goes to {@link Session.decoder}.
   *
   * @param layers the layers that were opened for the session
   */
  open(channel: Channel, layers: SessionLayers, who: SessionClient = {}): Session {
    return this.openSession((session) => new ClientConnection(channel, session, this.parts), layers, who);
  }

  private openSession(
    pipeOf: (session: Session) => ClientPipe,
    layers: SessionLayers,
    { principal = LOCAL, isStdio = false, requestIds, server, parameter }: SessionClient,
  ): Session {
    const { catalogs, exposures, ownNames } = this.parts;
    const exposure = new SessionExposure(exposures);
    const allSources = layerView(layers.own, catalogs, ownNames);
    const session = new Session(pipeOf, this.methodParts, {
      events: this,
      layers,
      principal,
      isStdio,
      requestIds,
      parameter,
      // No exposure applies to the host and its commands, so their lists contain every tool.
      view:
        server === undefined
          ? this.views.viewFor(principal, allSources, principal === HOST ? undefined : exposure)
          : serverView(allSources, server),
      allSources,
      exposure,
    });
    this.sessions.add(session);
    void session.whenClosed.then(() => this.forgetSession(session));
    session.open();
    return session;
  }

  /** Notifies each client of the changed lists in the layers that it can see. */
  announceChanges(changes: ListChanges): void {
    for (const session of this.sessions) {
      const changedMethods = session.layer.chain.flatMap((layer) => [...(changes.get(layer) ?? [])]);
      if (changedMethods.length > 0) session.notifyListChanges(new Set(changedMethods));
    }
    for (const listener of this.parts.listeners.values()) {
      const changedMethods = listener.caller.layer.chain.flatMap((layer) => [...(changes.get(layer) ?? [])]);
      listener.notifyListChanges(new Set(changedMethods));
    }
  }

  /** Returns the connected clients' statuses, oldest client first. */
  clientStatuses(): readonly ClientStatus[] {
    const { clock, modern } = this.parts;
    const connectedSessions = [...this.sessions].filter(({ isPersistent }) => isPersistent);
    return connectedSessions.map((session) => clientStatus(session, modern.profileOf(session), clock.now()));
  }

  findConnectedSession(number: number): Session | undefined {
    return [...this.sessions].find(({ session, isPersistent }) => session === number && isPersistent);
  }

  async finish(drainMs: number): Promise<void> {
    const sessions = [...this.sessions].map((session) => session.finish(drainMs));
    await Promise.all([...sessions, this.statelessMessages.finish(drainMs)]);
    this.parts.modern.close();
  }

  /**
   * Called when a server has been started or restarted. Forgets the tasks and elicitations of its earlier run, and
   * sends it the clients' log level and subscriptions.
   */
  handleServerStart(upstream: Upstream): void {
    if (upstream.connection === undefined) return;
    this.affinity.forgetServer(upstream);
    this.levels.sendLevel(upstream);
    const { subscriptions, sessions } = this;
    void renewSubscriptions(upstream, { subscriptions, sessions, listeners: this.parts.listeners });
  }

  /** Sends the clients' log level and subscriptions to a server's second connection. */
  handleSecondRunStart(upstream: Upstream): void {
    this.levels.sendLevel(upstream);
    void this.subscriptions.renewOnSecondConnection(upstream);
  }

  forgetServer(upstream: Upstream): void {
    this.subscriptions.forget(upstream);
    this.parts.roots.forgetServer(upstream);
    this.affinity.forgetServer(upstream);
  }

  setPrimary(session: Session): void {
    this.parts.primaries.set(session);
  }

  handleLevelChange({ layer }: Pick<Session, 'layer'>): void {
    for (const upstream of layer.allServers()) {
      if (layer.sees(upstream.layer)) this.levels.sendLevel(upstream);
    }
  }

  handleNotification(session: Session, line: Buffer, message: ClientNotification): void {
    switch (this.parts.dialect.notifications.get(message.method)) {
      case 'opened':
        return;
      case 'roots-changed':
        this.parts.modern.forgetRoots(session);
        return this.parts.roots.handleChange(session, line);
      case undefined:
        forwardOtherNotification({ line, ...message }, session, this.methodParts);
    }
  }

  private forgetSession(session: Session): void {
    this.sessions.delete(session);
    this.subscriptions.releaseAll(session);
    this.parts.roots.forgetClient(session);
    this.affinity.forgetClient(session);
    this.parts.primaries.delete(session);
    this.parts.modern.forgetClient(session);
    this.handleLevelChange(session);
  }
}
