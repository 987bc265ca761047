import { messageOf } from '../base/errors.js';
import type { Registry } from '../registry/registry.js';
import { isStreams } from '../upstream/config/server-config.js';
import type { Upstream } from '../upstream/upstream.js';
import { auditedServer, type Audit, type AuditRecord } from './audit.js';
import type { ServerStore } from './server-store.js';

/** What {@link PersistedServers} works with. */
export interface KeptServersComponents {
  readonly registry: Pick<Registry, 'find'>;
  readonly store: ServerStore;
  readonly audit: Audit;
}

/** What has become of a server's place in the store. A problem is a sentence for a model. */
export interface Keeping {
  readonly isDone: boolean;
  readonly problem?: string;
}

/** Keeps servers for later starts when agents ask for it, and takes out those that agents remove. */
export class PersistedServers {
  constructor(private readonly components: KeptServersComponents) {}

  /** Keeps a server that runs; not one that was removed in the meantime. */
  async keep(upstream: Upstream, session: number): Promise<Keeping> {
    const { store, registry } = this.components;
    const { name, config } = upstream;
    return this.told('persist', { upstream, session }, async () => {
      // Streams are the host's: nobody asks for one to be kept.
      if (isStreams(config)) return false;
      await store.keep(name, config);
      const isGone = registry.find(name) !== upstream;
      if (isGone) await store.forget(name);
      return !isGone;
    });
  }

  /** Takes out a server that is being removed; done is nothing where it was not kept. */
  forget(upstream: Upstream, session: number): Promise<Keeping> {
    return this.told('forget', { upstream, session }, () => this.components.store.forget(upstream.name));
  }

  private async told(
    action: AuditRecord['action'],
    { upstream, session }: { readonly upstream: Upstream; readonly session: number },
    work: () => Promise<boolean>,
  ): Promise<Keeping> {
    const record = { action, ...auditedServer(upstream), rule: 'store', session };
    try {
      const isDone = await work();
      if (isDone) this.components.audit({ ...record, outcome: 'done' });
      return { isDone };
    } catch (error) {
      this.components.audit({ ...record, outcome: 'failed' });
      return { isDone: false, problem: messageOf(error) };
    }
  }
}
