import type { Login } from '@mcpmux/core';
import {
  ClusterError,
  ClusterLogins,
  LOGIN_BUCKET,
  type Cluster,
  type LocalLogins,
  type LoginKeys,
} from '@mcpmux/cluster';

import { LoginFiles } from '../login/login-files.js';
import type { StateContext } from '../files/state-folder.js';
import { clusterOptions, type ClusterOptions, type ClusterSources } from './cluster-options.js';
import { readLoginKeys } from './login-key-source.js';

/** Called when this process cannot read a login from the cluster. */
type WarnOfLogin = (url: string, problem: string) => void;

/** The options of {@link SavedLogins}. */
export interface SavedLoginsSources extends Omit<ClusterSources, 'environment'> {
  readonly places: StateContext;
  readonly warn: WarnOfLogin;
}

/**
 * The logins of a process that is not a node. They are stored in the cluster if the cluster and its key are configured,
 * otherwise in files. Each operation in the cluster opens and closes its own connection.
 */
export class SavedLogins implements LocalLogins {
  private readonly localFiles: LoginFiles;
  private readonly clusterAccess:
    | { readonly options: ClusterOptions; readonly keys: LoginKeys }
    | { readonly problem: string }
    | undefined;

  constructor(private readonly sources: SavedLoginsSources) {
    const { environment } = sources.places;
    this.localFiles = new LoginFiles(sources.places);
    const options = clusterOptions({ ...sources, environment });
    const keys = readLoginKeys(options?.tokenKeyFile, environment);
    if (options === undefined) return;
    this.clusterAccess = keys === undefined || 'problem' in keys ? keys : { options, keys };
  }

  load(url: string): Promise<Login | undefined> {
    return this.withLogins((logins) => logins.load(url));
  }

  save(url: string, login: Login): Promise<void> {
    return this.withLogins((logins) => logins.save(url, login));
  }

  change(url: string, edit: (login: Login) => Login): Promise<void> {
    return this.withLogins((logins) => logins.change(url, edit));
  }

  forget(url: string): Promise<boolean> {
    return this.withLogins((logins) => logins.forget(url));
  }

  /** True if the logins are stored in a cluster rather than in files. */
  get isShared(): boolean {
    return this.clusterAccess !== undefined;
  }

  /** Returns the path of the file that stores a login when logins are not in a cluster. */
  fileOf(url: string): string {
    return this.localFiles.fileOf(url);
  }

  /**
   * Connects to the cluster that stores the logins, and calls `work`. Resolves to undefined if the logins are in files.
   *
   * @throws ClusterError
   */
  async withCluster<Result>(
    work: (cluster: Cluster, options: ClusterOptions, logins: ClusterLogins) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { clusterAccess, localFiles, sources } = this;
    if (clusterAccess === undefined) return undefined;
    if ('problem' in clusterAccess) throw new ClusterError('REFUSED', clusterAccess.problem);
    const { connectNats } = await import('@mcpmux/cluster-nats');
    const cluster = await connectNats(clusterAccess.options.nats);
    try {
      const logins = await clusterLogins(cluster, clusterAccess.keys, {
        local: localFiles,
        warn: sources.warn,
      });
      return await work(cluster, clusterAccess.options, logins);
    } finally {
      await cluster.close();
    }
  }

  private async withLogins<Result>(work: (logins: LocalLogins) => Promise<Result>): Promise<Result> {
    if (this.clusterAccess === undefined) return work(this.localFiles);
    const response = await this.withCluster(async (_cluster, _options, logins) => ({
      result: await work(logins),
    }));
    return response === undefined ? work(this.localFiles) : response.result;
  }
}

/** Returns the logins that the nodes of a cluster share. */
export async function clusterLogins(
  cluster: Cluster,
  keys: LoginKeys,
  { local, warn }: { readonly local: LocalLogins; readonly warn: WarnOfLogin },
): Promise<ClusterLogins> {
  return new ClusterLogins({ bucket: await cluster.bucket(LOGIN_BUCKET), keys, local, warn });
}
