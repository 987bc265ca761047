import { DEFAULT_LIMITS, NO_MASK } from '@mcpmux/kit';
import { memoryChannels } from '@mcpmux/wire';
import { Listeners } from '../client/methods/listeners.js';
import { Sessions } from '../client/session/sessions.js';
import type { ExposureOptions } from '../catalog/exposure/exposure-options.js';
import { Exposures } from '../catalog/exposure/exposures.js';
import type { Session } from '../client/session/session.js';
import type { Caller } from '../client/caller/caller.js';
import { Primaries } from '../client/caller/primaries.js';
import { RootsCache } from '../client/caller/roots-cache.js';
import type { SessionLayers } from '../server/registry/layers.js';
import type { Registry } from '../server/registry/registry.js';
import type { Era } from '../server/dialect/era.js';
import type { ServerDialect } from '../server/dialect/server-dialect.js';
import { createBridges } from '../client/bridge/bridges.js';
import { legacyClientDialect } from '../client/legacy/client-dialect.js';
import { MODERN_UNGUARDED_METHODS } from '../client/modern/client-dialect.js';
import { ModernRequests } from '../client/modern/modern-requests.js';
import { StartingServers } from '../catalog/starting-servers.js';
import { GuardList } from '../guards/guard-list.js';
import type { Principal } from '../guards/principal.js';
import { Connection } from '../server/link/connection.js';
import type { ServerConfig } from '../server/config/server-config.js';
import { promptsNamed, resourcesAt, templatesOf } from './definitions.js';
import { FakeOwnTools } from './fake-own-tools.js';
import type { ManualChannel } from './manual-channel.js';
import { DIALECT } from './dialect.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RigClient } from './rig-client.js';
import { RecordingLogger } from './recording-logger.js';
import { ServerPeer } from './server-peer.js';
import { StandInUpstream } from './stand-in-upstream.js';
import { sessionLayers } from './stand-in-registry.js';
import { toolNamed } from './tool-definitions.js';
import { toolDirectory } from './tool-directory.js';

export type { RigClient } from './rig-client.js';

const CLIENT_DIALECT = legacyClientDialect({ name: 'mcpmux', version: '1' });

/** What a server of a {@link SessionsRig} has. */
export interface RigServerInit {
  readonly tools?: readonly string[];
  readonly prompts?: readonly string[];
  readonly resources?: readonly string[];
  readonly templates?: readonly string[];
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly config?: ServerConfig;
  readonly layer?: Registry;
  /** What its runs speak: the legacy era when absent. */
  readonly era?: Era;
}

/** A server that the test plays. */
export class RigServer {
  readonly upstream: StandInUpstream;
  /** Its end of the connection of its present run. */
  peer: ServerPeer;
  connection: Connection;
  private readonly dialect: ServerDialect;

  constructor(
    private readonly rig: SessionsRig,
    name: string,
    {
      tools = [],
      prompts = [],
      resources = [],
      templates = [],
      capabilities = {},
      config,
      layer,
      era = 'legacy',
    }: RigServerInit,
  ) {
    this.dialect = { ...DIALECT, era };
    this.upstream = new StandInUpstream(name, { tools, ...(config && { config }), ...(layer && { layer }) });
    const lists = {
      prompts: promptsNamed(...prompts),
      resources: resourcesAt(...resources),
      resourceTemplates: templatesOf(...templates),
    };
    this.upstream.offers(lists, capabilities);
    ({ connection: this.connection, peer: this.peer } = this.connect());
  }

  /** Everything it was sent in its present run. */
  get received(): readonly string[] {
    return this.peer.received;
  }

  /** Sends lines, and waits until all that follows from them has happened. Gives what the server is sent in the meantime. */
  async exchange(...lines: readonly string[]): Promise<readonly string[]> {
    const before = this.peer.received.length;
    this.peer.send(...lines);
    await nextTurn();
    return this.peer.received.slice(before);
  }

  /** {@link exchange} of one request: id and params are JSON text. */
  ask(id: string, method: string, params = '{}'): Promise<readonly string[]> {
    return this.exchange(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);
  }

  /** {@link exchange} of one notification: params are JSON text. */
  report(method: string, params: string): Promise<readonly string[]> {
    return this.exchange(`{"jsonrpc":"2.0","method":"${method}","params":${params}}`);
  }

  /** The run ends, and another begins. */
  async reload(): Promise<void> {
    this.connection.failAll({ kind: 'reloaded' });
    ({ connection: this.connection, peer: this.peer } = this.connect());
    this.rig.sessions.handleServerStart(this.upstream);
    await nextTurn();
  }

  /** Another run takes over. Returns the run before, which still answers what it was asked. */
  async swap(): Promise<ServerPeer> {
    const before = this.peer;
    ({ connection: this.connection, peer: this.peer } = this.connect());
    this.rig.sessions.handleServerStart(this.upstream);
    await nextTurn();
    return before;
  }

  private connect(): { readonly connection: Connection; readonly peer: ServerPeer } {
    const [near, far] = memoryChannels();
    const { sessions, clock, logger } = this.rig;
    const { upstream } = this;
    const connection: Connection = new Connection(
      near,
      {
        inbox: {
          onNotification: (line, message) =>
            sessions.inbox.onNotification({ upstream, connection, line, message }),
          onRequest: (line, message, id) =>
            sessions.inbox.onRequest({ upstream, connection, line, message }, id),
        },
        onEnd: () => undefined,
        onStrayLine: () => undefined,
      },
      { clock, logger, limits: DEFAULT_LIMITS, dialect: this.dialect, server: 'x', mask: NO_MASK },
    );
    connection.open();
    upstream.connectedBy(connection);
    return { connection, peer: new ServerPeer(far) };
  }
}

/** Any number of clients and servers of one mux, all played by the test; no process is started. */
export class SessionsRig {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly ownTools = new FakeOwnTools();
  readonly guards = new GuardList([...CLIENT_DIALECT.unguardedMethods, ...MODERN_UNGUARDED_METHODS]);
  readonly primaries = new Primaries();
  readonly sessions: Sessions;
  readonly modern: ModernRequests;
  private opened = 0;
  private readonly upstreams: StandInUpstream[] = [];
  private readonly directory = toolDirectory(this.upstreams, ['own_tool', 'call_tool']);

  constructor(exposure: ExposureOptions = {}) {
    const { clock, logger, ownTools, directory, guards, primaries } = this;
    const serverInfo = { name: 'mcpmux', version: '1' };
    const listeners = new Listeners();
    const limits = DEFAULT_LIMITS;
    const roots = new RootsCache<Caller>();
    this.modern = new ModernRequests({ clock, logger, limits, guards, primaries, serverInfo, listeners });
    this.sessions = new Sessions({
      clock,
      logger,
      limits: DEFAULT_LIMITS,
      ownTools,
      catalogs: directory.catalogs,
      exposures: new Exposures(() => undefined, exposure),
      ownNames: directory,
      primaries,
      guards,
      dialect: CLIENT_DIALECT,
      modern: this.modern,
      listeners,
      roots,
      bridges: createBridges(
        { clock: clock, limits: DEFAULT_LIMITS, roots },
        { name: 'mcpmux', version: '0.0.0' },
      ),
      startingServers: new StartingServers(),
    });
  }

  /** Adds a server that runs. */
  server(name: string, init: RigServerInit = {}): RigServer {
    const server = new RigServer(this, name, init);
    this.upstreams.push(server.upstream);
    this.directory.catalogs.invalidate(server.upstream.layer);
    return server;
  }

  /** From now on a server has these tools and prompts; who sees it is told of `changes`. */
  nowHas({ upstream }: RigServer, names: readonly string[], changes: readonly string[]): void {
    const lists = { tools: names.map(toolNamed), prompts: promptsNamed(...names) };
    upstream.offer.lists = { ...upstream.lists, ...lists };
    this.directory.catalogs.invalidate(upstream.layer);
    const methods = new Set(changes.map((kind) => `notifications/${kind}/list_changed`));
    this.sessions.announceChanges(new Map([[upstream.layer, methods]]));
  }

  /** Connects a client that has introduced itself with these capabilities. */
  async client(
    capabilities: Readonly<Record<string, unknown>> = {},
    around?: Registry,
    principal?: Principal,
  ): Promise<RigClient> {
    const client = this.stranger(around, principal);
    const params = JSON.stringify({ protocolVersion: '2025-11-25', capabilities });
    await client.request('"init"', 'initialize', params);
    await client.exchange('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    client.take();
    return client;
  }

  /** Connects a client that reads when the test lets it, and has introduced itself. */
  slowClient(channel: ManualChannel): Session {
    const session = this.sessions.open(channel, this.open());
    const params = '{"protocolVersion":"2025-11-25","capabilities":{}}';
    channel.receive(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":${params}}`);
    channel.receive('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return session;
  }

  /** Connects a client that has said nothing yet. */
  stranger(around?: Registry, principal?: Principal): RigClient {
    const [near, far] = memoryChannels();
    return new RigClient(near, this.sessions.open(far, this.open(around), { principal }));
  }

  private open(around?: Registry): SessionLayers {
    this.opened += 1;
    return sessionLayers(this.opened, this.directory.open(this.opened, around), around);
  }
}
