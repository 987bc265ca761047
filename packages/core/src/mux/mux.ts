import { MuxError } from '@mcpmux/kit';
import { asUtf8, type Channel, memoryChannels } from '@mcpmux/wire';
import type { ExposureOptions } from '../catalog/exposure/exposure-options.js';
import type { ClientStatus } from '../client/session/client-status.js';
import { LocalClient } from '../client/session/local-client.js';
import type { ApprovalDesk } from '../guards/approval-desk.js';
import type { Guard, GuardHandler } from '../guards/guard.js';
import { HOST, LOCAL } from '../guards/principal.js';
import type { Isolation, SessionLayers } from '../server/registry/layers.js';
import type { ChangedTool } from '../tools/status/changed-tools.js';
import type { ServerStatus } from '../tools/status/server-status.js';
import type { AnyServerConfig, TransportConfig } from '../server/config/server-config.js';
import { LISTS } from '../server/lists/list-kind.js';
import type { RememberedLists } from '../server/lists/remembered-lists.js';
import { clientSession, type ClientSession } from './client-session.js';
import { compose, type MuxParts } from './compose.js';
import { HostClient } from './host-client.js';
import { HostServers } from './host-servers.js';
import {
  isStdioLink,
  linkChannel,
  type ClientLink,
  type ConnectOptions,
  type RequestCaller,
} from './connect-options.js';
import type { AddOptions } from './add-options.js';
import type { Mux, MuxWorkspace } from './mux-api.js';
import type { MuxComponents, MuxOptions } from './mux-options.js';
import type { MissedEvents } from './event-inbox.js';
import type { ReloadServerOptions, RemoveServerOptions, ServerPlace } from './server-place.js';
import { watchSession } from './session-messages.js';
import type { SessionMessage } from './shown-message.js';
import type { EventsOptions, ListenOptions, MuxEventMap, MuxEventName, NumberedEvent } from './mux-events.js';

interface OpenOptions extends Omit<ConnectOptions, 'heldUntil'> {
  readonly isStdio: boolean;
  readonly heldUntil?: Promise<unknown> | undefined;
}

class Multiplexer implements Mux {
  private readonly layersByClient = new WeakMap<ClientSession, SessionLayers>();
  private localClient: LocalClient | undefined;
  private isClosed = false;

  private readonly servers: HostServers;
  readonly callTool: Mux['callTool'];
  readonly listTools: Mux['listTools'];
  readonly listPrompts: Mux['listPrompts'];
  readonly listResources: Mux['listResources'];
  readonly listResourceTemplates: Mux['listResourceTemplates'];
  readonly getPrompt: Mux['getPrompt'];
  readonly readResource: Mux['readResource'];

  constructor(private readonly parts: MuxParts) {
    this.servers = new HostServers(parts);
    const isOwnTool = (name: string): boolean => parts.ownTools.has(name);
    const hostRequests = new HostClient(this.getHostClient.bind(this), isOwnTool);
    this.callTool = hostRequests.callTool.bind(hostRequests);
    this.listTools = hostRequests.listTools.bind(hostRequests);
    this.listPrompts = hostRequests.listPrompts.bind(hostRequests);
    this.listResources = hostRequests.listResources.bind(hostRequests);
    this.listResourceTemplates = hostRequests.listResourceTemplates.bind(hostRequests);
    this.getPrompt = hostRequests.getPrompt.bind(hostRequests);
    this.readResource = hostRequests.readResource.bind(hostRequests);
  }

  get instanceId(): string {
    return this.parts.instanceId;
  }

  get approvals(): ApprovalDesk {
    return this.parts.approvals;
  }

  connect(link: ClientLink, options?: ConnectOptions): ClientSession {
    const heldUntil = options?.heldUntil ?? ('input' in link ? link.heldUntil : undefined);
    const channel = linkChannel(link, this.parts.limits);
    return this.openSession(channel, { ...options, isStdio: isStdioLink(link), heldUntil });
  }

  async handle(
    message: Uint8Array,
    caller: RequestCaller,
    reply: (line: Uint8Array, isResponse: boolean) => void,
  ): Promise<void> {
    if (this.isClosed) throw new MuxError('CLOSED', 'The mux was closed.');
    const line = asUtf8(Buffer.from(message.buffer, message.byteOffset, message.byteLength));
    // A server would read the text after a newline as a second message, which no guard has checked.
    if (line.includes('\n')) throw new MuxError('INVALID_MESSAGE', 'A message must not contain a newline.');
    const { sessions, layers: allLayers } = this.parts;
    const layers = allLayers.openForRequest(caller);
    try {
      await sessions.statelessMessages.handle(line, reply, layers, caller);
    } finally {
      await layers.close();
    }
  }

  use(guard: Guard | string, handle?: GuardHandler<never>): () => void {
    if (typeof guard !== 'string') return this.parts.use(guard);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- called only with requests of that method
    return this.parts.use({ methods: [guard], handle: handle as GuardHandler });
  }

  addServer(
    name: string,
    config: AnyServerConfig | TransportConfig,
    options: AddOptions = {},
  ): Promise<ServerStatus> {
    return this.servers.add(this.parts.registry, { name, config, options });
  }

  openWorkspace(name: string): MuxWorkspace {
    const workspace = this.parts.layers.openWorkspace(name);
    const { registry } = workspace;
    return {
      addServer: (server, config, options = {}) =>
        this.servers.add(registry, { name: server, config, options }),
      removeServer: (server, options: RemoveServerOptions = {}) =>
        registry.remove(server, undefined, options),
      remember: (server) => this.servers.remember(server, registry),
      close: () => workspace.close(),
    };
  }

  removeServer(name: string, options: RemoveServerOptions = {}): Promise<void> {
    return this.servers.remove(name, options);
  }

  reloadServer(name: string, options: ReloadServerOptions = {}): Promise<ServerStatus> {
    return this.servers.reload(name, options);
  }

  expose(exposure: ExposureOptions): void {
    const { exposures, changes, registry } = this.parts;
    exposures.setOptions(exposure);
    changes.addChange(registry, LISTS.tools.changedMethod);
  }

  remember(name: string): RememberedLists | undefined {
    return this.servers.remember(name);
  }

  listServers({ everywhere = false }: { readonly everywhere?: boolean } = {}): readonly ServerStatus[] {
    return this.servers.list(everywhere);
  }

  listChangedTools(): readonly ChangedTool[] {
    return this.servers.listChangedTools();
  }

  listUnlistedTools(place: ServerPlace = {}): readonly string[] {
    return this.servers.listUnlistedTools(place);
  }

  listClients(): readonly ClientStatus[] {
    return this.parts.sessions.clientStatuses();
  }

  on<Name extends MuxEventName>(
    type: Name,
    listener: (event: MuxEventMap[Name]) => void,
    options?: ListenOptions,
  ): () => void {
    return this.parts.events.on(type, listener, options);
  }

  get lastEvent(): number {
    return this.parts.events.lastSequence;
  }

  events(options?: EventsOptions): AsyncIterableIterator<NumberedEvent | MissedEvents> {
    return this.parts.events.iterate(options);
  }

  messages(session: number): AsyncIterableIterator<SessionMessage | MissedEvents> | undefined {
    const { sessions, clock, registry } = this.parts;
    const watchedSession = sessions.findConnectedSession(session);
    const secrets = (): readonly (readonly string[])[] =>
      registry.allServers().map((server) => server.secrets);
    return watchedSession && watchSession(watchedSession, clock, secrets);
  }

  async close(): Promise<void> {
    const { changes, layers, sessions, registry, processes, events, approvals } = this.parts;
    this.isClosed = true;
    approvals.close();
    changes.close();
    layers.close();
    await Promise.all([sessions.finish(0), registry.shutDown()]);
    processes.close();
    events.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private openSession(
    channel: Channel,
    { principal = LOCAL, isStdio, heldUntil, onRequest, requestIds, server, ...placement }: OpenOptions,
  ): ClientSession {
    const { sessions, journal } = this.parts;
    const layers = this.layersFor(placement);
    const session = sessions.open(channel, layers, { principal, isStdio, requestIds, server });
    if (heldUntil !== undefined) session.exchanges.pause(heldUntil, onRequest);
    // Once the client has disconnected, no session can read the journals of its single-client layers.
    const layersClosed = session.whenClosed.then(() => layers.close());
    void layersClosed.then(() => {
      for (const layer of [layers.own, layers.addRegistry])
        if (layer.isSingleClient) journal.forgetLayer(layer);
    });
    // A session that shares another client's layers ends when that client disconnects.
    void placement.beside?.closed.then(() => session.finish(0));
    // A client that connects to a closed mux is disconnected at once.
    if (this.isClosed) void session.finish(0);
    const client = clientSession({ channel, layers, principal, session });
    this.layersByClient.set(client, layers);
    return client;
  }

  private layersFor({ beside, ...isolation }: Isolation & Pick<ConnectOptions, 'beside'>): SessionLayers {
    const { layers: all } = this.parts;
    const otherLayers = beside && this.layersByClient.get(beside);
    return otherLayers === undefined ? all.openSession(isolation) : all.openSessionBeside(otherLayers);
  }

  /** Returns the client that sends the host's own requests. The first call connects it, over an in-memory channel. */
  private getHostClient(): LocalClient {
    if (this.isClosed) throw new MuxError('CLOSED', 'The mux was closed.');
    if (this.localClient === undefined) {
      const [hostEnd, muxEnd] = memoryChannels();
      this.openSession(muxEnd, { principal: HOST, isStdio: false });
      this.localClient = new LocalClient(hostEnd);
    }
    return this.localClient;
  }
}

/**
 * Creates a mux. It does nothing until a client connects or a server is added.
 *
 * @throws MuxError INVALID_CONFIG for a name budget below 16, or a `requestStateKey` that is not 32 bytes long
 */
export function createMux(options: MuxOptions = {}, components: MuxComponents = {}): Mux {
  return new Multiplexer(compose(options, components));
}
