import type { Catalog } from '../catalog/catalog.js';
import type { Clock } from '../clock.js';
import { messageOf } from '../errors.js';
import { LOCAL, type Principal } from '../guards/principal.js';
import { NO_CLIENT, type ClientProfile } from '../upstream/client-profile.js';
import type { ServerNotification, ServerRequest } from '../upstream/call-sink.js';
import type { Received } from '../upstream/received.js';
import type { Upstream } from '../upstream/upstream.js';
import type { ToolDirectory } from '../routing/route-tool-call.js';
import { notificationLine } from '../wire/json-rpc.js';
import type { LineChannel } from '../wire/line-channel.js';
import type { IdText } from '../wire/request-id.js';
import type { ClientRequestComponents } from './client-requests.js';
import { lowestLevel } from './log-level.js';
import { notifyOther } from './other-requests.js';
import { Owners } from './owners.js';
import { RootsCache } from './roots-cache.js';
import { ServerMessages } from './server-messages.js';
import { Session, type ClientNotification, type SessionEvents } from './session.js';
import { viewOf, type SessionView } from './session-view.js';
import { Subscriptions } from './subscriptions.js';

/** What {@link Sessions} work with. */
export interface SessionsComponents extends Omit<
  ClientRequestComponents,
  'subscriptions' | 'owners' | 'view' | 'whole'
> {
  readonly directory: ToolDirectory;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly upstreams: () => readonly Upstream[];
}

/** Every connected client of one mux, and what concerns more than one of them. */
export class Sessions implements SessionEvents {
  private readonly sessions = new Set<Session>();
  private readonly subscriptions: Subscriptions;
  private readonly roots = new RootsCache();
  private readonly owners = new Owners();
  private readonly messages: ServerMessages;
  /** Sessions of one principal see the same. */
  private readonly views = new WeakMap<Principal, SessionView>();
  private opened = 0;
  /** Whoever introduced itself last, or last used a tool of mcpmux: servers that start now are told what it can do. */
  private lead: Session | undefined;

  constructor(private readonly components: SessionsComponents) {
    const { sessions, roots } = this;
    this.subscriptions = new Subscriptions(components.limits);
    const { subscriptions } = this;
    const { catalog, limits } = components;
    this.messages = new ServerMessages({
      sessions,
      subscriptions,
      roots,
      catalog,
      limits,
      owners: this.owners,
    });
  }

  open(channel: LineChannel, principal: Principal = LOCAL): Session {
    const { components, subscriptions, owners } = this;
    this.opened += 1;
    const session = new Session(channel, {
      ...components,
      subscriptions,
      owners,
      events: this,
      view: this.viewOf(principal),
      whole: components,
      sessionId: this.opened,
      principal,
    });
    this.sessions.add(session);
    void session.closed.then(() => this.forget(session));
    session.open();
    return session;
  }

  /** What a server that starts now is told of the client behind mcpmux. */
  get profile(): ClientProfile {
    return this.lead?.profile ?? NO_CLIENT;
  }

  /** Tells every client of the lists that have changed. */
  announce(methods: Iterable<string>): void {
    const all = [...methods];
    for (const session of this.sessions) session.listsChanged(all);
  }

  async finish(drainMs: number): Promise<void> {
    await Promise.all([...this.sessions].map((session) => session.finish(drainMs)));
  }

  /** A server runs, for the first time or again: it is told what clients have asked for so far. */
  serverRuns(upstream: Upstream): void {
    const { connection } = upstream;
    if (connection === undefined) return;
    this.owners.forgetServer(upstream.name);
    this.sendLevel(upstream);
    void this.subscriptions.renew(upstream, (uri) => {
      const interested = this.subscriptions.interestedIn(upstream, uri);
      const alias = this.components.catalog.snapshot().resources.aliasesOf(upstream).get(uri);
      const line = notificationLine('notifications/resources/updated', { uri: alias ?? uri });
      for (const session of this.sessions) {
        if (interested.has(session)) session.deliver(line, connection);
      }
    });
  }

  serverRemoved(upstream: Upstream): void {
    this.subscriptions.forget(upstream);
    this.roots.forgetServer(upstream);
    this.owners.forgetServer(upstream.name);
  }

  serverNotification(received: Received<ServerNotification>): void {
    this.messages.notification(received);
  }

  serverRequest(received: Received<ServerRequest>, id: IdText): void {
    this.messages.request(received, id);
  }

  leads(session: Session): void {
    // Whoever has not introduced itself, such as a command, has nothing to tell servers.
    if (session.profile !== undefined) this.lead = session;
  }

  levelChanged(): void {
    for (const upstream of this.components.upstreams()) this.sendLevel(upstream);
  }

  taskMade(session: Session, id: string): void {
    this.owners.taskMade(session, id);
  }

  notification(session: Session, line: Buffer, message: ClientNotification): void {
    const { directory, catalog } = session.view;
    if (message.method === 'notifications/roots/list_changed') return this.roots.changed(session, line);
    notifyOther({ line, ...message }, directory, catalog);
  }

  private viewOf(principal: Principal): SessionView {
    const known = this.views.get(principal);
    if (known !== undefined) return known;
    const view = viewOf(principal, this.components);
    this.views.set(principal, view);
    return view;
  }

  private forget(session: Session): void {
    this.sessions.delete(session);
    this.subscriptions.release(session);
    this.roots.forget(session);
    this.owners.forgetSession(session);
    this.levelChanged();
    if (this.lead !== session) return;
    this.lead = [...this.sessions].findLast(({ profile }) => profile !== undefined);
  }

  /** Each server sends what the least demanding client wants; the others' messages are dropped here. */
  private sendLevel({ connection, identity, name }: Upstream): void {
    const greeted = [...this.sessions].filter(({ profile }) => profile !== undefined);
    const level = lowestLevel(greeted.map(({ logLevel }) => logLevel));
    if (level === undefined || connection === undefined) return;
    if (identity?.capabilities['logging'] === undefined) return;
    const { logger, limits } = this.components;
    connection.request('logging/setLevel', { level }, limits.listTimeoutMs).catch((error: unknown) => {
      logger.log('debug', 'a server refused a log level', { server: name, level, problem: messageOf(error) });
    });
  }
}
