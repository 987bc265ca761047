import { messageOf, type Logger } from '@mcpmux/core';
import { ClusterError, type ClusterMember, type ServerRecord } from '@mcpmux/cluster';

import type { LoadedServer } from '@mcpmux/config';
import { readSharedEntries, type SharedEntries } from './shared-entries.js';
import { retryUntilAvailable } from './when-available.js';

/** Functions that publish or remove a server, by server name. */
type Changes = ReadonlyMap<string, () => Promise<unknown>>;

/** Publishes the servers of this node's config to the cluster. */
export class PublishedServers {
  /**
   * The servers published from this config, and servers whose removal failed. Undefined until the first publication.
   */
  private publishedNames: ReadonlySet<string> | undefined;
  private lastChange: Promise<readonly string[]> = Promise.resolve([]);
  private readonly warnedServers = new Set<string>();

  constructor(
    private readonly member: Pick<ClusterMember, 'publish' | 'unpublish'>,
    private readonly logger: Logger,
    private readonly configFile: string,
  ) {}

  /** Returns the config's servers that are not published to the cluster, and therefore run on this node. */
  localServers = (servers: readonly LoadedServer[]): readonly LoadedServer[] => {
    const { records } = readSharedEntries(this.configFile);
    return servers.filter(({ name }) => !records.has(name));
  };

  /**
   * Publishes the config's servers, and removes servers from the cluster that the config no longer contains.
   *
   * @param only the only server to publish; if given, the call removes none
   */
  publish = (servers: readonly LoadedServer[], only?: string): void => {
    const entries = readSharedEntries(this.configFile);
    const usableNames = new Set(servers.map(({ name }) => name));
    this.warnOfSecrets(entries);
    const records = new Map([...entries.records].filter(([name]) => usableNames.has(name)));
    this.lastChange = this.lastChange.then(() =>
      only === undefined ? this.publishAll(records) : this.add(records, only),
    );
  };

  /** Resolves to the problems of the last change to the cluster, one line for each reason, once the change ends. */
  problemsOfLastChange(): Promise<readonly string[]> {
    return this.lastChange;
  }

  /** Publishes and removes servers. The first call does not replace entries that the cluster already has. */
  private async publishAll(records: ReadonlyMap<string, ServerRecord>): Promise<readonly string[]> {
    const { member } = this;
    const previousNames = this.publishedNames;
    const removedNames = [...(previousNames ?? [])].filter((server) => !records.has(server));
    const changes = new Map([
      ...[...records].map(([server, record]) =>
        this.publicationOf(server, record, previousNames !== undefined),
      ),
      ...removedNames.map((server) => [server, () => member.unpublish(server)] as const),
    ]);
    const failures = await this.applyChanges(changes, previousNames === undefined);
    // The next change retries the failed removals.
    this.publishedNames = new Set([...records.keys(), ...failures.keys()]);
    return problemsOf(failures);
  }

  private async add(records: ReadonlyMap<string, ServerRecord>, only: string): Promise<readonly string[]> {
    const record = records.get(only);
    if (record === undefined) return [];
    if (this.publishedNames !== undefined) this.publishedNames = new Set([...this.publishedNames, only]);
    return problemsOf(await this.applyChanges(new Map([this.publicationOf(only, record, true)]), false));
  }

  private publicationOf(
    server: string,
    record: ServerRecord,
    replaces: boolean,
  ): readonly [string, () => Promise<unknown>] {
    const { member, logger } = this;
    const publishServer = async (): Promise<void> => {
      const isUnchanged = await member.publish(server, record, replaces);
      const message = 'the cluster has another entry of the server; mcpmux reload replaces it';
      if (!isUnchanged) logger.log('warn', message, { server });
    };
    return [server, publishServer];
  }

  /**
   * Applies the changes and returns the reasons for failures, by server name. Once the cluster engine is unavailable,
   * the remaining changes are skipped and count as failures.
   */
  private async applyChanges(changes: Changes, isRetried: boolean): Promise<ReadonlyMap<string, string>> {
    const failures = new Map<string, string>();
    let outage: string | undefined;
    for (const [server, change] of changes) {
      try {
        if (outage === undefined) await (isRetried ? retryUntilAvailable(change) : change());
      } catch (error) {
        failures.set(server, messageOf(error));
        if (error instanceof ClusterError && error.code === 'UNAVAILABLE') outage = error.message;
      }
      if (outage !== undefined) failures.set(server, outage);
    }
    const message = 'the cluster does not have what the config says; mcpmux reload tries again';
    for (const [server, problem] of failures) this.logger.log('error', message, { server, problem });
    return failures;
  }

  private warnOfSecrets({ secretNames }: SharedEntries): void {
    for (const [server, names] of secretNames) {
      if (this.warnedServers.has(server)) continue;
      this.warnedServers.add(server);
      const message =
        'a server stays on this node because its entry holds a secret in clear; write ${NAME} or ${secret:NAME}';
      this.logger.log('warn', message, { server, secrets: names });
    }
  }
}

/** Formats the failures as one line for each reason, with the names of the affected servers. */
function problemsOf(failures: ReadonlyMap<string, string>): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const [server, reason] of failures) byReason.set(reason, [...(byReason.get(reason) ?? []), server]);
  return [...byReason].map(
    ([reason, servers]) =>
      `the cluster does not have what the config says of ${servers.join(', ')}: ${reason}`,
  );
}
