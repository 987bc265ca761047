import { MuxError } from '@mcpmux/kit';
import { foldServerName, parseServerName, type ServerName } from '@mcpmux/namespace';

import { RenewedSet } from '@mcpmux/wire';
import { isSessionTemplate } from '../config/isolation.js';
import { Layer, type LayerOwner } from '../config/layer.js';
import { isUnusable, type AnyServerConfig } from '../config/server-config.js';
import type { Upstream } from '../upstream.js';
import { HOST_ACTOR, type Actor } from '../config/actor.js';
import type { RegistryAddOptions, NameOptions, Addition } from './addition.js';
import type { Fleet, LayerServers, RemovalOptions } from './fleet.js';
import { nameExistsError, serverNotFoundError, nameTaken } from './registry-outcomes.js';
import { approveIfRequested, reload, type ReloadOptions } from './reload.js';
import { checkServerCount } from './server-bound.js';
import type { Supervisor } from './supervisor.js';

/** The number of positions reserved for each layer. In lists, the servers of outer layers come first. */
const POSITIONS_PER_LAYER = 2 ** 40;

/** The maximum number of characters of a name to look up. Case-folding megabytes of text would delay all clients. */
const MAX_NAME_LENGTH = 1000;

/**
 * The servers of one layer: the shared layer, a workspace or a session. `add` reserves a name, and `remove` frees it.
 *
 * A client in a layer also finds the servers of outer layers. An inner server hides outer servers with the same name.
 */
export class Registry extends Layer<Upstream> {
  private readonly ownServers: LayerServers = new Map();
  private readonly innerRegistries = new RenewedSet<Registry>();
  /** The session's number, if this is a session's registry. */
  private session: number | undefined;
  private isWindow = false;
  private addedCount = 0;

  constructor(
    id: string,
    private readonly fleet: Fleet,
    override readonly parent?: Registry,
    owner?: LayerOwner,
  ) {
    super(id, parent, { ...parent?.owner, ...owner });
  }

  /** Opens a workspace in this registry. */
  openWorkspace(id: string, owner?: LayerOwner): Registry {
    const inner = new Registry(id, this.fleet, this, owner);
    this.innerRegistries.add(inner);
    return inner;
  }

  /** Opens a window's layer, for the servers that the window adds and the sessions that see them. */
  openWindow(session: number): Registry {
    const inner = this.openWorkspace(`window ${session}`, { session });
    inner.isWindow = true;
    return inner;
  }

  /** Opens a session in this registry, with an instance of every visible template. */
  openSession(session: number): Registry {
    const inner = this.openWorkspace(`session ${session}`, { session });
    inner.session = session;
    for (const template of inner.visibleServers().filter(isSessionTemplate)) inner.instantiate(template);
    return inner;
  }

  /** Removes this layer's servers and its templates' instances. Resolves when all processes have ended. */
  async close(by: Actor): Promise<void> {
    this.parent?.innerRegistries.delete(this);
    const ownServers = [...this.ownServers.values()];
    const removed = [...ownServers, ...ownServers.flatMap((upstream) => this.fleet.instancesOf(upstream))];
    await Promise.all(removed.map((upstream) => this.fleet.remove(upstream, by)));
  }

  override get isEmpty(): boolean {
    return this.ownServers.size === 0;
  }

  override get holdsTemplates(): boolean {
    return this.session === undefined;
  }

  /** The registry that all clients share. */
  get shared(): Registry {
    return this.parent?.shared ?? this;
  }

  /** Returns `layer` if it is this registry or an outer one, otherwise the shared registry. */
  registryOf(layer: Layer): Registry {
    return layer === this || this.parent === undefined ? this : this.parent.registryOf(layer);
  }

  /** Returns the registry with this id, which may be this registry or an inner one. */
  findLayer(id: string): Registry | undefined {
    if (id === this.id) return this;
    return [...this.innerRegistries].map((inner) => inner.findLayer(id)).find((found) => found !== undefined);
  }

  /** True for the layer of a single session or window. */
  get isSingleClient(): boolean {
    return this.isWindow || this.session !== undefined;
  }

  /** The number of windows that use this layer. */
  get windowCount(): number {
    if (this.isSingleClient) return this.isWindow ? 1 : 0;
    return [...this.innerRegistries].reduce((sum, inner) => sum + inner.windowCount, 0);
  }

  override list(): readonly Upstream[] {
    return this.visibleServers().filter((upstream) => !isSessionTemplate(upstream));
  }

  /** This layer's servers, including templates, in the order they were added. */
  registeredServers(): readonly Upstream[] {
    return [...this.ownServers.values()];
  }

  /** Stops the servers of all layers within the time limits for a shutdown. Afterwards, no server can be added. */
  shutDown(): Promise<void> {
    return this.fleet.shutDown();
  }

  /** The servers of all layers of this mux, including templates, in the order they were added. */
  allServers(): readonly Upstream[] {
    return this.fleet.servers;
  }

  find(name: string): Upstream | undefined {
    const upstream = this.resolve(name);
    if (upstream?.name !== name) return undefined;
    return !this.isShared && isSessionTemplate(upstream) ? undefined : upstream;
  }

  /** Returns the innermost server with this name that is visible in this layer. Ignores case and character width. */
  resolve(name: string): Upstream | undefined {
    if (name.length > MAX_NAME_LENGTH) return undefined;
    return this.ownServers.get(foldServerName(name)) ?? this.parent?.resolve(name);
  }

  /**
   * Returns the server with this name.
   *
   * @throws MuxError SERVER_NOT_FOUND, with a list of the existing servers
   */
  require(name: string): Upstream {
    const upstream = this.find(name);
    if (upstream !== undefined) return upstream;
    throw serverNotFoundError(name, this.isShared ? this.registeredServers() : this.list());
  }

  supervisorOf(upstream: Upstream): Supervisor | undefined {
    return this.fleet.supervisorOf(upstream);
  }

  /** Checks a name before mcpmux asks the user about it. Throws the error that {@link add} would throw. */
  checkName(name: string, { actorRegistry = this, sees }: NameOptions = {}): ServerName {
    const serverName = parseServerName(name);
    if (this.fleet.isShuttingDown)
      throw new MuxError('CLOSED', 'mcpmux is shutting down; no server can be added.');
    const existingServer = actorRegistry.resolve(name);
    if (existingServer !== undefined)
      throw sees?.(existingServer) === false
        ? nameTaken(name)
        : nameExistsError(name, existingServer, actorRegistry);
    checkServerCount(this.allServers(), this, this.fleet.components.limits.maxServers);
    return serverName;
  }

  /**
   * Registers a server in this layer and starts it.
   *
   * @throws NamespaceError if the name is invalid
   * @throws MuxError SERVER_EXISTS if a server with this name (in any case or width) is visible, INVALID_CONFIG if
   * there are too many servers, CLOSED once the mux has been closed
   */
  add(name: string, config: AnyServerConfig, options: RegistryAddOptions = {}): Addition {
    const { by = HOST_ACTOR, view, remembered, reread, addedBy, scopeReason, manager, pinnedAs } = options;
    const serverName = this.checkName(name, options);
    const place = this.nextPlace();
    const settings = { view, remembered, reread, addedBy, scopeReason, manager, pinnedAs };
    const registration = { name: serverName, config, ...settings, ...place };
    const addition = this.fleet.add(registration, this.ownServers, by);
    if (isSessionTemplate(addition.upstream)) this.instantiateBelow(addition.upstream);
    return addition;
  }

  /**
   * Unregisters a server at once, or after its manager has removed it, then ends its run. For a template, also removes
   * its instances. Resolves when all their processes have ended.
   *
   * @param removal.haste when aborted, calls in flight and processes get only as much time as after a failed start
   * @throws MuxError SERVER_NOT_FOUND, and the errors of the server's manager
   */
  async remove(name: string, by: Actor = HOST_ACTOR, removal: RemovalOptions = {}): Promise<void> {
    const upstream = this.require(name);
    const managerRemoval = upstream.manager?.remove();
    if (managerRemoval !== undefined) await managerRemoval;
    const removed = [upstream, ...this.fleet.instancesOf(upstream)];
    await Promise.all(removed.map((each) => this.fleet.remove(each, by, removal)));
  }

  /**
   * Restarts a server, see {@link reload}. If its config is unusable, reads the config again with `reread`.
   *
   * @throws MuxError SERVER_NOT_FOUND, START_FAILED, SERVER_REMOVED
   */
  async reload(name: string, options: ReloadOptions = {}): Promise<Upstream> {
    const upstream = this.require(name);
    if (!isUnusable(upstream.config)) return reload(this.fleet, upstream, options);
    return approveIfRequested(this.fleet, await this.replaceUnusable(upstream, options), options);
  }

  /** Replaces a failed server with a server that has the current config. Resolves when the new server is running. */
  private replaceUnusable(upstream: Upstream, options: ReloadOptions): Promise<Upstream> {
    if (upstream.layer !== this && this.parent !== undefined)
      return this.parent.replaceUnusable(upstream, options);
    const { by = HOST_ACTOR, rereadResult } = options;
    const addition = this.fleet.replace(upstream, by, rereadResult);
    addition.keep();
    if (isSessionTemplate(addition.upstream)) this.instantiateBelow(addition.upstream);
    return addition.started;
  }

  private visibleServers(): readonly Upstream[] {
    const outerServers = this.parent?.visibleServers() ?? [];
    const isShadowed = ({ name }: Upstream): boolean => this.ownServers.has(foldServerName(name));
    return [...outerServers.filter((upstream) => !isShadowed(upstream)), ...this.ownServers.values()];
  }

  private instantiateBelow(template: Upstream): void {
    for (const inner of this.innerRegistries) {
      inner.instantiateBelow(template);
      // A server with the same name in the session's own layer or its workspace takes precedence.
      if (inner.resolve(template.name) === template) inner.instantiate(template);
    }
  }

  private instantiate(template: Upstream): void {
    const { session } = this;
    if (session === undefined) return;
    this.fleet.instantiate(template, this.nextPlace(), this.ownServers, { rule: 'isolation', session });
  }

  private nextPlace(): { readonly layer: Registry; readonly position: number } {
    this.addedCount += 1;
    return { layer: this, position: (this.chain.length - 1) * POSITIONS_PER_LAYER + this.addedCount };
  }
}
