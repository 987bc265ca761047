import type { Logger } from '@mcpmux/core';
import type { ClusterMember } from '@mcpmux/core/cluster';

import type { LoadedServer } from '@mcpmux/config';
import { sharedEntries, type SharedEntries } from './shared-entries.js';

/** The dependencies of {@link PublishedServers}. */
export interface PublishedServersParts {
  readonly member: Pick<ClusterMember, 'publish' | 'unpublish'>;
  readonly logger: Logger;
  /** The config file. */
  readonly file: string;
}

/** Gives the servers of the config of this node to the cluster. */
export class PublishedServers {
  private published: ReadonlySet<string> | undefined;
  private last: Promise<void> = Promise.resolve();
  private readonly warned = new Set<string>();

  constructor(private readonly parts: PublishedServersParts) {}

  /** The servers of the config that this node alone runs. The others go to the cluster. */
  place = (servers: readonly LoadedServer[]): readonly LoadedServer[] => {
    const entries = sharedEntries(this.parts.file);
    const usable = new Set(servers.map(({ name }) => name));
    this.warnOfSecrets(entries);
    const wanted = new Map([...entries.shared].filter(([name]) => usable.has(name)));
    this.last = this.last.then(() => this.publish({ ...entries, shared: wanted }));
    return servers.filter(({ name }) => !entries.shared.has(name));
  };

  /** Resolves when the cluster has what the config had last. */
  settled(): Promise<void> {
    return this.last;
  }

  /** At its start a node changes no server that the cluster has. A config that is read again is meant to change it. */
  private async publish({ shared }: SharedEntries): Promise<void> {
    const { member, logger } = this.parts;
    const before = this.published;
    this.published = new Set(shared.keys());
    for (const [server, record] of shared)
      await this.attempt(server, async () => {
        const isSame = await member.publish(server, record, before !== undefined);
        if (!isSame)
          logger.log('warn', 'the cluster has another entry of the server; mcpmux reload replaces it', {
            server,
          });
      });
    for (const server of before ?? [])
      if (!shared.has(server)) await this.attempt(server, () => member.unpublish(server));
  }

  private async attempt(server: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.parts.logger.log('error', 'the cluster did not get a server of the config', { server, problem });
    }
  }

  private warnOfSecrets({ secret }: SharedEntries): void {
    for (const [server, names] of secret) {
      if (this.warned.has(server)) continue;
      this.warned.add(server);
      const message =
        'a server stays on this node because its entry holds a secret in clear; write ${NAME} or ${secret:NAME}';
      this.parts.logger.log('warn', message, { server, secrets: names });
    }
  }
}
