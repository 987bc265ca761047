import { isDeepStrictEqual } from 'node:util';

import { type ConfigContext, loadConfig, type LoadedServer } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';
import type { ReadyServer } from '@mcpmux/config/follow';
import type { ServerConfig } from '@mcpmux/core';

import { statefulPackage } from './stateful-packages.js';

/** Nonexistent folders. A server whose configuration is the same in both does not depend on the folder. */
const NONEXISTENT_FOLDERS = ['/mcpmux-no-folder/1', '/mcpmux-no-folder/2'] as const;

/** Divides a config's servers into servers that all windows share and servers that run separately in each folder. */
export class Placement {
  constructor(
    private readonly location: ConfigLocation,
    private readonly context: ConfigContext,
    /** Returns true if a server has requested its client's roots before. */
    private readonly asksForRoots: (server: ReadyServer) => boolean = () => false,
  ) {}

  /** Returns the servers that do not depend on a window's folder. A server without `cwd` runs in the home folder. */
  serversForAllWindows(servers: readonly LoadedServer[]): readonly LoadedServer[] {
    const sharedNames = this.sharedNames();
    return servers
      .filter((server): server is ReadyServer => server.status === 'ready' && sharedNames.has(server.name))
      .map((server) => this.withPlacement(server, this.context.home, sharedReason(server)));
  }

  /** Returns the servers that depend on a window's folder, configured for that folder. */
  serversForFolder(servers: readonly LoadedServer[], folder: string): readonly LoadedServer[] {
    const sharedNames = this.sharedNames();
    return servers
      .filter(({ name }) => !sharedNames.has(name))
      .map((server) =>
        server.status === 'ready' ? this.withPlacement(server, folder, FOLDER_REASON) : server,
      );
  }

  /** True if a roots request does not change how windows share the server. */
  isPlacementFixed(server: ReadyServer): boolean {
    return server.shared !== undefined || this.isolationReason(server) !== undefined;
  }

  /** Returns the location from which to load the config for windows in a folder. */
  configLocationFor(folder: string): ConfigLocation {
    return this.location.origin === 'project' ? this.location : { ...this.location, folder };
  }

  /** Returns why each window needs its own run of a server, or undefined if windows can share one run. */
  private isolationReason(server: ReadyServer): string | undefined {
    const { config, shared } = server;
    if (config.isolation === 'session') return 'its config has "isolation": "session"';
    if (shared !== undefined) return shared ? undefined : 'its config has "mux": {"shared": false}';
    const packageName = statefulPackage(config);
    if (packageName !== undefined) return `${packageName} keeps a state for its client`;
    return this.asksForRoots(server) ? 'it asks for the roots of its client' : undefined;
  }

  private withPlacement(server: ReadyServer, folder: string, reason: string): ReadyServer {
    const isolationReason = this.isolationReason(server);
    const config = withFolder(server.config, folder);
    if (isolationReason === undefined) return { ...server, config, scopeReason: reason };
    return { ...server, config: { ...config, isolation: 'session' }, scopeReason: isolationReason };
  }

  private sharedNames(): ReadonlySet<string> {
    const [one, two] = NONEXISTENT_FOLDERS.map((cwd) => {
      const { servers } = loadConfig(this.configLocationFor(cwd), { ...this.context, cwd });
      return new Map(servers.map((server) => [server.name, server]));
    });
    const unchangedServers = [...(one ?? [])].filter(
      ([name, server]) => isFolderIndependent(server) && isDeepStrictEqual(server, two?.get(name)),
    );
    return new Set(unchangedServers.map(([name]) => name));
  }
}

/** True if a server never runs in its window's folder: it has a URL or a `cwd`, or the config shares it explicitly. */
function isFolderIndependent(server: LoadedServer): boolean {
  if (server.status !== 'ready') return false;
  const { config, shared } = server;
  return config.url !== undefined || config.cwd !== undefined || shared === true;
}

const FOLDER_REASON = 'it runs in the folder of its window, or its settings differ by folder';

function sharedReason({ config }: ReadyServer): string {
  if (config.url !== undefined) return 'it is at a url';
  return config.cwd === undefined ? 'its config has "mux": {"shared": true}' : 'its config has a cwd';
}

function withFolder(config: ServerConfig, folder: string): ServerConfig {
  return config.url === undefined ? { cwd: folder, ...config } : config;
}
