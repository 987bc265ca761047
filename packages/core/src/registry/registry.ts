import { foldServerName, parseServerName } from '@mcpmux/namespace';

import { MuxError } from '../errors.js';
import { REMOVE_TIMINGS } from '../process/stop-ladder.js';
import { Restarter } from './restarter.js';
import { explain, report, type RunFailure } from '../upstream/run-failure.js';
import type { ServerConfig } from '../upstream/server-config.js';
import { Upstream, type UpstreamComponents, type UpstreamEvents } from '../upstream/upstream.js';

/** What the owner of a {@link Registry} is told, beyond what each upstream tells. */
export interface RegistryEvents extends Omit<UpstreamEvents, 'sessionLost'> {
  added(upstream: Upstream): void;
  removed(upstream: Upstream): void;
}

/** A server on its way up. */
export interface Addition {
  readonly upstream: Upstream;
  /** Resolves when the server runs. Rejects with MuxError START_FAILED or SERVER_REMOVED. */
  readonly started: Promise<Upstream>;
  /** Whoever asked has been answered: from now on a failed start leaves the server registered as crashed. */
  readonly keep: () => void;
  /** Whoever asked does not want it any more: removes this server, and no later one of the same name. */
  readonly undo: () => void;
}

/**
 * The servers of one mux, in the order they were added. A name is taken from the moment `add` is called until `remove`
 * is; everything in between is a matter of the server's state.
 */
export class Registry {
  private readonly upstreams = new Map<string, Upstream>();
  /** Runs that are still coming down, by folded name: their successor waits for the ports and files they hold. */
  private readonly leaving = new Map<string, Promise<void>>();
  private readonly goingDown = new Set<Upstream>();
  private readonly reloads = new Map<Upstream, Reloads>();
  private readonly restarter: Restarter;
  private readonly upstreamEvents: UpstreamEvents;
  /** Set once the mux is shutting down. */
  private ending: Promise<void> | undefined;

  constructor(
    private readonly components: UpstreamComponents,
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
        if (this.find(upstream.name) === upstream && upstream.state.kind === 'crashed')
          await this.queueReload(upstream);
      },
    });
    this.upstreamEvents = {
      listChanged: (upstream, kind) => events.listChanged(upstream, kind),
      notification: (received) => events.notification(received),
      request: (received, id) => events.request(received, id),
      stderrLine: (upstream, line) => events.stderrLine(upstream, line),
      sessionLost: (upstream) => void this.queueReload(upstream),
      stateChanged: (upstream) => {
        this.restarter.stateChanged(upstream);
        events.stateChanged(upstream);
      },
    };
  }

  /** In the order of addition; a reload keeps the place. */
  list(): readonly Upstream[] {
    return [...this.upstreams.values()];
  }

  find(name: string): Upstream | undefined {
    const upstream = this.upstreams.get(foldServerName(name));
    return upstream?.name === name ? upstream : undefined;
  }

  /** @throws MuxError SERVER_NOT_FOUND, naming the servers there are */
  require(name: string): Upstream {
    const upstream = this.find(name);
    if (upstream !== undefined) return upstream;
    const names = this.list().map((known) => known.name);
    const known =
      names.length === 0 ? 'No server is registered.' : `Registered servers: ${names.join(', ')}.`;
    throw new MuxError('SERVER_NOT_FOUND', `There is no server named ${JSON.stringify(name)}. ${known}`);
  }

  /**
   * Registers a server and starts it.
   *
   * @throws NamespaceError when the name is illegal
   * @throws MuxError SERVER_EXISTS when a server of that name (in any case or width) is registered, INVALID_CONFIG when
   *   there are too many, CLOSED after the mux was closed
   */
  add(name: string, config: ServerConfig): Addition {
    const serverName = parseServerName(name);
    const key = foldServerName(serverName);
    this.checkFree(key, name);
    const upstream = new Upstream(serverName, config, this.components, this.upstreamEvents);
    this.upstreams.set(key, upstream);
    this.events.added(upstream);
    let isKept = false;
    return {
      upstream,
      started: this.started(upstream, key, () => isKept),
      keep: () => void (isKept = true),
      undo: () => {
        if (this.upstreams.get(key) === upstream) void this.remove(name);
      },
    };
  }

  /**
   * Unregisters a server at once, then ends its run. Resolves when none of its processes is left.
   *
   * @throws MuxError SERVER_NOT_FOUND
   */
  async remove(name: string): Promise<void> {
    const upstream = this.require(name);
    this.forget(upstream);
    const key = foldServerName(name);
    const { drainMs } = this.components.limits;
    const gone = upstream.endRun({ kind: 'removed' }, drainMs, REMOVE_TIMINGS);
    void this.letGo(key, upstream, gone);
    await gone;
  }

  /**
   * Ends the server's run and starts it again from the same configuration, in this order or, with `reload: 'swap'`, in
   * the other. Calls that come while one reload is under way share the next one.
   *
   * @throws MuxError SERVER_NOT_FOUND, START_FAILED (the server stays registered: as crashed, or with `swap` as it was),
   *   SERVER_REMOVED
   */
  async reload(name: string): Promise<Upstream> {
    const upstream = this.require(name);
    const failure = await this.queueReload(upstream);
    if (failure !== undefined && upstream.state.kind === 'running') throw notSwapped(name, failure);
    return running(upstream);
  }

  /** Ends every run as fast as mcpmux's own end demands. No server is left, and none can be added afterwards. */
  shutDown(): Promise<void> {
    this.ending ??= this.endAll();
    return this.ending;
  }

  private async endAll(): Promise<void> {
    const ending = [...this.list(), ...this.goingDown].map((upstream) => upstream.shutDown());
    this.upstreams.clear();
    await Promise.all(ending);
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
    this.forget(upstream);
    const advice = 'advice' in state.failure ? [state.failure.advice] : [];
    const lines = [report(name, state.failure), ...advice, 'It was not added.'];
    throw new MuxError('START_FAILED', lines.filter((line) => line !== undefined).join('\n'));
  }

  private checkFree(key: string, name: string): void {
    if (this.ending !== undefined)
      throw new MuxError('CLOSED', 'mcpmux is shutting down; no server can be added.');
    const existing = this.upstreams.get(key);
    if (existing !== undefined) throw exists(name, existing);
    const { maxServers } = this.components.limits;
    if (this.upstreams.size < maxServers) return;
    throw new MuxError(
      'INVALID_CONFIG',
      `${maxServers} servers are registered, which is the limit. Remove one first.`,
    );
  }

  /** Resolves to why everything stayed as it was, if so. */
  private queueReload(upstream: Upstream): ReloadOutcome {
    const reloads = this.reloads.get(upstream);
    if (reloads === undefined) {
      const current = this.reloadNow(upstream);
      this.reloads.set(upstream, { current, next: undefined });
      return current;
    }
    reloads.next ??= reloads.current.then(() => this.queueReload(upstream));
    return reloads.next;
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
    const failure = isSwap
      ? await upstream.swap(drainMs, REMOVE_TIMINGS)
      : await upstream.reload(drainMs, REMOVE_TIMINGS);
    this.reloads.delete(upstream);
    return failure;
  }

  private forget(upstream: Upstream): void {
    const key = foldServerName(upstream.name);
    if (this.upstreams.get(key) !== upstream) return;
    this.upstreams.delete(key);
    upstream.markRemoved();
    this.events.removed(upstream);
  }
}

type ReloadOutcome = Promise<RunFailure | undefined>;

interface Reloads {
  readonly current: ReloadOutcome;
  next: ReloadOutcome | undefined;
}

function notSwapped(name: string, failure: RunFailure): MuxError {
  return new MuxError(
    'START_FAILED',
    `${report(name, failure)}\nThe reload was given up: the server runs on as it was before.`,
  );
}

function running(upstream: Upstream): Upstream {
  const { state, name } = upstream;
  if (state.kind === 'crashed') throw new MuxError('START_FAILED', explain(name, state.failure));
  if (state.kind === 'removed') {
    throw new MuxError('SERVER_REMOVED', `Server "${name}" was removed before it was running.`);
  }
  return upstream;
}

function exists(name: string, existing: Upstream): MuxError {
  const spelled = existing.name === name ? '' : ` (spelled ${JSON.stringify(existing.name)})`;
  return new MuxError(
    'SERVER_EXISTS',
    `A server named ${JSON.stringify(name)}${spelled} exists already and is ${existing.state.kind}. ` +
      'Use reload_server to start it again, or remove_server first to change its configuration.',
  );
}
