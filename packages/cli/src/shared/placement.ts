import { isDeepStrictEqual } from 'node:util';

import { type ConfigContext, loadConfig, type LoadedServer } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';
import type { ReadyServer } from '@mcpmux/config/follow';
import type { ServerConfig } from '@mcpmux/core';

import { statefulPackage } from './stateful-packages.js';

/** Two folders that are empty. A server that is the same in both is the same in every folder. */
const FOLDERS = ['/mcpmux-no-folder/1', '/mcpmux-no-folder/2'] as const;

/**
 * Decides which servers of a config the windows of all folders share, and which servers run separately for each folder.
 */
export class Placement {
  constructor(
    private readonly location: ConfigLocation,
    private readonly context: ConfigContext,
    /** True if a server asks for the roots of its client. */
    private readonly asksForRoots: (server: ReadyServer) => boolean = () => false,
  ) {}

  /**
   * Returns the servers that are the same in every folder. A server without its own working directory runs in the home
   * folder.
   */
  forAll(servers: readonly LoadedServer[]): readonly LoadedServer[] {
    const everywhere = this.everywhere();
    return servers
      .filter((server): server is ReadyServer => server.status === 'ready' && everywhere.has(server.name))
      .map((server) => this.placed(server, this.context.home, whyShared(server)));
  }

  /** Returns the other servers, with their configurations for one folder. */
  forFolder(servers: readonly LoadedServer[], folder: string): readonly LoadedServer[] {
    const everywhere = this.everywhere();
    return servers
      .filter(({ name }) => !everywhere.has(name))
      .map((server) => (server.status === 'ready' ? this.placed(server, folder, OF_FOLDER) : server));
  }

  /** True if a request of the server for roots cannot change its placement. */
  isDecided(server: ReadyServer): boolean {
    return server.shared !== undefined || this.whyForEach(server) !== undefined;
  }

  /** Returns the location of the config for windows in a folder. */
  locationIn(folder: string): ConfigLocation {
    return this.location.origin === 'project' ? this.location : { ...this.location, folder };
  }

  /** Returns the reason why each window has its own run of a server. Undefined for a server that windows share. */
  private whyForEach(server: ReadyServer): string | undefined {
    const { config, shared } = server;
    if (config.isolation === 'session') return 'its config has "isolation": "session"';
    if (shared !== undefined) return shared ? undefined : 'its config has "mux": {"shared": false}';
    const known = statefulPackage(config);
    if (known !== undefined) return `${known} keeps a state for its client`;
    return this.asksForRoots(server) ? 'it asks for the roots of its client' : undefined;
  }

  private placed(server: ReadyServer, folder: string, why: string): ReadyServer {
    const whyForEach = this.whyForEach(server);
    const config = inFolder(server.config, folder);
    if (whyForEach === undefined) return { ...server, config, scopeReason: why };
    return { ...server, config: { ...config, isolation: 'session' }, scopeReason: whyForEach };
  }

  private everywhere(): ReadonlySet<string> {
    const [one, two] = FOLDERS.map((cwd) => {
      const { servers } = loadConfig(this.locationIn(cwd), { ...this.context, cwd });
      return new Map(servers.map((server) => [server.name, server]));
    });
    const same = [...(one ?? [])].filter(
      ([name, server]) => isFree(server) && isDeepStrictEqual(server, two?.get(name)),
    );
    return new Set(same.map(([name]) => name));
  }
}

/** True if a server does not need its window's working directory. */
function isFree(server: LoadedServer): boolean {
  if (server.status !== 'ready') return false;
  const { config, shared } = server;
  return config.url !== undefined || config.cwd !== undefined || shared === true;
}

const OF_FOLDER = 'it runs in the folder of its window, or its settings differ by folder';

function whyShared({ config }: ReadyServer): string {
  if (config.url !== undefined) return 'it is at a url';
  return config.cwd === undefined ? 'its config has "mux": {"shared": true}' : 'its config has a cwd';
}

function inFolder(config: ServerConfig, folder: string): ServerConfig {
  return config.url === undefined ? { cwd: folder, ...config } : config;
}
