import { messageOf, type Logger } from '@mcpmux/core';
import { ClusterError, type ClusterMember, type ServerRecord } from '@mcpmux/cluster';

import type { LoadedServer } from '@mcpmux/config';
import { sharedEntries, type SharedEntries } from './shared-entries.js';
import { whenAvailable } from './when-available.js';

/** Changes to servers in the cluster, by the name of the server. */
type Changes = ReadonlyMap<string, () => Promise<unknown>>;

/** Publishes the servers of this node's config to the cluster. */
export class PublishedServers {
  /** The servers that were published from this config, and the servers that could not be removed yet. */
  private published: ReadonlySet<string> | undefined;
  private last: Promise<readonly string[]> = Promise.resolve([]);
  private readonly warned = new Set<string>();

  constructor(
    private readonly member: Pick<ClusterMember, 'publish' | 'unpublish'>,
    private readonly logger: Logger,
    private readonly configFile: string,
  ) {}

  /** Returns the servers of the config that only this node runs. The cluster runs the others. */
  place = (servers: readonly LoadedServer[]): readonly LoadedServer[] => {
    const { shared } = sharedEntries(this.configFile);
    return servers.filter(({ name }) => !shared.has(name));
  };

  /**
   * Publishes the servers of the config, and removes the servers that the config no longer has.
   *
   * @param only limits the change to this server
   */
  publish = (servers: readonly LoadedServer[], only?: string): void => {
    const entries = sharedEntries(this.configFile);
    const usable = new Set(servers.map(({ name }) => name));
    this.warnOfSecrets(entries);
    const wanted = new Map([...entries.shared].filter(([name]) => usable.has(name)));
    this.last = this.last.then(() => (only === undefined ? this.changeAll(wanted) : this.add(wanted, only)));
  };

  /** Resolves when the cluster has the last state of the config. Returns one line for each change that failed. */
  settled(): Promise<readonly string[]> {
    return this.last;
  }

  /**
   * Publishes and removes servers. At startup a node does not change servers that the cluster already has. Reading the
   * config again does change them.
   */
  private async changeAll(wanted: ReadonlyMap<string, ServerRecord>): Promise<readonly string[]> {
    const { member } = this;
    const before = this.published;
    const gone = [...(before ?? [])].filter((server) => !wanted.has(server));
    const changes = new Map([
      ...[...wanted].map(([server, record]) => this.giving(server, record, before !== undefined)),
      ...gone.map((server) => [server, () => member.unpublish(server)] as const),
    ]);
    const failed = await this.attempt(changes, before === undefined);
    // A server that could not be removed is removed with the next change.
    this.published = new Set([...wanted.keys(), ...failed.keys()]);
    return problemsOf(failed);
  }

  private async add(wanted: ReadonlyMap<string, ServerRecord>, only: string): Promise<readonly string[]> {
    const record = wanted.get(only);
    if (record === undefined) return [];
    if (this.published !== undefined) this.published = new Set([...this.published, only]);
    return problemsOf(await this.attempt(new Map([this.giving(only, record, true)]), false));
  }

  private giving(
    server: string,
    record: ServerRecord,
    replaces: boolean,
  ): readonly [string, () => Promise<unknown>] {
    const { member, logger } = this;
    const give = async (): Promise<void> => {
      const isSame = await member.publish(server, record, replaces);
      const message = 'the cluster has another entry of the server; mcpmux reload replaces it';
      if (!isSame) logger.log('warn', message, { server });
    };
    return [server, give];
  }

  /**
   * Makes the changes, and returns the reasons why some failed. Once the cluster engine is unavailable, the remaining
   * changes are not tried.
   */
  private async attempt(changes: Changes, isPatient: boolean): Promise<ReadonlyMap<string, string>> {
    const failed = new Map<string, string>();
    let outage: string | undefined;
    for (const [server, change] of changes) {
      try {
        if (outage === undefined) await (isPatient ? whenAvailable(change) : change());
      } catch (error) {
        failed.set(server, messageOf(error));
        if (error instanceof ClusterError && error.code === 'UNAVAILABLE') outage = error.message;
      }
      if (outage !== undefined) failed.set(server, outage);
    }
    const message = 'the cluster does not have what the config says; mcpmux reload tries again';
    for (const [server, problem] of failed) this.logger.log('error', message, { server, problem });
    return failed;
  }

  private warnOfSecrets({ secret }: SharedEntries): void {
    for (const [server, names] of secret) {
      if (this.warned.has(server)) continue;
      this.warned.add(server);
      const message =
        'a server stays on this node because its entry holds a secret in clear; write ${NAME} or ${secret:NAME}';
      this.logger.log('warn', message, { server, secrets: names });
    }
  }
}

/** Returns one line for each reason. */
function problemsOf(failed: ReadonlyMap<string, string>): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const [server, reason] of failed) byReason.set(reason, [...(byReason.get(reason) ?? []), server]);
  return [...byReason].map(
    ([reason, servers]) =>
      `the cluster does not have what the config says of ${servers.join(', ')}: ${reason}`,
  );
}
