import { randomUUID } from 'node:crypto';
import process from 'node:process';

import { DEFAULT_NAME_BUDGET } from '@mcpmux/namespace';

import { Catalog } from './catalog/catalog.js';
import { ChangeCoalescer } from './catalog/change-coalescer.js';
import { systemClock, type Clock } from './clock.js';
import { LocalClient, type CallOptions, type CallToolResult } from './downstream/local-client.js';
import type { OwnToolHandler } from './downstream/own-tool-handler.js';
import { Session } from './downstream/session.js';
import { MuxError } from './errors.js';
import { DEFAULT_LIMITS, type Limits } from './limits.js';
import { nullLogger, type Logger } from './logger.js';
import { serverStatus, type ServerStatus } from './management/server-status.js';
import { isOwnToolName, OWN_TOOLS } from './management/tool-definitions.js';
import type { ClientSession, Link, Mux, MuxComponents, MuxOptions } from './mux-api.js';
import { MuxEvents, type MuxEvent, type MuxEventMap, type MuxEventName } from './mux-events.js';
import { ProcessGuard } from './process/guard.js';
import { spawnProcess } from './process/server-process.js';
import { SpawnLimiter } from './process/spawn-limiter.js';
import { Registry } from './registry/registry.js';
import { ServerObserver } from './server-observer.js';
import type { Implementation } from './upstream/handshake.js';
import type { ServerConfig } from './upstream/server-config.js';
import type { Upstream, UpstreamComponents } from './upstream/upstream.js';
import { channelPair } from './wire/channel-pair.js';
import type { LineChannel } from './wire/line-channel.js';
import { TransportChannel } from './wire/sdk-transport.js';
import { StreamChannel, type StreamChannelLimits, type StreamPair } from './wire/stream-channel.js';

const DEFAULT_IMPLEMENTATION: Implementation = { name: 'mcpmux', version: '0.0.0' };

class Multiplexer implements Mux {
  private readonly limits: Limits;
  private readonly logger: Logger;
  private readonly clock: Clock;
  private readonly implementation: Implementation;
  private readonly guard: ProcessGuard;
  private readonly registry: Registry;
  private readonly catalog: Catalog;
  private readonly changes: ChangeCoalescer;
  private readonly muxEvents = new MuxEvents();
  private readonly sessions = new Set<Session>();
  private readonly ownTools: OwnToolHandler;
  private localClient: LocalClient | undefined;
  private isClosed = false;

  constructor(options: MuxOptions, components: MuxComponents) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.logger = components.logger ?? nullLogger;
    this.clock = components.clock ?? systemClock;
    this.implementation = options.implementation ?? DEFAULT_IMPLEMENTATION;
    const instanceId = randomUUID();
    this.guard = new ProcessGuard(instanceId, this.logger);
    this.catalog = new Catalog(OWN_TOOLS, options.nameBudget ?? DEFAULT_NAME_BUDGET, () =>
      this.registry.list(),
    );
    this.changes = new ChangeCoalescer(this.clock, this.limits.listChangedDelayMs, () =>
      this.announceChange(),
    );
    this.registry = new Registry(
      this.upstreamComponents(instanceId, components),
      new ServerObserver(this.logger, this.muxEvents, () => this.catalogChanged()),
    );
    this.ownTools = this.ownToolHandler();
  }

  connect(link: Link): ClientSession {
    return this.open(
      'start' in link ? new TransportChannel(link, this.channelLimits) : this.streamChannel(link),
    );
  }

  async addServer(name: string, config: ServerConfig): Promise<ServerStatus> {
    return this.statusOf(await this.registry.add(name, config).started);
  }

  removeServer(name: string): Promise<void> {
    return this.registry.remove(name);
  }

  async reloadServer(name: string): Promise<ServerStatus> {
    return this.statusOf(await this.registry.reload(name));
  }

  listServers(): readonly ServerStatus[] {
    return this.registry.list().map((upstream) => this.statusOf(upstream));
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
    await Promise.all([...[...this.sessions].map((session) => session.finish(0)), this.registry.shutDown()]);
    this.guard.close();
    this.muxEvents.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private open(channel: LineChannel): ClientSession {
    const session = new Session(channel, {
      clock: this.clock,
      logger: this.logger,
      limits: this.limits,
      serverInfo: this.implementation,
      toolList: () => this.catalog.snapshot().listResult,
      ownTools: this.ownTools,
      directory: {
        isOwnTool: (name) => this.ownTools.has(name),
        snapshot: () => this.catalog.snapshot(),
        findServer: (name) => this.registry.find(name),
        serverNames: () => this.registry.list().map((upstream) => upstream.name),
      },
    });
    this.sessions.add(session);
    void session.closed.then(() => this.sessions.delete(session));
    session.open();
    // A client that comes too late is sent away at once.
    if (this.isClosed) void session.finish(0);
    return { closed: session.closed, close: () => session.finish(0) };
  }

  private get channelLimits(): StreamChannelLimits {
    const { maxLineBytes, maxEndlessLineBytes, clientHighWatermarkBytes } = this.limits;
    return { maxLineBytes, maxEndlessLineBytes, highWatermarkBytes: clientHighWatermarkBytes };
  }

  private streamChannel(streams: StreamPair): StreamChannel {
    return new StreamChannel(streams, this.channelLimits);
  }

  private connectLocally(): LocalClient {
    const [near, far] = channelPair();
    this.open(far);
    return new LocalClient(near);
  }

  private statusOf(upstream: Upstream): ServerStatus {
    return serverStatus(upstream, this.catalog.snapshot(), this.clock.now());
  }

  private catalogChanged(): void {
    this.catalog.invalidate();
    this.changes.changed();
  }

  private announceChange(): void {
    this.muxEvents.emit('catalog:changed', {});
    for (const session of this.sessions) session.toolsChanged();
  }

  /** Loaded on the first call of a management tool: listing tools and forwarding calls need neither it nor zod. */
  private ownToolHandler(): OwnToolHandler {
    const { registry, catalog, clock, limits } = this;
    return {
      has: isOwnToolName,
      call: async (name, args, context) => {
        const { Management } = await import('./management/management.js');
        return new Management({ registry, catalog, clock, limits }).call(name, args, context);
      },
    };
  }

  private upstreamComponents(instanceId: string, components: MuxComponents): UpstreamComponents {
    let runs = 0;
    return {
      clock: this.clock,
      logger: this.logger,
      limits: this.limits,
      guard: this.guard,
      spawn: components.spawn ?? spawnProcess,
      spawnLimiter: new SpawnLimiter(),
      clientInfo: this.implementation,
      environment: components.environment ?? process.env,
      instanceId,
      nextRunId: () => (runs += 1),
    };
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
