import type { Logger, Mux } from '@mcpmux/core';
import type {
  Cluster,
  ClusterLogins,
  LinkRequest,
  LoginKeys,
  RunnableServer,
  ServeLink,
} from '@mcpmux/cluster';

import { thisProcess } from '../config/this-process.js';
import { LoginFiles } from '../login/login-files.js';
import { clusterLogins } from './saved-logins.js';

/** A node's mux and log. */
interface JoinedMux {
  readonly mux: Mux;
  readonly logger: Logger;
}

/** The logins that a node shares with its cluster. */
export class ServedLogins {
  /** The URLs of the cluster's servers that this node runs, by server name. */
  private readonly urlByServer = new Map<string, string>();
  private joinedMux: JoinedMux | undefined;

  private constructor(readonly store: ClusterLogins | undefined) {}

  /** @param keys if undefined, logins stay on this node */
  static async open(cluster: Cluster, keys: LoginKeys | undefined): Promise<ServedLogins> {
    if (keys === undefined) return new ServedLogins(undefined);
    const local = new LoginFiles(thisProcess());
    const warn = (url: string, problem: string): void => logins.logProblem(url, problem);
    const logins: ServedLogins = new ServedLogins(await clusterLogins(cluster, keys, { local, warn }));
    return logins;
  }

  /** Sets the mux and the log of the joining node. */
  setMux(joinedMux: JoinedMux): void {
    this.joinedMux = joinedMux;
  }

  /** Records the URL of a server that this node runs. */
  recordServer(server: string, { config }: RunnableServer): void {
    if ('url' in config && config.url !== undefined) this.urlByServer.set(server, config.url);
    else this.urlByServer.delete(server);
  }

  /** For a link that reports a login, returns a handler that restarts the server if it has crashed. */
  linkHandler({ command, name: server }: LinkRequest): ReturnType<ServeLink> | undefined {
    const { joinedMux } = this;
    if (command !== 'login' || typeof server !== 'string' || joinedMux === undefined) return undefined;
    return (link) => {
      void restartIfCrashed(joinedMux.mux, server).then(
        () => link.end('{}\n'),
        (error: unknown) => link.destroy(error instanceof Error ? error : undefined),
      );
    };
  }

  private logProblem(url: string, problem: string): void {
    const servers = [...this.urlByServer].filter(([, at]) => at === url).map(([server]) => server);
    const [server = url] = servers;
    this.joinedMux?.logger.log('error', `this node uses a login of its own, if it has one: ${problem}`, {
      server: servers.length > 0 ? server : undefined,
    });
  }
}

/**
 * Restarts a crashed server after a login. A running server needs no restart, because mcpmux reads the login again when
 * the server rejects the token.
 */
async function restartIfCrashed(mux: Mux, server: string): Promise<void> {
  const hasCrashed = mux.listServers().some(({ name, status }) => name === server && status === 'crashed');
  if (hasCrashed) await mux.reloadServer(server);
}
