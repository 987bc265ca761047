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
import { notifyOther } from '../methods/other-requests.js';
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
import { RootsAskers, ServerAsks } from './server-asks.js';
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
  readonly starting: FirstListWait['starting'];
  readonly waitForServers?: boolean | undefined;
  /** Called with a server of the host that serves several clients but requests the roots of one client. */
  readonly rootsAsked?: (upstream: Upstream) => void;
}

/** The client of a session. */
export interface SessionClient {
  /** The principal of the client; {@link LOCAL} when absent. */
  readonly principal?: Principal | undefined;
  /** True if the client is the program that started this mux; false when absent. */
  readonly isStdio?: boolean;
  /** The prefix of the ids of requests to the client; `mux` when absent. */
  readonly requestIds?: string | undefined;
  /** The name of the only server, if the session is limited to one. */
  readonly server?: string | undefined;
  readonly parameter?: Caller['parameter'];
}

/** All connected clients of one mux, and their shared state. */
export class Sessions implements SessionEvents {
  private readonly sessions = new RenewedSet<Session>();
  /** Serves the messages without a connection. */
  readonly stateless: StatelessMessages;
  private readonly subscriptions: Subscriptions;
  private readonly affinity = new Affinity<Session>();
  /** Receives the messages that servers initiate. */
  readonly inbox: Inbox<Upstream>;
  private readonly methods: ExchangeParts & FirstListWait;
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
    const rootsAskers = new RootsAskers((upstream) => parts.rootsAsked?.(upstream));
    const asks = new ServerAsks({ audience, roots, affinity, limits, dialect, modern, rootsAskers });
    this.inbox = {
      notification: notifications.notification.bind(notifications),
      request: asks.request.bind(asks),
    };
    const handle = (exchange: Exchange): void => handleExchange(exchange, this.methods);
    const guarded = (exchange: Exchange): void => handleGuarded(exchange, this.methods);
    this.methods = { ...parts, subscriptions, affinity, handle, guarded };
    this.stateless = new StatelessMessages(
      this.methods,
      requests,
      new RequestViews(this.views, parts.catalogs, parts.exposures, parts.ownNames),
      {
        session: (pipe, layers, caller) => this.begin(() => pipe, layers, caller),
        levelChanged: this.levelChanged.bind(this),
      },
    );
  }

  /**
   * Opens a session over a channel. Each line from the client goes to {@link Session.decoder}.
   *
   * @param layers the layers that were opened for the session
   */
  open(channel: Channel, layers: SessionLayers, who: SessionClient = {}): Session {
    return this.begin((session) => new ClientConnection(channel, session, this.parts), layers, who);
  }

  private begin(
    pipeOf: (session: Session) => ClientPipe,
    layers: SessionLayers,
    { principal = LOCAL, isStdio = false, requestIds, server, parameter }: SessionClient,
  ): Session {
    const { catalogs, exposures, ownNames } = this.parts;
    const exposure = new SessionExposure(exposures);
    const unfiltered = layerView(layers.own, catalogs, ownNames);
    const session = new Session(pipeOf, this.methods, {
      events: this,
      layers,
      principal,
      isStdio,
      requestIds,
      parameter,
      // The lists of the host and its commands contain every tool.
      view:
        server === undefined
          ? this.views.get(principal, unfiltered, principal === HOST ? undefined : exposure)
          : serverView(unfiltered, server),
      unfiltered,
      exposure,
    });
    this.sessions.add(session);
    void session.closed.then(() => this.forget(session));
    session.open();
    return session;
  }

  /** Notifies each client of its changed lists, by the layer of the changed servers. */
  announce(changes: ListChanges): void {
    for (const session of this.sessions) {
      const methods = session.layer.chain.flatMap((layer) => [...(changes.get(layer) ?? [])]);
      if (methods.length > 0) session.listsChanged(new Set(methods));
    }
    for (const listener of this.parts.listeners.all()) {
      const methods = listener.caller.layer.chain.flatMap((layer) => [...(changes.get(layer) ?? [])]);
      listener.listsChanged(new Set(methods));
    }
  }

  /** Returns the connected clients, oldest first. */
  clients(): readonly ClientStatus[] {
    const { clock, modern } = this.parts;
    const connected = [...this.sessions].filter(({ isPersistent }) => isPersistent);
    return connected.map((session) => clientStatus(session, modern.profileOf(session), clock.now()));
  }

  /** Returns a connected client by its number. */
  findConnected(number: number): Session | undefined {
    return [...this.sessions].find(({ session, isPersistent }) => session === number && isPersistent);
  }

  async finish(drainMs: number): Promise<void> {
    const sessions = [...this.sessions].map((session) => session.finish(drainMs));
    await Promise.all([...sessions, this.stateless.finish(drainMs)]);
    this.parts.modern.close();
  }

  /**
   * Forgets the tasks and elicitations of an earlier run. Sends the log level and the subscriptions that clients have
   * requested so far to a server that has started or restarted.
   */
  serverStarted(upstream: Upstream): void {
    if (upstream.connection === undefined) return;
    this.affinity.forgetServer(upstream);
    this.levels.send(upstream);
    const { subscriptions, sessions } = this;
    void renewSubscriptions(upstream, { subscriptions, sessions, listeners: this.parts.listeners });
  }

  /** Sends the same log level and subscriptions to the second connection of a server. */
  secondRunStarted(upstream: Upstream): void {
    this.levels.send(upstream);
    void this.subscriptions.renewSecond(upstream);
  }

  serverRemoved(upstream: Upstream): void {
    this.subscriptions.forget(upstream);
    this.parts.roots.forgetServer(upstream);
    this.affinity.forgetServer(upstream);
  }

  setPrimary(session: Session): void {
    this.parts.primaries.set(session);
  }

  levelChanged({ layer }: Pick<Session, 'layer'>): void {
    for (const upstream of layer.all()) {
      if (layer.sees(upstream.layer)) this.levels.send(upstream);
    }
  }

  notification(session: Session, line: Buffer, message: ClientNotification): void {
    switch (this.parts.dialect.notifications.get(message.method)) {
      case 'opened':
        return;
      case 'roots-changed':
        this.parts.modern.rootsChanged(session);
        return this.parts.roots.changed(session, line);
      case undefined:
        notifyOther({ line, ...message }, session, this.methods);
    }
  }

  private forget(session: Session): void {
    this.sessions.delete(session);
    this.subscriptions.releaseAll(session);
    this.parts.roots.forget(session);
    this.affinity.forgetClient(session);
    this.parts.primaries.delete(session);
    this.parts.modern.forget(session);
    this.levelChanged(session);
  }
}
