import { isRecord } from '../base/is-record.js';
import type { Registry } from '../registry/registry.js';
import { changedTools, type ChangedTool } from '../tools/status/changed-tools.js';
import { serverStatus, type ServerStatus } from '../tools/status/server-status.js';
import { isSessionTemplate } from '../upstream/config/isolation.js';
import { isStreams, type AnyServerConfig, type TransportConfig } from '../upstream/config/server-config.js';
import { hasTransport, streamsOf } from '../upstream/config/transport-config.js';
import { NO_CONFIG, usableConfig } from '../upstream/config/usable-config.js';
import type { Reread } from '../upstream/lists/registration.js';
import { rememberedOf, type RememberedLists } from '../upstream/lists/remembered-lists.js';
import type { Upstream } from '../upstream/upstream.js';
import type { AddOptions } from './add-options.js';
import type { MuxParts } from './compose.js';
import { rereadBy } from './reread.js';

/** A server that the host adds. */
interface Added {
  readonly name: string;
  readonly config: AnyServerConfig | TransportConfig;
  readonly options: AddOptions;
}

/** The servers of a mux as its host adds them, reads their status and has their lists remembered. */
export class HostServers {
  constructor(private readonly parts: Pick<MuxParts, 'registry' | 'catalogs' | 'clock' | 'exposures'>) {}

  async add(registry: Registry, { name, config, options }: Added): Promise<ServerStatus> {
    const { tools: view, remembered, keepsFailed, reread: read, scopeReason, manager } = options;
    const reread = read && ((): Reread => rereadBy(read));
    const own = ownConfig(name, config);
    if (remembered?.uses !== undefined) this.parts.exposures.uses.restore(name, remembered.uses);
    const adding = { view, remembered, reread, scopeReason, manager };
    const { started, keep } = registry.add(name, own, adding);
    if (keepsFailed === true) keep();
    return this.statusOf(await started);
  }

  async reload(name: string, approve: boolean): Promise<ServerStatus> {
    return this.statusOf(await this.parts.registry.reload(name, { approve }));
  }

  remember(name: string): RememberedLists | undefined {
    const { registry, exposures } = this.parts;
    const lists = rememberedOf(registry.find(name));
    const uses = exposures.uses.ofServer(name);
    return lists && { ...lists, ...(uses && { uses }) };
  }

  /** @param everywhere Also lists servers of one workspace or session, and instances instead of their template. */
  list(everywhere: boolean): readonly ServerStatus[] {
    const { registry } = this.parts;
    const upstreams = everywhere
      ? registry.all().filter((upstream) => !isSessionTemplate(upstream))
      : registry.registered();
    return upstreams.map((upstream) => this.statusOf(upstream));
  }

  changedTools(): readonly ChangedTool[] {
    const { registry, catalogs } = this.parts;
    return registry
      .all()
      .flatMap((upstream) => changedTools(upstream, catalogs.at(upstream.layer).snapshot()));
  }

  private statusOf(upstream: Upstream): ServerStatus {
    const { catalogs, clock, registry } = this.parts;
    const snapshot = catalogs.at(upstream.layer).snapshot();
    return serverStatus(upstream, snapshot, clock.now(), registry.supervisorOf(upstream));
  }
}

/** Returns the configuration for the registry. A host may pass any value. */
function ownConfig(name: string, config: Added['config']): AnyServerConfig {
  if (hasTransport(config)) return streamsOf(name, config);
  if (!isRecord(config)) return { problem: NO_CONFIG };
  return isStreams(config) ? config : usableConfig(config);
}
