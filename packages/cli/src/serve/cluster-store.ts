import process from 'node:process';

import type { ServerConfig, ServerStore } from '@mcpmux/core';
import type { ClusterMember } from '@mcpmux/cluster';

import { literalSecretNames } from '../redact/literal-secrets.js';
import { catalogEntryOf } from './catalog-store.js';

/** Publishes the servers that agents added. The cluster assigns them to its nodes. */
export class ClusterStore implements ServerStore {
  /** @param member returns undefined until this node begins to join the cluster */
  constructor(
    private readonly member: () => Pick<ClusterMember, 'adopt' | 'unpublish' | 'node'> | undefined,
  ) {}

  async save(name: string, config: ServerConfig): Promise<void> {
    const entry = catalogEntryOf(name, config, process.cwd());
    const [secret] = literalSecretNames(entry);
    if (secret !== undefined)
      throw new Error(
        `the value of ${secret} looks like a secret, and no secret leaves this node. Tell the user to put the server ` +
          'into the config of the nodes, with ${secret:NAME} in place of the value.',
      );
    await this.requireMember().adopt(name, { spec: { entry } });
  }

  async delete(name: string): Promise<boolean> {
    const member = this.requireMember();
    const spec: unknown = member.node.directory.servers.get(name)?.record.spec;
    if (!JSON.stringify(spec ?? null).includes('"addedByAgent":true')) return false;
    await member.unpublish(name);
    return true;
  }

  private requireMember(): Pick<ClusterMember, 'adopt' | 'unpublish' | 'node'> {
    const member = this.member();
    if (member === undefined)
      throw new Error('this node has not joined its cluster yet. Try again in a moment.');
    return member;
  }
}
