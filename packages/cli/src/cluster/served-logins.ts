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
  /** The URLs of the cluster's servers that this node runs. */
  private readonly urls = new Map<string, string>();
  private joinedMux: JoinedMux | undefined;

  private constructor(readonly store: ClusterLogins | undefined) {}

  /** @param keys if undefined, logins stay on this node */
  static async open(cluster: Cluster, keys: LoginKeys | undefined): Promise<ServedLogins> {
    if (keys === undefined) return new ServedLogins(undefined);
    const local = new LoginFiles(thisProcess());
    const warn = (url: string, problem: string): void => logins.warn(url, problem);
    const logins: ServedLogins = new ServedLogins(await clusterLogins(cluster, keys, { local, warn }));
    return logins;
  }

  /** Sets the mux and the log that are notified from now on. */
  joined(joinedMux: JoinedMux): void {
    this.joinedMux = joinedMux;
  }

  /** Remembers which server is at a URL. */
  runs(server: string, { config }: RunnableServer): void {
    if ('url' in config && config.url !== undefined) this.urls.set(server, config.url);
    else this.urls.delete(server);
  }

  /** Starts a server after a person has logged in to it. Returns undefined for a link with another purpose. */
  serve({ command, name: server }: LinkRequest): ReturnType<ServeLink> | undefined {
    const { joinedMux } = this;
    if (command !== 'login' || typeof server !== 'string' || joinedMux === undefined) return undefined;
    return (link) => {
      void startAgain(joinedMux.mux, server).then(
        () => link.end('{}\n'),
        (error: unknown) => link.destroy(error instanceof Error ? error : undefined),
      );
    };
  }

  private warn(url: string, problem: string): void {
    const servers = [...this.urls].filter(([, at]) => at === url).map(([server]) => server);
    const [server = url] = servers;
    this.joinedMux?.logger.log('error', `this node uses a login of its own, if it has one: ${problem}`, {
      server: servers.length > 0 ? server : undefined,
    });
  }
}

/**
 * Starts a server again after a login. A running server needs no restart: when it refuses the token, mcpmux reads the login again.
 */
async function startAgain(mux: Mux, server: string): Promise<void> {
  const isDown = mux.listServers().some(({ name, status }) => name === server && status === 'crashed');
  if (isDown) await mux.reloadServer(server);
}
