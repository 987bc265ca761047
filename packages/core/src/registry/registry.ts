import { parseServerName, type ServerName } from '@mcpmux/namespace';

import { MuxError } from '../base/errors.js';
import { HOST, type Actor } from './actor.js';
import type { Addition } from './addition.js';
import { REMOVE_TIMINGS } from '../process/stop-ladder.js';
import {
  exists,
  notAdded,
  notFound,
  notSwapped,
  running,
  settled,
  taken,
  type ReloadOutcome,
  type Reloads,
} from './registry-outcomes.js';
import type { RegistryEvents } from './registry-events.js';
import type { AddingOptions, NameOptions, ReloadOptions } from './registry-options.js';
import { Restarter } from './restarter.js';
import { checkCount } from './server-bound.js';
import { ServerTable, tableKey } from './server-table.js';
import { IdleStopper } from './idle-stopper.js';
import { isSessionTemplate } from '../upstream/config/isolation.js';
import { listsAnything, withoutResources } from '../upstream/lists/server-lists.js';
import { SHARED, type Scope } from '../upstream/config/scope.js';
import type { Registration } from '../upstream/lists/registration.js';
import type { AnyServerConfig } from '../upstream/config/server-config.js';
import { Upstream } from '../upstream/upstream.js';
import type { UpstreamComponents } from '../upstream/upstream-components.js';
import type { UpstreamEvents } from '../upstream/upstream-events.js';

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
  /** Runs that are still coming down, by scope and folded name: their successor waits for the ports and files they hold. */
  private readonly leaving = new Map<string, Promise<void>>();
  private readonly goingDown = new Set<Upstream>();
  private readonly reloads = new Map<Upstream, Reloads>();
  private readonly restarter: Restarter;
  private readonly sleeper: IdleStopper;
  private readonly upstreamEvents: UpstreamEvents<Upstream>;
  /** Set once the mux is shutting down. */
  private ending: Promise<void> | undefined;

  constructor(
    private readonly components: UpstreamComponents<Upstream>,
    private readonly events: RegistryEvents,
  ) {
    const { clock, logger, limits } = components;
    this.restarter = new Restarter({
      clock,
      logger,
      random: Math.random,
      retryAfterMs: limits.retryGivenUpMs,
      restart: async (upstream) => {
        // It may have ended during a swap, whose outcome is not known yet.
        if (this.reloads.has(upstream)) await this.reloaded(upstream);
        if (!this.upstreams.has(upstream) || upstream.state.kind !== 'crashed') return;
        this.events.reloading(upstream, { rule: 'restart' });
        await this.queueReload(upstream);
      },
    });
    this.sleeper = new IdleStopper(clock, (upstream) => {
      upstream.markIdle();
      void upstream.endRun({ kind: 'reloaded' }, 0, REMOVE_TIMINGS);
    });
    this.upstreamEvents = {
      listChanged: (upstream, kind) => events.listChanged(upstream, kind),
      stderrLine: (upstream, line) => events.stderrLine(upstream, line),
      spawned: (upstream, pid) => events.spawned(upstream, pid),
      swapFailed: (upstream, failure) => events.swapFailed(upstream, failure),
      unpinned: (upstream, findings) => events.unpinned(upstream, findings),
      sessionLost: (upstream) => {
        events.reloading(upstream, { rule: 'session lost' });
        void this.queueReload(upstream);
      },
      stateChanged: (upstream) => {
        this.restarter.stateChanged(upstream);
        this.sleeper.stateChanged(upstream);
        events.stateChanged(upstream);
      },
    };
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

  private newUpstream(registration: Registration): Upstream {
    return new Upstream(registration, this.components, this.upstreamEvents);
  }

  private register(upstream: Upstream, by: Actor): Addition {
    const { name, scope, config, ranBefore: isKnown } = upstream;
    const key = tableKey(name, scope);
    this.upstreams.add(upstream);
    this.events.added(upstream, by);
    let isKept = false;
    const isIdle =
      isSessionTemplate(upstream) || (isKnown && (config.lazy === true || config.isolation === 'session'));
    if (isIdle) upstream.markIdle(this.leaving.get(key));
    const started = isIdle ? Promise.resolve(upstream) : this.started(upstream, key, () => isKept);
    // What it lists is there already: a request for it waits.
    if (isKnown || config.idleTimeoutMs !== undefined) upstream.revive = () => this.needed(upstream, started);
    return {
      upstream,
      started,
      keep: () => void (isKept = true),
      undo: () => {
        if (this.upstreams.has(upstream)) void this.end(upstream, by);
      },
    };
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
    const failure = await this.queueReload(upstream);
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
    const ending = [...this.all(), ...this.goingDown].map((upstream) => upstream.shutDown());
    this.upstreams.clear();
    await Promise.all(ending);
  }

  private async end(upstream: Upstream, by: Actor): Promise<void> {
    this.forget(upstream, by);
    const { drainMs } = this.components.limits;
    const gone = upstream.endRun({ kind: 'removed' }, drainMs, REMOVE_TIMINGS);
    void this.letGo(tableKey(upstream.name, upstream.scope), upstream, gone);
    await gone;
  }

  /** Keeps whoever gets the name next waiting until all who had it before are gone. */
  private async letGo(key: string, upstream: Upstream, gone: Promise<void>): Promise<void> {
    const allGone = Promise.all([this.leaving.get(key), gone]).then(() => undefined);
    this.leaving.set(key, allGone);
    this.goingDown.add(upstream);
    await allGone;
    this.goingDown.delete(upstream);
    if (this.leaving.get(key) === allGone) this.leaving.delete(key);
  }

  private async started(upstream: Upstream, key: string, isKept: () => boolean): Promise<Upstream> {
    await upstream.start(this.leaving.get(key));
    await this.reloaded(upstream);
    const { state, name } = upstream;
    // Reloaded before it was up: what counts is how that ends, and whoever reloaded it knows that it is there.
    if (state.kind !== 'crashed' || isKept() || upstream.restarts > 0) return running(upstream);
    this.forget(upstream, { rule: 'start failed' });
    throw notAdded(name, state.failure);
  }

  private checkFree(name: ServerName, { scope = SHARED, from = scope, sees }: NameOptions): void {
    if (this.ending !== undefined)
      throw new MuxError('CLOSED', 'mcpmux is shutting down; no server can be added.');
    const existing = this.upstreams.seen(name, from);
    if (existing !== undefined) throw sees?.(existing) === false ? taken(name) : exists(name, existing, from);
    checkCount(this.all(), scope, this.components.limits.maxServers);
  }

  /** Resolves to why everything stayed as it was, if so. */
  private queueReload(upstream: Upstream): ReloadOutcome {
    const reloads = this.reloads.get(upstream);
    if (reloads === undefined) {
      const current = this.reloadNow(upstream);
      this.reloads.set(upstream, { current, next: undefined });
      return current;
    }
    reloads.next ??= this.reloadAfter(reloads.current, upstream);
    return reloads.next;
  }

  private async reloadAfter(current: ReloadOutcome, upstream: Upstream): ReloadOutcome {
    await Promise.allSettled([current]);
    return this.queueReload(upstream);
  }

  /** Resolves when no reload of `upstream` is under way or waiting. */
  private async reloaded(upstream: Upstream): Promise<void> {
    const reloads = this.reloads.get(upstream);
    if (reloads === undefined) return;
    await (reloads.next ?? reloads.current);
    await this.reloaded(upstream);
  }

  private async reloadNow(upstream: Upstream): ReloadOutcome {
    const { drainMs } = this.components.limits;
    // A server that does not run has nothing to go on with.
    const isSwap = upstream.config.reload === 'swap' && upstream.state.kind === 'running';
    try {
      return await (isSwap
        ? upstream.swap(drainMs, REMOVE_TIMINGS)
        : upstream.reload(drainMs, REMOVE_TIMINGS));
    } finally {
      // Whatever has become of this one, the next one begins anew.
      this.reloads.delete(upstream);
    }
  }

  /** A request has come for a server that does not run, of which it is known what it lists. */
  private needed(upstream: Upstream, started: Promise<unknown>): Promise<void> | undefined {
    const { state } = upstream;
    if (state.kind === 'idle') {
      this.events.reloading(upstream, { rule: 'needed' });
      return settled(this.queueReload(upstream));
    }
    if (state.kind !== 'starting') return undefined;
    return settled(state.generation <= 1 && !this.reloads.has(upstream) ? started : this.reloaded(upstream));
  }

  private forget(upstream: Upstream, by: Actor): void {
    if (!this.upstreams.delete(upstream)) return;
    upstream.markRemoved();
    this.events.removed(upstream, by);
  }
}
