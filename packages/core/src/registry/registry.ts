import { parseServerName, type ServerName } from '@mcpmux/namespace';

import { MuxError } from '../base/errors.js';
import { HOST, type Actor } from './actor.js';
import { Addition } from './addition.js';
import { REMOVE_TIMINGS } from '../process/stop-ladder.js';
import { Departures } from './departures.js';
import { exists, notFound, notSwapped, running, settled, taken } from './registry-outcomes.js';
import type { RegistryEvents } from './registry-events.js';
import type { AddingOptions, NameOptions, ReloadOptions } from './registry-options.js';
import { checkCount } from './server-bound.js';
import { ServerTable, tableKey } from './server-table.js';
import { Supervisor } from './supervisor.js';
import { isSessionTemplate } from '../upstream/config/isolation.js';
import { listsAnything, withoutResources } from '../upstream/lists/server-lists.js';
import { SHARED, type Scope } from '../upstream/config/scope.js';
import type { Registration } from '../upstream/lists/registration.js';
import type { AnyServerConfig } from '../upstream/config/server-config.js';
import { Upstream } from '../upstream/upstream.js';
import type { UpstreamComponents, UpstreamEvents } from '../upstream/upstream-events.js';

/**
 * The servers of one mux. A name is taken from the moment `add` is called until `remove` is; everything in between is a
 * matter of the server's state.
 *
 * Each server is in a {@link Scope}, and whoever looks sees what is in its own scope and in those it lies in. The same
 * name may stand in scopes that do not see each other. Where a wider scope gets a name that a narrower one has already,
 * those in the narrower one go on seeing theirs.
 */
export class Registry {
  private readonly upstreams = new ServerTable<Upstream>();
  private readonly supervisors = new WeakMap<Upstream, Supervisor>();
  private readonly departures = new Departures();
  private readonly upstreamEvents: UpstreamEvents;
  /** Set once the mux is shutting down. */
  private ending: Promise<void> | undefined;

  constructor(
    private readonly components: UpstreamComponents,
    private readonly events: RegistryEvents,
  ) {
    this.upstreamEvents = {
      listChanged: (upstream, kind) => events.listChanged(upstream, kind),
      notification: (received) => events.notification(received),
      request: (received, id) => events.request(received, id),
      stderrLine: (upstream, line) => events.stderrLine(upstream, line),
      spawned: (upstream, pid) => events.spawned(upstream, pid),
      swapFailed: (upstream, failure) => events.swapFailed(upstream, failure),
      unpinned: (upstream, findings) => events.unpinned(upstream, findings),
      sessionLost: (upstream) => this.supervisorOf(upstream)?.sessionLost() ?? false,
      stateChanged: (upstream) => {
        this.supervisorOf(upstream)?.stateChanged();
        events.stateChanged(upstream);
      },
    };
  }

  /** Starts and stops a server; undefined for a server that is not of this mux. */
  supervisorOf(upstream: Upstream): Supervisor | undefined {
    return this.supervisors.get(upstream);
  }

  /** What is seen from a scope: the widest scope first, in the order of addition. A reload keeps the place. */
  list(from: Scope = SHARED): readonly Upstream[] {
    return this.upstreams.list(from).filter((upstream) => !isSessionTemplate(upstream));
  }

  /** What was registered for all: also those that each session gets a server of its own from. */
  registered(): readonly Upstream[] {
    return this.upstreams.list(SHARED);
  }

  /** Those of all scopes, in the order of addition. */
  all(): readonly Upstream[] {
    return this.upstreams.all();
  }

  /** What has this name in the eyes of whoever is in this scope. */
  find(name: string, from: Scope = SHARED): Upstream | undefined {
    const upstream = this.upstreams.seen(name, from);
    if (upstream?.name !== name) return undefined;
    return from !== SHARED && isSessionTemplate(upstream) ? undefined : upstream;
  }

  /** Whether it takes up its name for whoever is in this scope: nothing further in has that name in any case or width. */
  isSeen(upstream: Upstream, from: Scope): boolean {
    return this.upstreams.seen(upstream.name, from) === upstream;
  }

  /** @throws MuxError SERVER_NOT_FOUND, naming the servers there are */
  require(name: string, from: Scope = SHARED): Upstream {
    const upstream = this.find(name, from);
    if (upstream !== undefined) return upstream;
    throw notFound(name, from === SHARED ? this.registered() : this.list(from));
  }

  /** Throws what {@link add} would throw for this name in this scope now: nobody need be asked about it then. */
  checkName(name: string, options: NameOptions = {}): void {
    this.checkFree(parseServerName(name), options);
  }

  /**
   * Registers a server and starts it.
   *
   * @throws NamespaceError when the name is illegal
   * @throws MuxError SERVER_EXISTS when a server of that name (in any case or width) is seen, INVALID_CONFIG when
   *   there are too many, CLOSED after the mux was closed
   */
  add(name: string, config: AnyServerConfig, options: AddingOptions = {}): Addition {
    const { by = HOST, scope = SHARED, view, remembered } = options;
    const serverName = parseServerName(name);
    this.checkFree(serverName, options);
    return this.register(this.newUpstream({ name: serverName, config, scope, view, remembered }), by);
  }

  /**
   * Gives a scope a server of its own from a registration for each session: as long as nobody needs it, it is idle. One of
   * which nothing is known that could be asked for starts at once.
   */
  addFor(scope: Scope, { name, config, view, lists: known, ranBefore }: Upstream, by: Actor): void {
    const upstream = this.newUpstream({ name, config, scope, view });
    const lists = withoutResources(known);
    if (ranBefore && listsAnything(lists)) upstream.recall(lists);
    const { keep, started } = this.register(upstream, by);
    keep();
    // How it went stands in its state.
    void settled(started);
  }

  private newUpstream(registration: Registration & { readonly scope: Scope }): Upstream {
    const after = this.departures.allGone(tableKey(registration.name, registration.scope));
    return new Upstream({ ...registration, after }, this.components, this.upstreamEvents);
  }

  private register(upstream: Upstream, by: Actor): Addition {
    const { config, ranBefore: isKnown } = upstream;
    const reloading = (who: Actor): void => this.events.reloading(upstream, who);
    const supervisor = new Supervisor(upstream, { ...this.components, reloading });
    this.supervisors.set(upstream, supervisor);
    this.upstreams.add(upstream);
    this.events.added(upstream, by);
    const isLazy = isKnown && (config.lazy === true || config.isolation === 'session');
    const isIdle = isLazy || isSessionTemplate(upstream);
    if (isIdle) upstream.markIdle();
    const addition = new Addition(upstream, {
      start: isIdle ? undefined : () => supervisor.start(),
      forget: (who) => this.forget(upstream, who),
      remove: () => void this.end(upstream, by),
    });
    // What it lists is there already: a request for it waits.
    if (isKnown || config.idleTimeoutMs !== undefined) supervisor.wakesOnDemand(addition.started);
    return addition;
  }

  /**
   * Unregisters a server at once, then ends its run. Resolves when none of its processes is left.
   *
   * @throws MuxError SERVER_NOT_FOUND
   */
  async remove(name: string, by: Actor = HOST, from: Scope = SHARED): Promise<void> {
    await this.end(this.require(name, from), by);
  }

  /** Removes all that is in a scope, such as that of a client that has gone. Resolves when no process is left. */
  async removeAll(scope: Scope, by: Actor): Promise<void> {
    const inside = this.all().filter((upstream) => upstream.scope === scope);
    await Promise.all(inside.map((upstream) => this.end(upstream, by)));
  }

  /**
   * Ends the server's run and starts it again from the same configuration, in this order or, with `reload: 'swap'`, in
   * the other. Calls that come while one reload is under way share the next one.
   *
   * @throws MuxError SERVER_NOT_FOUND, START_FAILED (the server stays registered: as crashed, or with `swap` as it was),
   *   SERVER_REMOVED
   */
  async reload(name: string, { approve = false, by = HOST, from }: ReloadOptions = {}): Promise<Upstream> {
    const upstream = this.require(name, from);
    this.events.reloading(upstream, by);
    const failure = await this.supervisorOf(upstream)?.reload();
    if (failure !== undefined && upstream.state.kind === 'running') throw notSwapped(name, failure);
    const reloaded = running(upstream);
    if (approve) {
      reloaded.approveTools();
      this.events.approved(reloaded, by);
    }
    return reloaded;
  }

  /** Whatever the tools of a server are when it starts next is approved. */
  approveNext(upstream: Upstream, by: Actor): void {
    upstream.pinned.approveNext();
    this.events.approved(upstream, by);
  }

  /** Ends every run as fast as mcpmux's own end demands. No server is left, and none can be added afterwards. */
  shutDown(): Promise<void> {
    this.ending ??= this.endAll();
    return this.ending;
  }

  private async endAll(): Promise<void> {
    const ending = [...this.all(), ...this.departures.servers].map((upstream) => upstream.shutDown());
    this.upstreams.clear();
    await Promise.all(ending);
  }

  private async end(upstream: Upstream, by: Actor): Promise<void> {
    this.forget(upstream, by);
    const { drainMs } = this.components.limits;
    const gone = upstream.endRun({ kind: 'removed' }, drainMs, REMOVE_TIMINGS);
    void this.departures.add(tableKey(upstream.name, upstream.scope), upstream, gone);
    await gone;
  }

  private checkFree(name: ServerName, { scope = SHARED, from = scope, sees }: NameOptions): void {
    if (this.ending !== undefined)
      throw new MuxError('CLOSED', 'mcpmux is shutting down; no server can be added.');
    const existing = this.upstreams.seen(name, from);
    if (existing !== undefined) throw sees?.(existing) === false ? taken(name) : exists(name, existing, from);
    checkCount(this.all(), scope, this.components.limits.maxServers);
  }

  private forget(upstream: Upstream, by: Actor): void {
    if (!this.upstreams.delete(upstream)) return;
    upstream.markRemoved();
    this.events.removed(upstream, by);
  }
}
