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

  /** @param keys the encryption keys; if undefined, the node shares no logins */
  static async open(cluster: Cluster, keys: LoginKeys | undefined): Promise<ServedLogins> {
    if (keys === undefined) return new ServedLogins(undefined);
    const local = new LoginFiles(thisProcess());
    const warn = (url: string, problem: string): void => logins.logProblem(url, problem);
    const logins: ServedLogins = new ServedLogins(await clusterLogins(cluster, keys, { local, warn }));
    return logins;
  }

  /** Sets the mux and the log, which do not exist until the node joins. */
  setMux(joinedMux: JoinedMux): void {
    this.joinedMux = joinedMux;
  }

  /** Records a server's URL, so that the log can name the server when its login fails. */
  recordServer(server: string, { config }: RunnableServer): void {
    if ('url' in config && config.url !== undefined) this.urlByServer.set(server, config.url);
    else this.urlByServer.delete(server);
  }

  /** Returns the handler of a link that reports a new login, or undefined for other links. */
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
