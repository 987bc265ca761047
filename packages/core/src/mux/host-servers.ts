import { isRecord, afterCallback, messageOf } from '@mcpmux/kit';
import { unlistedTools } from '../catalog/exposure/selected-tools.js';
import { serverNotFoundError } from '../server/registry/registry-outcomes.js';
import type { Registry } from '../server/registry/registry.js';
import { changedTools, type ChangedTool } from '../tools/status/changed-tools.js';
import { healthStatus, serverStatus, type ServerStatus } from '../tools/status/server-status.js';
import { isSessionTemplate } from '../server/config/isolation.js';
import { isStreams, type AnyServerConfig, type TransportConfig } from '../server/config/server-config.js';
import { isTransportConfig, streamConfigOf } from '../server/config/transport-config.js';
import { CONFIG_NOT_AN_OBJECT, configOrProblem } from '../server/config/usable-config.js';
import type { RereadResult } from '../server/lists/registration.js';
import { rememberedListsOf, type RememberedLists } from '../server/lists/remembered-lists.js';
import type { Upstream } from '../server/upstream.js';
import type { AddOptions } from './add-options.js';
import type { MuxParts } from './compose.js';
import type { ReloadServerOptions, RemoveServerOptions, ServerPlace } from './server-place.js';

interface NewServer {
  readonly name: string;
  readonly config: AnyServerConfig | TransportConfig;
  readonly options: AddOptions;
}

/** Implements the host's operations on servers. */
export class HostServers {
  constructor(
    private readonly parts: Pick<MuxParts, 'registry' | 'catalogs' | 'clock' | 'exposures' | 'layers'>,
  ) {}

  async add(registry: Registry, { name, config, options }: NewServer): Promise<ServerStatus> {
    const { tools: view, remembered, keepsFailed, reread: read, scopeReason, manager, pinnedAs } = options;
    const reread = read && ((): RereadResult => callReread(read));
    const serverConfig = registryConfig(name, config);
    if (remembered?.uses !== undefined) this.parts.exposures.toolUses.restoreCounts(name, remembered.uses);
    const registration = { view, remembered, reread, scopeReason, manager, pinnedAs };
    const { started, keep } = registry.add(name, serverConfig, registration);
    if (keepsFailed === true) keep();
    return this.statusOf(await started);
  }

  async reload(name: string, { approve = false, layer }: ReloadServerOptions): Promise<ServerStatus> {
    return this.statusOf(await this.findRegistry(name, layer).reload(name, { approve }));
  }

  async remove(name: string, { layer, ...removal }: RemoveServerOptions): Promise<void> {
    await this.findRegistry(name, layer).remove(name, undefined, removal);
  }

  /** @param registry the registry of the server's layer; defaults to the shared registry */
  remember(name: string, registry: Registry = this.parts.registry): RememberedLists | undefined {
    const { exposures } = this.parts;
    const lists = rememberedListsOf(registry.find(name));
    const counts = exposures.toolUses.countsForServer(name);
    return lists && { ...lists, ...(counts && { uses: counts }) };
  }

  /**
   * @param everywhere if true, also lists the servers of workspaces and sessions, and replaces session templates with
   * their session instances
   */
  list(everywhere: boolean): readonly ServerStatus[] {
    const { registry } = this.parts;
    const upstreams = everywhere
      ? registry.allServers().filter((upstream) => !isSessionTemplate(upstream))
      : registry.registeredServers();
    return upstreams.map((upstream) => this.statusOf(upstream));
  }

  listChangedTools(): readonly ChangedTool[] {
    const { registry, catalogs } = this.parts;
    return registry
      .allServers()
      .flatMap((upstream) => changedTools(upstream, catalogs.catalogFor(upstream.layer).snapshot()));
  }

  /** Returns the tools that are unlisted for clients in a layer that have no exposure settings of their own. */
  listUnlistedTools({ layer }: ServerPlace): readonly string[] {
    const { catalogs, exposures, layers } = this.parts;
    return unlistedTools(catalogs.catalogFor(layers.registryOf(layer)).snapshot(), exposures.ruleFor());
  }

  /**
   * Returns the layer's registry. If `layer` is given, that registry itself must contain the server, because an outer
   * layer may have another server with the same name.
   */
  private findRegistry(name: string, layer: string | undefined): Registry {
    const layerRegistry = this.parts.layers.registryOf(layer);
    if (layer === undefined || layerRegistry.find(name)?.layer === layerRegistry) return layerRegistry;
    throw serverNotFoundError(name, layerRegistry.registeredServers());
  }

  private statusOf(upstream: Upstream): ServerStatus {
    const { catalogs, clock, registry } = this.parts;
    const { layer } = upstream;
    const snapshot = catalogs.catalogFor(layer).snapshot();
    const status = serverStatus(upstream, snapshot, clock.now(), registry.supervisorOf(upstream));
    const health = healthStatus(upstream, clock.now());
    return {
      ...status,
      ...(health !== undefined && { health }),
      ...(!layer.isShared && { layer: layer.id, ...layer.owner }),
    };
  }
}

/** Converts the host's configuration. Accepts any value, because a host may be written in JavaScript. */
function registryConfig(name: string, config: NewServer['config']): AnyServerConfig {
  if (isTransportConfig(config)) return streamConfigOf(name, config);
  if (!isRecord(config)) return { problem: CONFIG_NOT_AN_OBJECT };
  return isStreams(config) ? config : configOrProblem(config);
}

/** Calls the host's callback `reread`. If it throws, returns a configuration with the error as its problem. */
function callReread(hostReread: NonNullable<AddOptions['reread']>): RereadResult {
  try {
    const { config, tools: view, remembered, registered } = hostReread();
    return {
      config: configOrProblem(config),
      view,
      remembered,
      registered: registered && (() => callRegistered(registered)),
    };
  } catch (error) {
    return { config: { problem: messageOf(error) } };
  }
}

/** Calls the host's callback. An error in it does not affect the server, which is already registered. */
function callRegistered(onRegistered: () => unknown): void {
  try {
    afterCallback(onRegistered());
  } catch {
    // Ignored, because the bug is in the host's code.
  }
}
