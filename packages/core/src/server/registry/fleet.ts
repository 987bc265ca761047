import { foldServerName } from '@mcpmux/namespace';

import { ABORT_TIMINGS, REMOVE_TIMINGS } from '../../process/stop-ladder.js';
import { isSessionTemplate } from '../config/isolation.js';
import type { RunFailure } from '../link/run-failure.js';
import { hasListedEntries, withoutResources } from '../lists/server-lists.js';
import type { Registration, RereadResult } from '../lists/registration.js';
import { Upstream } from '../upstream.js';
import type { UpstreamComponents } from '../run/run-components.js';
import type { ObserveServer, ServerReport } from '../run/server-report.js';
import type { Actor } from '../config/actor.js';
import { Addition } from './addition.js';
import { whenDone } from './registry-outcomes.js';
import { Supervisor } from './supervisor.js';

/** Options for ending a removed server's run. */
export interface RemovalOptions {
  /** When aborted, calls in flight and processes get only as much time as after a failed start. */
  readonly haste?: AbortSignal | undefined;
  /** True if the server continues elsewhere, so that failed calls in flight report a move instead of a removal. */
  readonly isMoved?: boolean | undefined;
}

/** One layer's servers by folded name, in the order they were added. */
export type LayerServers = Map<string, Upstream>;

/** All servers of one mux, in all layers. Starts and stops them, and reports their events. */
export class Fleet {
  private readonly layerServers = new Map<Upstream, LayerServers>();
  private readonly supervisors = new WeakMap<Upstream, Supervisor>();
  /** The template of each session instance. */
  private readonly templates = new WeakMap<Upstream, Upstream>();
  /** Removed servers that still have processes. */
  private readonly removals = new Map<Upstream, Promise<void>>();
  /** Set once the mux begins to shut down. */
  private shutdownPromise: Promise<void> | undefined;

  constructor(
    readonly components: UpstreamComponents<Upstream>,
    readonly observe: ObserveServer<Upstream>,
  ) {}

  get isShuttingDown(): boolean {
    return this.shutdownPromise !== undefined;
  }

  /** The registered servers, in the order they were added. */
  get servers(): readonly Upstream[] {
    return [...this.layerServers.keys()];
  }

  /** Returns a server's supervisor, or undefined for a server of another mux. */
  supervisorOf(upstream: Upstream): Supervisor | undefined {
    return this.supervisors.get(upstream);
  }

  instancesOf(template: Upstream): readonly Upstream[] {
    return this.servers.filter((upstream) => this.templates.get(upstream) === template);
  }

  /** Registers a server and starts it, unless it is initially idle. */
  add(registration: Registration<Upstream>, servers: LayerServers, by: Actor): Addition {
    return this.register(this.createUpstream(registration), servers, by);
  }

  /** Replaces a server whose config is unusable with a server that has the current config. */
  replace(upstream: Upstream, by: Actor, read?: RereadResult): Addition {
    const { name, layer, position, addedBy, reread, scopeReason, manager } = upstream;
    const servers = this.layerServers.get(upstream) ?? new Map<string, Upstream>();
    const { config, view, remembered, registered }: RereadResult = read ?? reread?.() ?? upstream;
    const place = { layer, position, addedBy, scopeReason, manager };
    const replacement = this.createUpstream({ name, config, view, remembered, reread, ...place });
    this.observe(replacement, { kind: 'reloading', by });
    this.layerServers.delete(upstream);
    upstream.markRemoved();
    return this.register(replacement, servers, by, () => {
      this.observe(upstream, { kind: 'replaced', next: replacement });
      registered?.();
    });
  }

  /** Registers a session's instance of a template. With known lists, the instance is idle until a request needs it. */
  instantiate(
    template: Upstream,
    place: Pick<Registration<Upstream>, 'layer' | 'position'>,
    servers: LayerServers,
    by: Actor,
  ): void {
    const { name, config, view, scopeReason, pinnedAs, unfilteredLists: known, hasRunBefore } = template;
    const upstream = this.createUpstream({ name, config, view, scopeReason, pinnedAs, ...place });
    const lists = withoutResources(known);
    if (hasRunBefore && hasListedEntries(lists)) upstream.recall(lists);
    this.templates.set(upstream, template);
    const { keep, started } = this.register(upstream, servers, by);
    keep();
    // The outcome of the start is in the server's state.
    void whenDone(started);
  }

  /**
   * Unregisters a server immediately, then ends its run. Resolves when all of its processes have ended.
   *
   * @param removal.haste when aborted, calls in flight and processes get only as much time as after a failed start
   */
  async remove(upstream: Upstream, by: Actor, { haste, isMoved }: RemovalOptions = {}): Promise<void> {
    const removal = this.removals.get(upstream);
    if (removal !== undefined) return removal;
    this.forget(upstream, by);
    const { drainMs } = this.components.limits;
    const failure: RunFailure = { kind: isMoved === true ? 'moved' : 'removed' };
    const endOfRun = upstream.endRun(failure, drainMs, REMOVE_TIMINGS);
    const onHaste = (): void => void upstream.endRun(failure, 0, ABORT_TIMINGS);
    haste?.addEventListener('abort', onHaste, { once: true });
    this.removals.set(upstream, endOfRun);
    await endOfRun;
    haste?.removeEventListener('abort', onHaste);
    this.removals.delete(upstream);
  }

  /** Ends every run within the time limits for mcpmux's shutdown. Afterwards, no server can be added. */
  shutDown(): Promise<void> {
    this.shutdownPromise ??= this.endAll();
    return this.shutdownPromise;
  }

  private async endAll(): Promise<void> {
    const shutdowns = [...this.servers, ...this.removals.keys()].map((upstream) => upstream.shutDown());
    for (const servers of this.layerServers.values()) servers.clear();
    this.layerServers.clear();
    await Promise.all(shutdowns);
  }

  private createUpstream(registration: Registration<Upstream>): Upstream {
    const { layer, name, config } = registration;
    if ('login' in config && config.login) this.components.logins?.used?.();
    // The new server may need ports or files that these servers are still using.
    const predecessors = [...this.removals].flatMap(([upstream, ended]) =>
      upstream.layer === layer && foldServerName(upstream.name) === foldServerName(name) ? [ended] : [],
    );
    const predecessorEnded = Promise.all(predecessors);
    return new Upstream(registration, this.components, {
      predecessorEnded,
      observe: (upstream, report) => this.onReport(upstream, report),
      onSessionLost: (upstream) => this.supervisorOf(upstream)?.handleLostSession() ?? false,
      onSessionDoubted: (upstream) =>
        this.supervisorOf(upstream)?.handleDoubtedSession() ?? Promise.resolve(false),
    });
  }

  private register(
    upstream: Upstream,
    servers: LayerServers,
    by: Actor,
    report = (): void => this.observe(upstream, { kind: 'added', by }),
  ): Addition {
    const { name, config, hasRunBefore: isKnown } = upstream;
    const onReloading = (who: Actor): void => this.observe(upstream, { kind: 'reloading', by: who });
    const supervisor = new Supervisor(upstream, this.components, onReloading);
    this.supervisors.set(upstream, supervisor);
    servers.set(foldServerName(name), upstream);
    this.layerServers.set(upstream, servers);
    report();
    const isLazy = isKnown && (config.lazy === true || config.isolation === 'session');
    const isIdle = isLazy || isSessionTemplate(upstream);
    if (isIdle) upstream.markIdle();
    const start = isIdle ? undefined : supervisor.start();
    const forget = (who: Actor): void => this.forget(upstream, who);
    const addition = new Addition(upstream, start, forget, () => void this.remove(upstream, by));
    // If a server's lists are known, or if it stops when idle, a request starts the server and waits for the start.
    if (isKnown || config.lazy === true || config.idleTimeoutMs !== undefined)
      supervisor.enableWakeOnDemand(addition.started);
    return addition;
  }

  private forget(upstream: Upstream, by: Actor): void {
    const servers = this.layerServers.get(upstream);
    if (servers === undefined) return;
    servers.delete(foldServerName(upstream.name));
    this.layerServers.delete(upstream);
    upstream.markRemoved();
    this.observe(upstream, { kind: 'removed', by });
  }

  private onReport(upstream: Upstream, report: ServerReport<Upstream>): void {
    if (report.kind === 'state-changed') this.handleStateChange(upstream);
    this.observe(upstream, report);
  }

  private handleStateChange(upstream: Upstream): void {
    this.supervisorOf(upstream)?.handleStateChange();
    // The template gets only the lists from the instance's start, because later ones may depend on the session's calls.
    if (upstream.state.kind === 'running')
      this.templates.get(upstream)?.recall(withoutResources(upstream.unfilteredLists));
  }
}
