import { foldServerName, parseServerName, type ServerName } from '@mcpmux/namespace';

import { MuxError } from '../base/errors.js';
import { isSessionTemplate } from '../upstream/config/isolation.js';
import { Layer } from '../upstream/config/layer.js';
import type { AnyServerConfig } from '../upstream/config/server-config.js';
import type { Registration } from '../upstream/lists/registration.js';
import type { Upstream } from '../upstream/upstream.js';
import { HOST, type Actor } from './actor.js';
import type { Addition } from './addition.js';
import type { Fleet, LayerServers } from './fleet.js';
import { exists, notFound, taken } from './registry-outcomes.js';
import { reload, type ReloadOptions } from './reload.js';
import { checkCount } from './server-bound.js';
import type { Supervisor } from './supervisor.js';

/** Positions of one layer. The servers of a layer stand in lists behind those of the layers around it. */
const POSITIONS_OF_LAYER = 2 ** 40;

/** For whom a name is to be free. */
export interface NameOptions {
  /** The registry of the one who adds the server: the name must be free in it. The registry itself when absent. */
  readonly from?: Registry;
  /** Whether the one who adds it may know of a server that has the name; when absent, of any. */
  readonly sees?: ((upstream: Upstream) => boolean) | undefined;
}

/** How a server is added. */
export interface AddingOptions extends NameOptions, Pick<Registration, 'view' | 'remembered'> {
  readonly by?: Actor;
}

/**
 * The servers of one layer: of all clients, of a workspace, of a session. A name is taken from the moment `add` is called
 * until `remove` is; everything in between is a matter of the server's state.
 *
 * A client in a layer also finds the servers of the layers around it. Of several servers of one name the innermost counts.
 */
export class Registry extends Layer<Upstream> {
  private readonly own: LayerServers = new Map();
  private readonly inner = new Set<Registry>();
  /** Set for the registry of a session. */
  private session: number | undefined;
  private added = 0;

  constructor(
    id: string,
    private readonly fleet: Fleet,
    override readonly parent?: Registry,
  ) {
    super(id, parent);
  }

  /** A workspace in this registry. */
  openWorkspace(id: string): Registry {
    const inner = new Registry(id, this.fleet, this);
    this.inner.add(inner);
    return inner;
  }

  /** A session in this registry or workspace: gets an instance of each template that it sees. */
  openSession(session: number): Registry {
    const inner = this.openWorkspace(`session ${session}`);
    inner.session = session;
    for (const template of inner.visible().filter(isSessionTemplate)) inner.instantiate(template);
    return inner;
  }

  /** Removes the servers of this layer. Resolves when no process of them is left. */
  async close(by: Actor): Promise<void> {
    this.parent?.inner.delete(this);
    await Promise.all([...this.own.values()].map((upstream) => this.fleet.remove(upstream, by)));
  }

  override get isEmpty(): boolean {
    return this.own.size === 0;
  }

  override list(): readonly Upstream[] {
    return this.visible().filter((upstream) => !isSessionTemplate(upstream));
  }

  /** The servers of this layer, in the order of addition; templates too. */
  registered(): readonly Upstream[] {
    return [...this.own.values()];
  }

  /** Ends the servers of all layers as fast as mcpmux's own end demands. None can be added afterwards. */
  shutDown(): Promise<void> {
    return this.fleet.shutDown();
  }

  /** The servers of all layers of this mux, in the order of addition; templates too. */
  all(): readonly Upstream[] {
    return this.fleet.servers;
  }

  find(name: string): Upstream | undefined {
    const upstream = this.resolve(name);
    if (upstream?.name !== name) return undefined;
    return !this.isShared && isSessionTemplate(upstream) ? undefined : upstream;
  }

  /** The server that takes up a name for clients in this layer, in whatever case or width. */
  resolve(name: string): Upstream | undefined {
    return this.own.get(foldServerName(name)) ?? this.parent?.resolve(name);
  }

  /** @throws MuxError SERVER_NOT_FOUND, naming the servers there are */
  require(name: string): Upstream {
    const upstream = this.find(name);
    if (upstream !== undefined) return upstream;
    throw notFound(name, this.isShared ? this.registered() : this.list());
  }

  supervisorOf(upstream: Upstream): Supervisor | undefined {
    return this.fleet.supervisorOf(upstream);
  }

  /** Throws what {@link add} would throw for this name now: nobody need be asked about it then. */
  checkName(name: string, { from = this, sees }: NameOptions = {}): ServerName {
    const serverName = parseServerName(name);
    if (this.fleet.isEnding) throw new MuxError('CLOSED', 'mcpmux is shutting down; no server can be added.');
    const existing = from.resolve(name);
    if (existing !== undefined) throw sees?.(existing) === false ? taken(name) : exists(name, existing, from);
    checkCount(this.all(), this, this.fleet.components.limits.maxServers);
    return serverName;
  }

  /**
   * Registers a server in this layer and starts it.
   *
   * @throws NamespaceError when the name is illegal
   * @throws MuxError SERVER_EXISTS when a server of that name (in any case or width) is seen, INVALID_CONFIG when
   *   there are too many, CLOSED after the mux was closed
   */
  add(name: string, config: AnyServerConfig, options: AddingOptions = {}): Addition {
    const { by = HOST, view, remembered } = options;
    const serverName = this.checkName(name, options);
    const registration = { name: serverName, config, view, remembered, ...this.nextPlace() };
    const addition = this.fleet.add(registration, this.own, by);
    if (isSessionTemplate(addition.upstream)) this.instantiateBelow(addition.upstream);
    return addition;
  }

  /**
   * Unregisters a server at once, then ends its run; of a template, its instances too. Resolves when none of their
   * processes is left.
   *
   * @throws MuxError SERVER_NOT_FOUND
   */
  async remove(name: string, by: Actor = HOST): Promise<void> {
    const upstream = this.require(name);
    const removed = [upstream, ...this.fleet.instancesOf(upstream)];
    await Promise.all(removed.map((each) => this.fleet.remove(each, by)));
  }

  /**
   * Starts a server again, see {@link reload}.
   *
   * @throws MuxError SERVER_NOT_FOUND, START_FAILED, SERVER_REMOVED
   */
  async reload(name: string, options: ReloadOptions = {}): Promise<Upstream> {
    return reload(this.fleet, this.require(name), options);
  }

  private visible(): readonly Upstream[] {
    const around = this.parent?.visible() ?? [];
    const isShadowed = ({ name }: Upstream): boolean => this.own.has(foldServerName(name));
    return [...around.filter((upstream) => !isShadowed(upstream)), ...this.own.values()];
  }

  private instantiateBelow(template: Upstream): void {
    for (const inner of this.inner) {
      inner.instantiateBelow(template);
      // A server of that name in the session or its workspace stays.
      if (inner.resolve(template.name) === template) inner.instantiate(template);
    }
  }

  private instantiate(template: Upstream): void {
    const { session } = this;
    if (session === undefined) return;
    this.fleet.instantiate(template, this.nextPlace(), this.own, { rule: 'isolation', session });
  }

  private nextPlace(): { readonly layer: Registry; readonly position: number } {
    this.added += 1;
    return { layer: this, position: (this.chain.length - 1) * POSITIONS_OF_LAYER + this.added };
  }
}
