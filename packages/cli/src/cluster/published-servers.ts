import { messageOf, type Logger } from '@mcpmux/core';
import { ClusterError, type ClusterMember, type ServerRecord } from '@mcpmux/cluster';

import type { LoadedServer } from '@mcpmux/config';
import { sharedEntries, type SharedEntries } from './shared-entries.js';
import { whenAvailable } from './when-available.js';

/** Changes to servers in the cluster, by server name. */
type Changes = ReadonlyMap<string, () => Promise<unknown>>;

/** Publishes the servers of this node's config to the cluster. */
export class PublishedServers {
  /** The servers published from this config, and servers whose removal failed. Undefined before the first change. */
  private published: ReadonlySet<string> | undefined;
  private lastChange: Promise<readonly string[]> = Promise.resolve([]);
  private readonly warned = new Set<string>();

  constructor(
    private readonly member: Pick<ClusterMember, 'publish' | 'unpublish'>,
    private readonly logger: Logger,
    private readonly configFile: string,
  ) {}

  /** Returns the servers of the config that only this node runs. The cluster runs all other servers. */
  localServers = (servers: readonly LoadedServer[]): readonly LoadedServer[] => {
    const { shared } = sharedEntries(this.configFile);
    return servers.filter(({ name }) => !shared.has(name));
  };

  /**
   * Publishes the servers of the config and removes servers that the config no longer contains.
   *
   * @param only limits the change to this server
   */
  publish = (servers: readonly LoadedServer[], only?: string): void => {
    const entries = sharedEntries(this.configFile);
    const usable = new Set(servers.map(({ name }) => name));
    this.warnOfSecrets(entries);
    const records = new Map([...entries.shared].filter(([name]) => usable.has(name)));
    this.lastChange = this.lastChange.then(() =>
      only === undefined ? this.changeAll(records) : this.add(records, only),
    );
  };

  /** Resolves after the last change to the cluster, to one line for each reason of a failure. */
  settled(): Promise<readonly string[]> {
    return this.lastChange;
  }

  /**
   * Publishes and removes servers. At startup, servers that the cluster already has stay unchanged. A reload of the
   * config replaces them.
   */
  private async changeAll(records: ReadonlyMap<string, ServerRecord>): Promise<readonly string[]> {
    const { member } = this;
    const previous = this.published;
    const removed = [...(previous ?? [])].filter((server) => !records.has(server));
    const changes = new Map([
      ...[...records].map(([server, record]) => this.publication(server, record, previous !== undefined)),
      ...removed.map((server) => [server, () => member.unpublish(server)] as const),
    ]);
    const failed = await this.applyChanges(changes, previous === undefined);
    // The next change retries the failed removals.
    this.published = new Set([...records.keys(), ...failed.keys()]);
    return problemsOf(failed);
  }

  private async add(records: ReadonlyMap<string, ServerRecord>, only: string): Promise<readonly string[]> {
    const record = records.get(only);
    if (record === undefined) return [];
    if (this.published !== undefined) this.published = new Set([...this.published, only]);
    return problemsOf(await this.applyChanges(new Map([this.publication(only, record, true)]), false));
  }

  private publication(
    server: string,
    record: ServerRecord,
    replaces: boolean,
  ): readonly [string, () => Promise<unknown>] {
    const { member, logger } = this;
    const publishServer = async (): Promise<void> => {
      const isSame = await member.publish(server, record, replaces);
      const message = 'the cluster has another entry of the server; mcpmux reload replaces it';
      if (!isSame) logger.log('warn', message, { server });
    };
    return [server, publishServer];
  }

  /**
   * Makes the changes and returns the reasons for failures, by server name. Skips the remaining changes once the
   * cluster engine is unavailable.
   */
  private async applyChanges(changes: Changes, isRetried: boolean): Promise<ReadonlyMap<string, string>> {
    const failed = new Map<string, string>();
    let outage: string | undefined;
    for (const [server, change] of changes) {
      try {
        if (outage === undefined) await (isRetried ? whenAvailable(change) : change());
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

/** Returns one line for each reason, with the servers that it applies to. */
function problemsOf(failed: ReadonlyMap<string, string>): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const [server, reason] of failed) byReason.set(reason, [...(byReason.get(reason) ?? []), server]);
  return [...byReason].map(
    ([reason, servers]) =>
      `the cluster does not have what the config says of ${servers.join(', ')}: ${reason}`,
  );
}
