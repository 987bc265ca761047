import { type Channel, notificationLine } from '@mcpmux/wire';
import type { Clock } from '../../base/clock.js';
import type { Catalogs } from '../../catalog/catalogs.js';
import { messageOf } from '../../base/errors.js';
import { LOCAL, type Principal } from '../../guards/principal.js';
import type { SessionLayers } from '../../registry/layers.js';
import type { Layer } from '../../upstream/config/layer.js';
import type { Connection } from '../../upstream/link/connection.js';
import type { ServerInbox } from '../../upstream/server-event.js';
import type { Upstream } from '../../upstream/upstream.js';
import type { ClientNotification } from './client-decoder.js';
import type { ClientRequestComponents } from './client-requests.js';
import { lowestLevel, type ProtocolLogLevel } from '../caller/log-level.js';
import { notifyOther } from '../methods/other-requests.js';
import { Affinity } from '../caller/affinity.js';
import { RootsCache } from '../caller/roots-cache.js';
import { ServerMessages } from './server-messages.js';
import { layerView, RestrictedViews, type OwnToolNames } from '../caller/caller-view.js';
import type { Primaries } from '../caller/primaries.js';
import { Session, type SessionEvents } from './session.js';
import { Subscriptions } from '../methods/subscriptions.js';

/** What {@link Sessions} work with. */
export interface SessionsComponents extends Omit<
  ClientRequestComponents,
  'subscriptions' | 'owners' | 'view' | 'whole' | 'initializeResult' | 'supervisorOf'
> {
  readonly clock: Clock;
  readonly catalogs: Catalogs;
  readonly ownNames: OwnToolNames;
  readonly primaries: Primaries;
  /** The result of `initialize` for a client that sees these servers and sent these params, JSON. */
  readonly initializeResult: (
    params: Readonly<Record<string, unknown>>,
    upstreams: readonly Upstream[],
  ) => string;
}

/** Every connected client of one mux, and what concerns more than one of them. */
export class Sessions implements SessionEvents {
  private readonly sessions = new Set<Session>();
  private readonly subscriptions: Subscriptions;
  private readonly roots = new RootsCache();
  private readonly owners = new Affinity();
  /** Takes what servers send on their own. */
  readonly inbox: ServerInbox;
  private readonly views: RestrictedViews;
  /** What each run of a server was told last, and has not refused. */
  private readonly levels = new WeakMap<Connection, ProtocolLogLevel>();

  constructor(private readonly components: SessionsComponents) {
    const { sessions, roots } = this;
    this.subscriptions = new Subscriptions(components.limits);
    const { subscriptions } = this;
    const { catalogs, limits } = components;
    this.views = new RestrictedViews(components.guards);
    this.inbox = new ServerMessages({
      sessions,
      subscriptions,
      roots,
      catalogOf: (layer) => catalogs.at(layer),
      limits,
      owners: this.owners,
    });
  }

  /** @param layers where the session is, opened for it */
  open(channel: Channel, layers: SessionLayers, principal: Principal = LOCAL): Session {
    const { components, subscriptions, owners } = this;
    const { session: sessionId, own } = layers;
    const whole = layerView(own, components.catalogs, components.ownNames);
    const session = new Session(channel, {
      ...components,
      scope: layers,
      initializeResult: (params, seen) => components.initializeResult(params, own.list().filter(seen)),
      supervisorOf: (upstream) => own.supervisorOf(upstream),
      subscriptions,
      owners,
      events: this,
      view: this.views.of(principal, whole),
      whole,
      sessionId,
      principal,
    });
    this.sessions.add(session);
    void session.closed.then(() => this.forget(session));
    session.open();
    return session;
  }

  /** Tells every client of the lists that have changed, by the layer of what has changed. */
  announce(changes: ReadonlyMap<Layer, ReadonlySet<string>>): void {
    for (const session of this.sessions) {
      const methods = session.scope.chain.flatMap((layer) => [...(changes.get(layer) ?? [])]);
      session.listsChanged(new Set(methods));
    }
  }

  async finish(drainMs: number): Promise<void> {
    await Promise.all([...this.sessions].map((session) => session.finish(drainMs)));
  }

  /** A server runs, for the first time or again: it is told what clients have asked for so far. */
  serverRuns(upstream: Upstream): void {
    const { connection } = upstream;
    if (connection === undefined) return;
    this.owners.forgetServer(upstream);
    this.sendLevel(upstream);
    void this.subscriptions.renew(upstream, (uri) => {
      const interested = this.subscriptions.interestedIn(upstream, uri);
      for (const session of this.sessions) {
        if (!interested.has(session)) continue;
        const seen = session.view.aliasOf(upstream, uri) ?? uri;
        session.deliver(notificationLine('notifications/resources/updated', { uri: seen }), connection);
      }
    });
  }

  serverRemoved(upstream: Upstream): void {
    this.subscriptions.forget(upstream);
    this.roots.forgetServer(upstream);
    this.owners.forgetServer(upstream);
  }

  setPrimary(session: Session): void {
    this.components.primaries.set(session);
  }

  levelChanged({ scope }: Session): void {
    for (const upstream of scope.all()) {
      if (scope.sees(upstream.scope)) this.sendLevel(upstream);
    }
  }

  taskMade(session: Session, upstream: Upstream, id: string): void {
    this.owners.taskMade(session, upstream, id);
  }

  notification(session: Session, line: Buffer, message: ClientNotification): void {
    const { directory, catalog } = session.view;
    if (message.method === 'notifications/roots/list_changed') return this.roots.changed(session, line);
    notifyOther({ line, ...message }, directory, catalog);
  }

  private forget(session: Session): void {
    this.sessions.delete(session);
    this.subscriptions.release(session);
    this.roots.forget(session);
    this.owners.forgetSession(session);
    this.components.primaries.delete(session);
    this.levelChanged(session);
  }

  /**
   * Each server sends what the least demanding client wants; the others' messages are dropped here. It is told when that
   * is another level than its run was told last.
   */
  private sendLevel(upstream: Upstream): void {
    const { connection, identity, name } = upstream;
    const greeted = [...this.sessions].filter(
      (session) => session.profile !== undefined && session.scope.sees(upstream.scope),
    );
    const level = lowestLevel(greeted.map(({ logLevel }) => logLevel));
    if (level === undefined || connection === undefined) return;
    if (identity?.capabilities['logging'] === undefined || this.levels.get(connection) === level) return;
    this.levels.set(connection, level);
    const { logger, limits } = this.components;
    connection.dialect.setLogLevel(connection, level, limits.listTimeoutMs).catch((error: unknown) => {
      if (this.levels.get(connection) === level) this.levels.delete(connection);
      logger.log('debug', 'a server refused a log level', { server: name, level, problem: messageOf(error) });
    });
  }
}
