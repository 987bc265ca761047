import { randomUUID } from 'node:crypto';
import process from 'node:process';

import { DEFAULT_NAME_BUDGET } from '@mcpmux/namespace';

import { type Channel, memoryChannels } from '@mcpmux/wire';
import { CallEvents } from './call-events.js';
import { Catalogs } from '../catalog/catalogs.js';
import { methodsByScope, type ListChange } from '../catalog/list-change.js';
import { ChangeCoalescer } from '../catalog/change-coalescer.js';
import { systemClock, type Clock } from '../base/clock.js';
import { LocalClient, type CallOptions, type CallToolResult } from '../downstream/session/local-client.js';
import { initializeResultJson } from '../downstream/session/initialize-result.js';
import type { Isolation } from '../downstream/caller/session-scope.js';
import type { ScopeView } from '../downstream/caller/caller-view.js';
import { Sessions } from '../downstream/session/sessions.js';
import { messageOf, MuxError } from '../base/errors.js';
import { DEFAULT_LIMITS, type Limits } from '../base/limits.js';
import { linkChannel } from './link-channel.js';
import { GuardList } from '../guards/guard-list.js';
import type { Guard, GuardHandler } from '../guards/guard.js';
import { HOST, type Principal } from '../guards/principal.js';
import { guarded, nullLogger, type Logger } from '../base/logger.js';
import { ALLOW_ALL, type AddPolicy } from '../tools/policy/add-policy.js';
import { ServerJournal } from '../tools/journal/server-journal.js';
import { serverStatus, type ServerStatus } from '../tools/status/server-status.js';
import type { ServerStore } from '../tools/context/server-store.js';
import type { InstanceDirectory } from '../tools/context/instances.js';
import { OwnTools } from '../tools/own-tools.js';
import type {
  AddOptions,
  ClientSession,
  ConnectOptions,
  Link,
  Mux,
  MuxComponents,
  MuxOptions,
} from './mux-api.js';
import { MuxEvents, type MuxEvent, type MuxEventMap, type MuxEventName } from './mux-events.js';
import { ProcessGuard } from '../process/guard.js';
import { Registry } from '../registry/registry.js';
import { SessionServers } from '../registry/session-servers.js';
import { Workspaces } from '../registry/workspaces.js';
import { ServerObserver } from './server-observer.js';
import type { ClientProfile } from '../upstream/config/client-profile.js';
import type { Implementation } from '../dialect/server-identity.js';
import { rememberedOf, type RememberedLists } from '../upstream/lists/remembered-lists.js';
import type { Scope } from '../upstream/config/scope.js';
import type { ServerConfig } from '../upstream/config/server-config.js';
import { ToolPins } from '../upstream/lists/tool-pins.js';
import type { Upstream } from '../upstream/upstream.js';
import { upstreamComponents } from './upstream-components.js';

const DEFAULT_IMPLEMENTATION: Implementation = { name: 'mcpmux', version: '0.0.0' };

class Multiplexer implements Mux {
  private readonly limits: Limits;
  private readonly logger: Logger;
  private readonly clock: Clock;
  private readonly implementation: Implementation;
  private readonly addPolicy: AddPolicy;
  private readonly pins: ToolPins;
  private readonly store: ServerStore | undefined;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly guard: ProcessGuard;
  private readonly registry: Registry;
  private readonly catalogs: Catalogs;
  private readonly changes: ChangeCoalescer<ListChange>;
  private readonly muxEvents = new MuxEvents((error) =>
    this.logger.log('error', 'a listener of an event threw', { problem: messageOf(error) }),
  );
  private readonly guardList = new GuardList();
  private readonly sessions: Sessions;
  private readonly journal: ServerJournal;
  private readonly observer: ServerObserver;
  private readonly workspaces: Workspaces;
  private readonly sessionServers: SessionServers;
  private readonly instances: InstanceDirectory | undefined;
  private readonly ownTools: OwnTools;
  private localClient: LocalClient | undefined;
  private isClosed = false;

  constructor(options: MuxOptions, components: MuxComponents) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.logger = guarded(components.logger ?? nullLogger);
    this.clock = components.clock ?? systemClock;
    this.journal = new ServerJournal(this.clock);
    this.implementation = options.implementation ?? DEFAULT_IMPLEMENTATION;
    this.addPolicy = options.addPolicy ?? ALLOW_ALL;
    this.pins = new ToolPins(options.pinTools ?? 'warn');
    this.store = components.persist;
    this.instances = components.instances;
    this.environment = components.environment ?? process.env;
    const instanceId = randomUUID();
    this.guard = new ProcessGuard(instanceId, this.logger);
    this.ownTools = this.newOwnTools();
    this.catalogs = this.newCatalogs(options);
    this.changes = new ChangeCoalescer(this.clock, this.limits.listChangedDelayMs, (changes) => {
      this.muxEvents.emit('catalog:changed', {});
      this.sessions.announce(methodsByScope(changes));
    });
    this.sessions = this.newSessions();
    const { logger, sessions, journal, muxEvents: events } = this;
    const started = (upstream: Upstream): void => this.sessionServers.started(upstream);
    const listChanged = (upstream: Upstream, method: string): void => {
      const { scope } = upstream;
      this.catalogs.changed(scope);
      this.changes.changed({ scope, method });
    };
    this.observer = new ServerObserver({ logger, events, sessions, journal, started, listChanged });
    this.registry = new Registry(upstreamComponents(this.ofUpstreams(instanceId), components), this.observer);
    this.sessionServers = new SessionServers(this.registry);
    this.workspaces = new Workspaces({
      clock: this.clock,
      idleMs: this.limits.workspaceIdleMs,
      abandoned: (scope) => void this.registry.removeAll(scope, { rule: 'workspace abandoned' }),
    });
  }

  connect(link: Link, { principal, isolated = false, workspace: name }: ConnectOptions = {}): ClientSession {
    const workspace = name === undefined ? undefined : this.workspaces.enter(name);
    const isolation = { workspace: workspace?.scope, isAlone: isolated };
    const session = this.open(linkChannel(link, this.limits), principal, isolation);
    void session.closed.then(workspace?.leave);
    return session;
  }

  use(guard: Guard | string, handle?: GuardHandler<never>): () => void {
    if (typeof guard !== 'string') return this.guardList.use(guard);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is called with requests of that method alone
    return this.guardList.use({ methods: [guard], handle: handle as GuardHandler });
  }

  async addServer(name: string, config: ServerConfig, options: AddOptions = {}): Promise<ServerStatus> {
    const { tools: view, remembered: lists, keepsFailed } = options;
    const { upstream, started, keep } = this.registry.add(name, config, { view, remembered: lists });
    this.sessionServers.added(upstream);
    if (keepsFailed === true) keep();
    return this.statusOf(await started);
  }

  removeServer(name: string): Promise<void> {
    return this.sessionServers.remove(name);
  }

  async reloadServer(
    name: string,
    { approve = false }: { readonly approve?: boolean } = {},
  ): Promise<ServerStatus> {
    return this.statusOf(await this.sessionServers.reload(name, { approve }));
  }

  remember(name: string): RememberedLists | undefined {
    return rememberedOf(this.registry.find(name));
  }

  listServers({ everywhere = false }: { readonly everywhere?: boolean } = {}): readonly ServerStatus[] {
    const upstreams = everywhere ? this.sessionServers.everywhere() : this.registry.registered();
    return upstreams.map((upstream) => this.statusOf(upstream));
  }

  callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<CallToolResult> {
    if (this.isClosed) return Promise.reject(new MuxError('CLOSED', 'The mux was closed.'));
    this.localClient ??= this.connectLocally();
    return this.localClient.callTool(name, args, options);
  }

  on<Name extends MuxEventName>(type: Name, listener: (event: MuxEventMap[Name]) => void): () => void {
    return this.muxEvents.on(type, listener);
  }

  events(): AsyncIterableIterator<MuxEvent> {
    return this.muxEvents.iterate();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.changes.close();
    this.workspaces.close();
    await Promise.all([this.sessions.finish(0), this.registry.shutDown()]);
    this.guard.close();
    this.muxEvents.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private open(channel: Channel, principal?: Principal, isolation?: Isolation): ClientSession {
    const session = this.sessions.open(channel, principal, isolation);
    // What was there for this client alone is of no use to anybody now.
    const left = session.closed.then(() => this.sessionServers.left(session));
    void left.then(() => this.journal.forgetScope(session.scope));
    // A client that comes too late is sent away at once.
    if (this.isClosed) void session.finish(0);
    else this.sessionServers.entered(session);
    return { closed: session.closed, close: () => session.finish(0) };
  }

  private connectLocally(): LocalClient {
    const [near, far] = memoryChannels();
    this.open(far, HOST);
    return new LocalClient(near);
  }

  private statusOf(upstream: Upstream): ServerStatus {
    return serverStatus(upstream, this.catalogs.at(upstream.scope).snapshot(), this.clock.now());
  }

  private newCatalogs({ nameBudget = DEFAULT_NAME_BUDGET }: MuxOptions): Catalogs {
    const { listPageBytes } = this.limits;
    const { listed } = this.ownTools;
    const servers = { list: (scope: Scope) => this.registry.list(scope), all: () => this.registry.all() };
    return new Catalogs(listed, { nameBudget, listPageBytes }, servers);
  }

  private newSessions(): Sessions {
    const { clock, logger, limits, guardList: guards, ownTools } = this;
    return new Sessions({
      clock,
      logger,
      limits,
      upstreams: () => this.registry.all(),
      guards,
      ownTools,
      calls: new CallEvents(this.muxEvents, clock),
      initializeResult: (params, seen, scope) =>
        initializeResultJson(params, this.implementation, this.registry.list(scope).filter(seen)),
      wholeOf: (scope) => this.wholeOf(scope),
    });
  }

  private ofUpstreams(instanceId: string): Parameters<typeof upstreamComponents>[0] {
    const { clock, logger, limits, guard, implementation: clientInfo, environment, pins } = this;
    const clientProfile = (scope?: Scope): ClientProfile => this.sessions.capabilitiesFor(scope);
    const { inbox } = this.sessions;
    return { clock, logger, limits, guard, clientInfo, environment, pins, instanceId, clientProfile, inbox };
  }

  private wholeOf(scope: Scope): ScopeView {
    const { catalogs } = this;
    return {
      scope,
      catalogs,
      directory: {
        isOwnTool: (name) => this.ownTools.has(name),
        connects: this.instances !== undefined,
        snapshot: () => catalogs.at(scope).snapshot(),
        findServer: (name) => this.registry.find(name, scope),
        serverNames: () => this.registry.list(scope).map(({ name }) => name),
      },
    };
  }

  private newOwnTools(): OwnTools {
    const { clock, limits, journal, environment, addPolicy, store, instances } = this;
    const services = { clock, limits, journal, environment, addPolicy, store, instances };
    const offer = { hasStore: store !== undefined, hasInstances: instances !== undefined };
    return new OwnTools(offer, () => ({
      ...services,
      registry: this.registry,
      audit: (record) => this.observer.audit(record),
    }));
  }
}

/**
 * Makes a mux. It does nothing until a client connects or a server is added.
 *
 * @throws MuxError INVALID_CONFIG for a name budget below 16
 */
export function createMux(options: MuxOptions = {}, components: MuxComponents = {}): Mux {
  return new Multiplexer(options, components);
}
